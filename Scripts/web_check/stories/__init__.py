"""Actions of users. Each story begins in a browser where nobody is logged in.

The stories are those of the terminal's reader (Tests/CommandLineTests/Reader*Tests.swift), as far as a browser has the same
features.
"""

from . import account, app, appearance, articles, entrance, hostility, keys, layout, panes, reading, tabs, work

ALL = [story for module in [entrance, layout, panes, keys, reading, articles, account, work, appearance, app, tabs, hostility]
       for story in module.STORIES]

"""The checks of a page: WCAG 2.2 AA in each look, the tree of a screen reader, widths, and weight."""

import pathlib
import re

import axe_playwright_python

from . import tree

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
RUN = """
    const [options, done] = arguments;
    axe.run(options).then(result => done(result.violations.map(
        v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | '))));
"""
ALL = {"resultTypes": ["violations"],
       "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
# For texts in which the author has not ordered the headings.
ANY_HEADINGS = {**ALL, "rules": {"heading-order": {"enabled": False}}}
# The rules that depend only on colors.
COLOURS = {"resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"]}
SIZES = [("wide", 1280, 900, False), ("phone", 390, 844, True)]
# The narrowest required width (WCAG 1.4.10), and a very wide one.
OTHER_WIDTHS = [320, 1920]
WEIGHT = 30_000


class Inspection:
    """Inspects pages, and remembers which were inspected."""

    colours = COLOURS

    def __init__(self, browser, screenshots=None):
        self.browser, self.screenshots = browser, screenshots
        self.screens, self.count, self.heaviest = set(), 0, (0, 0, "")

    def __call__(self, where, name=None, rules=ALL):
        """Checks the open page.

        - where: its name in words.
        - name: the screen, if its address does not contain it.
        - rules: the rules of axe.
        """
        browser = self.browser
        self.count += 1
        self.screens.add(name or screen_name(browser.path))
        browser.check(where)
        self.weigh(where)
        tree.check(browser, where)
        for size, width, height, is_phone in SIZES:
            for scheme in ["light", "dark"]:
                browser.look(width, height, scheme, is_phone)
                self.axe(f"{where} ({size}, {scheme})", rules if scheme == "light" else COLOURS)
                if self.screenshots:
                    self.shoot(f"{where}-{size}-{scheme}")
            self.fits(f"{where} ({size})")
        for width in OTHER_WIDTHS:
            browser.look(width, 900, "light")
            self.fits(f"{where} ({width} px)")
        browser.look(1280, 900, "light")

    def axe(self, where, options=ALL):
        if not self.browser.script("return !!window.axe"):
            self.browser.script(AXE)
        for violation in self.browser.driver.execute_async_script(RUN, options):
            self.browser.expect(False, f"{where}: {violation}")

    def fits(self, where):
        over = self.browser.script("const e = document.documentElement; return e.scrollWidth - e.clientWidth")
        self.browser.expect(over <= 0, f"{where}: {over} px wider than the screen")
        # Tables in a text belong to its author.
        hidden = self.browser.script("""
            return Math.max(0, ...[...document.querySelectorAll('.scrolls')].filter(e => innerWidth <= 400 && !e.closest('.text'))
                .map(e => e.scrollWidth - e.clientWidth));
        """)
        self.browser.expect(hidden == 0, f"{where}: {hidden} px of a table are beside the screen")

    def weigh(self, where):
        """The size of the page with its style and script as sent, and of the page alone, unpacked and without its content."""
        weights = self.browser.script("""
            if (performance.getEntriesByType('resource').some(e => e.initiatorType === 'fetch')) return null;
            const [page] = performance.getEntriesByType('navigation');
            const parts = performance.getEntriesByType('resource').filter(e => /\\/assets\\//.test(e.name));
            const about = [...document.querySelectorAll('.text, .rows, tbody, textarea, option')];
            return [page.encodedBodySize + parts.reduce((sum, e) => sum + e.encodedBodySize, 0), page.decodedBodySize,
                    about.reduce((sum, e) => sum + new Blob([e.outerHTML]).size, 0)];
        """)
        # If a script has replaced the page, its size counts like that of a separate page.
        if not weights:
            return
        sent, unpacked, about = weights
        self.heaviest = max(self.heaviest, (sent, unpacked, where))
        self.browser.expect(sent < WEIGHT, f"{where}: {sent} bytes with style and script")
        self.browser.expect(unpacked - about < WEIGHT, f"{where}: {unpacked - about} bytes unpacked, without its text")

    def shoot(self, name):
        file = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:80]
        self.screenshots.mkdir(parents=True, exist_ok=True)
        self.browser.driver.save_screenshot(str(self.screenshots / f"{file}.png"))


def screen_name(path):
    """The screen of an address, in the form of `articlesctl flow`."""
    path = re.sub(r"[?#].*", "", path)
    path = re.sub(r"^/articles/[^/]+", "/articles/<slug>", path)
    path = re.sub(r"^/library/[^/]+", "/library/<group>", path)
    return re.sub(r"^/(users|sources)/[0-9]+", r"/\1/<id>", path)

"""The screenshots in docs/images of the sample articles: each screen light and dark, side by side."""

import base64
import shutil
import subprocess

from .site import PASSWORD

WIDE = (1440, 900, False)
PHONE = (390, 844, True)
GAP = 12
# The file, the user who is logged in, the addresses (one, or one for each appearance), and the size of each.
PICTURES = [
    ("login", None, ["/login"], WIDE), ("list", "rita", ["/articles"], WIDE), ("unread", "rita", ["/articles?unread=yes"], PHONE),
    ("search", "rita", ["/articles?search=coordinator&sort=relevance"], WIDE),
    ("article", "rita", ["/articles/keyset-pages-and-covering-indexes"], WIDE), ("library", "rita", ["/library"], WIDE),
    ("account", "olga", ["/account"], WIDE), ("users", "olga", ["/users"], WIDE),
    ("editor", "edda", ["/articles/a-terminal-is-a-front/edit"], WIDE),
    ("phone", "rita", ["/articles?search=coordinator&sort=relevance", "/articles/keyset-pages-and-covering-indexes"], PHONE),
]
SHOW = """
    document.body.style = 'margin: 0; display: flex; gap: ' + arguments[1] + 'px; background: #808080';
    return Promise.all(arguments[0].map(data => {
        const image = document.body.appendChild(new Image());
        image.src = 'data:image/png;base64,' + data;
        return image.decode();
    }));
"""


def make(browser, folder):
    mark_some(browser.site)
    folder.mkdir(parents=True, exist_ok=True)
    browser.cdp("Emulation.setScrollbarsHidden", hidden=True)
    for index, (name, user, paths, size) in enumerate(PICTURES):
        if index == 0 or user != PICTURES[index - 1][1]:
            browser.begin(user)
        looks = []
        for place, scheme in enumerate(["light", "dark"]):
            browser.look(size[0], size[1], scheme, size[2])
            browser.open(paths[place % len(paths)])
            browser.script("document.activeElement.blur()")
            looks.append(browser.driver.get_screenshot_as_base64())
        browser.look(size[0] * 2 + GAP, size[1], "light")
        browser.driver.get("about:blank")
        browser.script(SHOW, looks, GAP)
        file = folder / f"{name}.png"
        file.write_bytes(base64.b64decode(browser.driver.get_screenshot_as_base64()))
        if shutil.which("pngquant"):
            subprocess.run(["pngquant", "--force", "--skip-if-larger", "--strip", "--speed", "1", "--output", file, "64", file])
        print(f"{file}: {file.stat().st_size} bytes", flush=True)


def mark_some(site):
    site.run("login", "rita", "--password-stdin", given=PASSWORD + "\n")
    site.run("star", "keyset-pages-and-covering-indexes", "forward-only-migrations")
    site.run("mark", "later", "write-ahead-logging-and-the-write-lock")
    site.run("mark", "read", "sessions")

"""All pages that links lead to, one of each screen."""

from .inspection import screen_name

STARTS = ["/articles?limit=9", "/articles?search=coordinator&sort=relevance", "/articles?starred=yes", "/articles/filler-1",
          "/articles/home", "/library", "/library/tags", "/account"]
LIMIT = 60


def every_page(browser, inspect):
    """Looks at each page once, for any user."""
    seen, waiting = set(), list(STARTS)
    starts = set(STARTS)
    looked = 0
    while waiting:
        path = waiting.pop(0)
        if path in seen or path not in starts and screen_name(path) in {screen_name(other) for other in seen}:
            continue
        if not browser.expect(looked < LIMIT, f"more than {LIMIT} pages are to be looked at, such as {path}"):
            return
        looked += 1
        browser.open(path)
        # What leads to another screen is looked at as that.
        seen |= {path, browser.path}
        inspect(path)
        waiting += [target[len(browser.url):] for target in
                    browser.script("return [...document.links].map(link => link.href)")
                    if target.startswith(browser.url + "/") and "#" not in target and "/link?" not in target]

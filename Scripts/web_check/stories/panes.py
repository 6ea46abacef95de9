"""The panes of a wide window: resized, enlarged, without motion, with high contrast, and as screen readers hear them."""

import json

from ..browser import Keys
from ..tree import value

WIDE, NARROW = (1440, 900, False), (390, 844, True)
LIST = "/articles?tag=pane"
# The parts of a page that a user sees.
PARTS = """
    return ['.side nav', '#list', '#main', '#reading'].filter(name => document.querySelector(name)?.getClientRects().length);
"""
# The beginning of the first paragraph or row that is wholly visible in the part that scrolls, below a bar at its top.
FIRST = """
    const top = Math.max(0, ...[...document.querySelectorAll('main > .head, .bar')].map(e => {
        const box = e.getBoundingClientRect();
        return getComputedStyle(e).position === 'sticky' && box.top < 1 ? box.bottom : 0;
    }));
    return [...document.querySelectorAll(arguments[0])].find(e => e.getBoundingClientRect().top >= top - 1)?.textContent.trim().slice(0, 30);
"""
FOCUS = """
    const e = document.activeElement;
    return [e.name || e.id || e.textContent.trim().slice(0, 30), e.selectionStart ?? 0];
"""
# The elements that a user of the keyboard reaches and does not see wholly: they are beside the window, or something covers them.
COVERED = """
    const e = document.activeElement;
    if (e === document.body || e.matches('main')) return null;
    const box = e.getClientRects()[0];
    if (!box) return 'hidden: ' + e.outerHTML.slice(0, 80);
    const [x, y] = [box.left + box.width / 2, box.top + Math.min(box.height, innerHeight) / 2];
    const seen = document.elementFromPoint(x, y);
    return seen && (e.contains(seen) || seen.contains(e) || seen.closest('.row')?.contains(e)) ? null
        : `${e.outerHTML.slice(0, 100)} at ${Math.round(x)},${Math.round(y)}: ${seen?.outerHTML.slice(0, 60)}`;
"""


def articles():
    """Articles with texts of many paragraphs."""
    body = "\n\n".join(f"Paragraph {index} has a few words. " + "More words follow. " * 20 for index in range(60))
    return "\n".join(json.dumps({
        "slug": f"pane-{index}", "title": f"Pane {index} and a title with several words", "authors": ["Ann Author"],
        "tags": ["pane"], "format": "markdown", "published": f"2025-05-{index % 28 + 1:02d}T08:{index:02d}:00Z",
        "summary": "A summary.", "body": body}) for index in range(40))


def begin(browser, name="rita"):
    browser.site.seed("panes.jsonl", articles())
    browser.log_in(name)
    browser.look(*WIDE[:2], "light")


def begin_reading(browser, keys):
    """Opens the row of the list to which the keys lead."""
    begin(browser)
    browser.open(LIST)
    browser.press(keys)
    browser.leaves(lambda: browser.press("o"))


def turn(browser, where, panes):
    """Makes the window narrow, and wide again, and checks which parts are visible."""
    for (width, height, is_phone), parts in [(NARROW, panes[1]), (WIDE, panes[0])]:
        browser.look(width, height, "light", is_phone)
        browser.wait(lambda: browser.script("return innerWidth") == width, f"{where}: the window is not {width} px wide")
        shown = browser.script(PARTS)
        browser.expect(shown == parts, f"{where}: {width} px show {shown}")
        over = browser.script("const e = document.documentElement; return e.scrollWidth - e.clientWidth")
        browser.expect(over <= 0, f"{where}: {over} px wider than the window")
        yield width


def keeps(browser, where, panes, read):
    """Expects that a value is the same in both widths, and after each change of the width."""
    before = read()
    for width in turn(browser, where, panes):
        browser.wait(lambda: read() == before, f"{where}: {before} became {read()} in {width} px")


def resized_list(browser, inspect):
    """A list keeps its current row, its focus, and its address while the window changes its width."""
    begin(browser)
    browser.open(LIST)
    for _ in range(12):
        browser.press("j")
    visible = """
        const box = document.activeElement.getBoundingClientRect();
        return box.top >= 0 && box.bottom <= innerHeight;
    """
    keeps(browser, "a list", [[".side nav", "#main", "#reading"], [".side nav", "#main"]],
          lambda: (browser.script(FOCUS), browser.path, browser.script(visible)))
    browser.expect(browser.script(visible), "the current row is beside the window")


def resized_article(browser, inspect):
    """An article keeps the place in its text, the position of its list, and the focus while the window changes its width."""
    begin_reading(browser, "jjj")
    browser.script("document.querySelector('#list').scrollTop = 600")
    top = browser.script("return document.querySelector('#list').scrollTop")
    browser.script("[...document.querySelectorAll('.text p')][24].scrollIntoView({ behavior: 'instant' }); scrollBy({ top: -120, behavior: 'instant' })")
    title = browser.words("h1")
    held = browser.script(FOCUS)
    browser.expect(browser.script("return !!document.activeElement.closest('#list')"), "the focus is not in the list")
    place = browser.script(FIRST, ".text p")
    for width in turn(browser, "an article", [[".side nav", "#list", "#main"], ["#main"]]):
        browser.expect(browser.words("h1") == title, f"{width} px show another article")
        browser.wait(lambda: browser.script(FIRST, ".text p") == place,
                     f"the place in the text is {browser.script(FIRST, '.text p')} instead of {place} in {width} px")
        if width == WIDE[0]:
            now = browser.script("return document.querySelector('#list').scrollTop")
            browser.expect(abs(now - top) < 2, f"the list is at {now} instead of {top}")
            browser.expect(browser.script(FOCUS) == held, f"the focus is on {browser.script(FOCUS)} instead of {held}")
        else:
            browser.press("j")
            browser.expect(browser.script("return document.activeElement.closest('#main') !== null"), "keys act on a hidden pane")
            browser.press("k")
            browser.wait(lambda: browser.script(FIRST, ".text p") == place, "k does not undo j")


def kept(browser, inspect):
    """An article that opens beside the list leaves the list as it is, and marks in the list do not leave the article."""
    begin_reading(browser, "jjj")
    browser.script("document.querySelector('#list').__kept = true")
    rows = browser.all_words("#list .row h2")
    browser.leaves(lambda: browser.press("J"))
    browser.expect(browser.script("return document.querySelector('#list').__kept"), "the list is another one")
    browser.expect(browser.all_words("#list .row h2") == rows, "the list has other rows")
    title = browser.words("h1")
    browser.expect(browser.words("#list [aria-current] h2") == title, "the row of the article is not the current one")
    browser.expect(not browser.all("#list .unread[aria-current]"), "the row of the article is unread")
    path = browser.path
    browser.find("#list .row:nth-child(7) [data-key=star]").click()
    browser.wait(lambda: "Starred 1 article." in browser.said, "a star says nothing")
    browser.expect((browser.words("h1"), browser.path) == (title, path), f"a mark in the list leads to {browser.path}")


def moved_on_a_phone(browser, inspect):
    """In a narrow window, a move shows the next article, and back leads to the list."""
    begin(browser)
    browser.look(*NARROW[:2], "light", NARROW[2])
    browser.open(LIST)
    titles = browser.all_words(".row h2")
    browser.go(browser.all(".row h2 a")[3])
    browser.choose("Next article")
    browser.expect(browser.words("h1") == titles[4], f"the next article is {browser.words('h1')}")
    browser.leaves(lambda: browser.press("J"))
    browser.expect(browser.words("h1") == titles[5], f"J leads to {browser.words('h1')}")
    browser.leaves(lambda: browser.press("q"))
    browser.expect(browser.path == LIST, f"q leads to {browser.path}")


def beyond(browser, inspect):
    """A move to an article that the list does not contain leaves the rows as they are."""
    begin(browser)
    browser.open("/articles?tag=pane&limit=3")
    browser.press("jjj")
    browser.leaves(lambda: browser.press("o"))
    browser.press("U")
    browser.wait(lambda: "unread" in browser.find("#list .row:nth-child(3)").get_dom_attribute("class"), "U does nothing")
    browser.leaves(lambda: browser.press("J"))
    row = browser.find("#list .row:nth-child(3)")
    browser.expect("unread" in row.get_dom_attribute("class"), "the row of the article before is read")


def along(browser, inspect):
    """In the unread articles, J, K, and ] go along the rows, of which the server no longer lists those that were read."""
    begin(browser)
    browser.open("/articles?unread=yes&tag=pane")
    browser.press("jjj")
    titles = browser.all_words(".row h2")
    browser.leaves(lambda: browser.press("o"))
    for key, index in [("J", 3), ("K", 2), ("K", 1), ("]", 4), ("K", 3)]:
        browser.leaves(lambda: browser.press(key))
        browser.wait(lambda: browser.words("h1") == titles[index], f"{key} leads to {browser.words('h1')}")
        browser.expect(browser.words("#list [aria-current] h2") == titles[index], f"{key} does not move the current row")
    browser.press("JJJ")
    browser.wait(lambda: browser.words("h1") == titles[6], f"JJJ leads to {browser.words('h1')}")
    unread = browser.script("return [...document.querySelectorAll('#list .row')].slice(0, 8).map(row => row.classList.contains('unread'))")
    browser.expect(unread == [True] + [False] * 6 + [True], f"the rows are unread: {unread}")


def closed(browser, inspect):
    """Escape closes a menu, and the focus stays on it."""
    begin_reading(browser, "jjj")
    browser.find("main .menu summary").click()
    browser.press(Keys.ESCAPE)
    browser.expect(not browser.all(".menu[open]"), "Escape does not close a menu")
    browser.expect(browser.script("return document.activeElement.matches('summary')"), "the focus is lost")


def told(browser, inspect):
    """A message about an article that opens in the middle of its text is visible."""
    begin_reading(browser, "jjj")
    browser.script("scrollTo({ top: 3000, behavior: 'instant' })")
    browser.open(browser.path.split("?")[0] + "/note")
    browser.send(note="A note.")
    browser.wait(lambda: "Saved the note." in browser.said, "the message is out of sight")


def overtaken(browser, inspect):
    """If the user goes back before an article has come, the list stays."""
    begin(browser)
    browser.open(LIST)
    slow = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.cdp("Network.emulateNetworkConditions", **slow)
    try:
        browser.press("jo")
        browser.wait(lambda: browser.path.startswith("/articles/"), "o does nothing")
        browser.script("history.back()")
        browser.wait(lambda: browser.path == LIST, "back does nothing")
        browser.wait(lambda: not browser.all("[data-busy]"), "the responses never came")
        browser.expect(not browser.all("main article") and browser.all("main .row"), "the article is shown at the address of the list")
    finally:
        browser.cdp("Network.emulateNetworkConditions", **slow | {"latency": 0})


def resized_library(browser, inspect):
    """The library keeps its focus and its place while the window changes its width."""
    begin(browser)
    browser.open("/library")
    link = browser.all(".places a")[-1]
    browser.script("arguments[0].focus()", link)
    visible = "const box = document.activeElement.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight"
    keeps(browser, "the library", [[".side nav", "#main"], [".side nav", "#main"]],
          lambda: (browser.script(FOCUS), browser.script(visible)))
    browser.expect(browser.script(visible), "the focus is beside the window")


def resized_forms(browser, inspect):
    """A form keeps the typed text, the focus, and the cursor while the window changes its width."""
    begin(browser)
    browser.open("/articles/pane-3/note")
    browser.find("textarea").send_keys("A note that is not saved yet")
    browser.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    panes = [[".side nav", "#main"], [".side nav", "#main"]]
    keeps(browser, "a note", panes,
          lambda: (browser.script(FOCUS), browser.find("textarea").get_property("value")))
    browser.send()
    browser.says("A note that is not saved yet")
    browser.open("/account/name")
    browser.fill(username="rita-other")
    keeps(browser, "a form", panes, lambda: (browser.script(FOCUS), browser.find("#field-username").get_property("value")))
    browser.open(LIST)
    browser.press("/")
    browser.press("summ")
    browser.wait(lambda: "search=summ" in browser.path, "nothing is searched while one types")
    keeps(browser, "a search", [[".side nav", "#main", "#reading"], [".side nav", "#main"]],
          lambda: (browser.script(FOCUS), browser.find('input[name="search"]').get_property("value")))


def heard(browser, inspect):
    """Screen readers hear each pane as a landmark with a name, in the order of the page, and one of them as the main part."""
    begin(browser)
    article = "/articles/pane-3?in=%2Farticles%3Ftag%3Dpane"
    lands = {"banner", "navigation", "main", "region", "complementary", "search", "contentinfo"}
    for path, look, names in [
        (LIST, WIDE, ["banner", "navigation Main", "main", "search", "navigation Show", "complementary Article"]),
        (LIST, NARROW, ["banner", "navigation Main", "main", "search", "navigation Show"]),
        (article, WIDE, ["banner", "navigation Main", "region List", "search", "navigation Show", "main"]),
        (article, NARROW, ["main"]),
    ]:
        browser.look(*look[:2], "light", look[2])
        browser.open(path)
        nodes = [node for node in browser.cdp("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]
        found = [f"{value(node, 'role')} {value(node, 'name')}".strip() for node in nodes if value(node, "role") in lands]
        # A tree is given level by level, so the order on the page is that of the elements.
        order = browser.script("""
            const name = e => e.getAttribute('aria-label') ?? '';
            return [...document.querySelectorAll('body > header, nav, main, section[aria-label], aside, [role=search]')]
                .filter(e => e.checkVisibility() && e.getClientRects().length)
                .map(e => [e.role ?? { HEADER: 'banner', NAV: 'navigation', MAIN: 'main', SECTION: 'region', ASIDE: 'complementary' }[e.tagName],
                           name(e)].join(' ').trim());
        """)
        browser.expect(order == names, f"{path} in {look[0]} px: the landmarks are {order}")
        browser.expect(sorted(found) == sorted(names), f"{path} in {look[0]} px: heard are {found}")
        current = [link.get_dom_attribute("aria-current") for link in browser.all(".sections [aria-current]")]
        browser.expect(current == ["page"], f"{path}: the current section is heard as {current}")
        browser.check(f"{path} in {look[0]} px")


def reached(browser, where, most=60):
    """Presses Tab through the page, and expects that each element with the focus is visible."""
    browser.script("document.activeElement.blur(); scrollTo(0, 0)")
    for _ in range(most):
        browser.press(Keys.TAB)
        covered = browser.script(COVERED)
        if not browser.expect(not covered, f"{where}: the focus is covered: {covered}"):
            return
        if browser.script("return document.activeElement === document.body"):
            return


def enlarged(browser, inspect):
    """At 200 % and with the largest text, pages do not scroll sideways, and nothing covers the focus."""
    begin(browser)
    article = "/articles/pane-3?in=%2Farticles%3Ftag%3Dpane"
    # A window of 1440 and of 2880 pixels, with two pixels of the screen to a pixel of the page.
    for width, height in [(720, 450), (1440, 900)]:
        browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=False)
        for size in ["", "150"]:
            for path in [LIST, article, "/library", "/account/password", "/sources"]:
                browser.open(path)
                browser.script("if (arguments[0]) document.documentElement.dataset.size = arguments[0]", size)
                where = f"{path} at 200 % of {width * 2} px, text {size or 100} %"
                inspect.fits(where)
                reached(browser, where)
    browser.look(1280, 900, "light")


def calm(browser, inspect):
    """If the user wants less motion, nothing is animated."""
    begin(browser)
    states = {}
    for motion in ["no-preference", "reduce"]:
        browser.cdp("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-reduced-motion", "value": motion}])
        browser.open(LIST)
        states[motion] = browser.script("""
            document.body.dataset.busy = '';
            const state = [document.getAnimations().length, getComputedStyle(document.documentElement).scrollBehavior];
            const bar = getComputedStyle(document.body, '::before');
            return [...state, bar.content !== 'none' && bar.opacity === '1'];
        """)
    browser.expect(states["no-preference"][:2] == [1, "smooth"], f"with motion: {states['no-preference']}")
    browser.expect(states["reduce"] == [0, "auto", True], f"without motion: {states['reduce']}")
    browser.look(1280, 900, "light")


def contrasting(browser, inspect):
    """With the system's high contrast, the current row, the section, and marks can be told apart, and all texts are legible."""
    begin(browser)
    article = "/articles/pane-3?in=%2Farticles%3Ftag%3Dpane"
    for features in [{"forced-colors": "active"}, {"prefers-contrast": "more"}]:
        for scheme in ["light", "dark"]:
            browser.cdp("Emulation.setEmulatedMedia", media="", features=[
                {"name": name, "value": word} for name, word in {**features, "prefers-color-scheme": scheme}.items()])
            for path in [LIST, article]:
                browser.open(path)
                where = f"{path} with {features} ({scheme})"
                inspect.axe(where, inspect.colours)
                seen = browser.script("""
                    const style = selector => getComputedStyle(document.querySelector(selector));
                    const other = document.querySelector('.row:not([aria-current])');
                    const row = document.querySelector('.row[aria-current]');
                    // The system's colors replace the background, which the style does not say.
                    const isForced = matchMedia('(forced-colors: active)').matches;
                    const look = e => getComputedStyle(e)[isForced ? 'outlineStyle' : 'backgroundColor'];
                    return {
                        row: !row || look(row) !== look(other),
                        section: style('.side [aria-current]').fontWeight !== style('.side a:not([aria-current], .brand)').fontWeight,
                        ink: style('body').color, ground: style('html').backgroundColor,
                    };
                """)
                browser.expect(seen["row"] and seen["section"], f"{where}: {seen}")
                if "prefers-contrast" in features:
                    pair = ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
                    browser.expect([seen["ink"], seen["ground"]] == (pair if scheme == "light" else pair[::-1]), f"{where}: {seen}")
    browser.look(1280, 900, "light")


def read_above(browser, inspect):
    """In a list of unread articles, the rows that become read stay where they are and look read."""
    begin(browser)
    browser.open(LIST + "&unread=yes")
    browser.press("jjj")
    browser.press("H")
    count = "return [document.querySelectorAll('.row').length, document.querySelectorAll('.row.unread').length]"
    before = browser.script(count)
    browser.wait(lambda: browser.script(count)[1] < before[0], "the rows above look unread")
    rows, unread = browser.script(count)
    browser.expect(rows == before[0] and unread == rows - 3, f"after H: {rows} rows, {unread} of them look unread, {before} before")


def moved(browser, inspect):
    """J, K, and ] beside a list show another article without loading the page, also twice at once, and the list stays where it is."""
    begin_reading(browser, "jj")
    browser.script("window.__mark = 1; document.activeElement.blur()")
    titles = "return [...document.querySelectorAll('#list .row h2')].map(e => e.innerText)"
    before = browser.script(titles)
    for keys, by in [("J", 1), ("K", -1), ("JJ", 2), ("KK", -2)]:
        at = before.index(browser.words("h1"))
        for key in keys:
            browser.press(key)
        browser.wait(lambda: browser.words("h1") == before[at + by], f"{keys} leads from {before[at]!r} to another article")
        current = browser.script("return document.querySelector('#list [aria-current] h2')?.innerText")
        browser.expect(current == before[at + by], f"after {keys} the list is at {current!r}")
        browser.expect(browser.script("return window.__mark") == 1, f"{keys} loads the whole page")
        browser.expect(browser.script(titles) == before, f"{keys} changes the rows")
    top = browser.script("return scrollY")
    browser.press("j")
    browser.wait(lambda: browser.script("return scrollY") > top, "j does not scroll the text after J")
    browser.leaves(lambda: browser.press("q"))
    browser.expect(browser.path == LIST, f"q leads to {browser.path}")
    # The articles that were unread stay in their list.
    browser.open(LIST + "&unread=yes")
    browser.script("window.__mark = 1")
    for keys in ["]", "]", "J", "]"]:
        browser.leaves(lambda: browser.press(keys))
        rows = browser.script(titles)
        browser.expect(browser.words("h1") in rows, f"{keys} leads beside the list")
        browser.expect(browser.script("return window.__mark") == 1, f"{keys} loads the whole page in a list of unread articles")
    browser.expect(len(browser.all("#list .row:not(.unread)")) == 4, "the articles that were read are not marked in the list")
    browser.check("moves beside a list")


def long_names(browser, inspect):
    """The name of a source has one line in the sidebar, and its number stays in view."""
    browser.site.seed("a_source_with_a_very_long_name_without_any_space.jsonl", json.dumps({
        "slug": "long-name", "title": "Long", "body": "Text."}))
    begin(browser)
    browser.open(LIST)
    beside = browser.script("""
        const edge = document.querySelector('.side nav').getBoundingClientRect().right + 1;
        return [...document.querySelectorAll('.side a, .side small')].filter(e => e.getBoundingClientRect().right > edge).length;
    """)
    browser.expect(beside == 0, f"{beside} parts of the sidebar are wider than it")


STORIES = [read_above, moved, long_names, kept, moved_on_a_phone, beyond, along, closed, told, overtaken,
           resized_list, resized_article, resized_library, resized_forms, heard, enlarged, calm, contrasting]

"""The layout of lists and articles, measured in the sizes of a desktop and of a phone."""

import json

DESKTOP, PHONE = (1440, 900, False), (390, 844, True)

# The rows that are wholly visible, above a bar at the bottom, and what each shows.
ROWS = """
    const bar = document.querySelector('.side nav');
    const bottom = bar && getComputedStyle(bar).position === 'fixed' ? bar.getBoundingClientRect().top : innerHeight;
    const isSeen = element => element && element.getBoundingClientRect().height > 8 && element.textContent.trim() !== '';
    return [...document.querySelectorAll('.row')].filter(row => {
        const box = row.getBoundingClientRect();
        return box.top >= 0 && box.bottom <= bottom;
    }).map(row => ({
        isWhole: [row.querySelector('h2 a'), row.querySelector('.facts > span:not(.unseen)'), row.querySelector('time'),
                  row.querySelector('.excerpt')].every(isSeen),
        actions: [...row.querySelectorAll('button, summary')].filter(
            button => button.checkVisibility({visibilityProperty: true})).length,
    }));
"""
# The heights of the lowest and the highest row, and the smaller side of the smallest mark.
SIZES = """
    const boxes = selector => [...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect());
    const heights = boxes('.row').map(box => box.height);
    return [Math.min(...heights), Math.max(...heights), Math.min(...boxes('.row .mark').flatMap(box => [box.width, box.height]))];
"""
# The visible actions of an article. The link back to the list is part of the navigation.
ACTIONS = """
    return [...document.querySelectorAll('main button, main summary, main .button')].filter(e => e.checkVisibility()).length;
"""
PLACES = """
    return [...document.querySelectorAll('.row, .row .mark, .head, article h1, .text')].map(e => {
        const box = e.getBoundingClientRect();
        return [box.left, box.top, box.width, box.height].map(Math.round);
    });
"""


def articles():
    """Articles with long titles, as feeds have them."""
    words = "Compilers, caches, and the long tail of build times in code bases that many people have changed for years"
    return "\n".join(json.dumps({
        "slug": f"long-{index}", "title": words[:30 + index % 5 * 18], "authors": ["Ann Author", "Ben Writer"], "tags": ["long", "web"],
        "format": "markdown", "published": f"2025-03-{index % 28 + 1:02d}T08:{index % 60:02d}:00Z",
        "summary": "A look at how the parts of a build fit together, with numbers, mistakes, and two photographs of the result.",
        "body": "A paragraph of words. " * 100 + "A zebra crosses it. " + "A paragraph of words. " * 100}) for index in range(30))


def dense(browser, inspect):
    """A list shows at least nine rows on a desktop and seven on a phone, each with source, date, summary, and at most three actions."""
    browser.site.seed("long.jsonl", articles())
    browser.log_in("rita")
    for (width, height, is_phone), most in [(DESKTOP, 9), (PHONE, 7)]:
        for scheme in ["light", "dark"]:
            browser.look(width, height, scheme, is_phone)
            browser.open("/articles?tag=long")
            rows = browser.script(ROWS)
            browser.expect(len(rows) >= most, f"{len(rows)} rows are visible in {width}×{height}")
            browser.expect(all(row["isWhole"] for row in rows), f"a row has no source, date, or summary in {width}×{height}")
            browser.expect(max(row["actions"] for row in rows) <= 3, f"a row has too many actions: {rows[0]}")
            low, high, target = browser.script(SIZES)
            browser.expect(low <= 81 and high <= 90, f"rows are {low} to {high} px high in {width}×{height}")
            browser.expect(target >= (36 if is_phone else 24), f"a mark has {target} px in {width}×{height}")
    browser.expect(low <= 73, f"the lowest row of a phone has {low} px")
    browser.look(1280, 900, "light")


def text_first(browser, inspect):
    """The text of an article begins within 260 px on a phone, and at most five actions are visible."""
    browser.site.seed("long.jsonl", articles())
    browser.log_in("olga")
    for width, height, is_phone in [DESKTOP, PHONE]:
        browser.look(width, height, "light", is_phone)
        for index in range(5):
            browser.open(f"/articles/long-{index}")
            top = browser.script("return document.querySelector('.text').getBoundingClientRect().top + scrollY")
            browser.expect(top <= 260, f"the text of long-{index} begins at {top} px in {width}×{height}")
            count = browser.script(ACTIONS)
            browser.expect(1 <= count <= 5, f"an article shows {count} actions in {width}×{height}")
    browser.expect(browser.script("return !!document.querySelector('.menu [value^=\"!delete\"]')"), "no menu has “Delete”")
    browser.look(1280, 900, "light")


def still(browser, inspect):
    """Nothing moves when the user sets a mark, in a list of unread articles either."""
    browser.site.seed("long.jsonl", articles())
    browser.log_in("rita")
    for (width, height, is_phone) in [DESKTOP, PHONE]:
        browser.look(width, height, "light", is_phone)
        for path in ["/articles?tag=long&unread=yes", "/articles/long-3?in=%2Farticles%3Ftag%3Dlong%26unread%3Dyes"]:
            browser.open(path)
            before = browser.script(PLACES)
            for key in ["star", "later", "read", "unread"]:
                part = "main .row" if browser.all("main .row") else "main"
                button = next((e for e in browser.all(f"{part} [data-key={key}]") if e.is_displayed()), None)
                if not button:
                    continue
                browser.script("document.getElementById('said').textContent = ''")
                button.click()
                browser.wait(lambda: browser.said, f"{key} says nothing at {path}")
                browser.expect(browser.script(PLACES) == before, f"{key} moves the page at {path} in {width}×{height}")
    browser.look(1280, 900, "light")


def opened(browser, inspect):
    """The rows stay where they are when the user opens an article beside them, also if a scrollbar appears beside the rows, and the
    row of an article is in sight."""
    browser.site.seed("long.jsonl", articles())
    browser.log_in("rita")
    browser.look(*DESKTOP[:2], "light")
    browser.open("/articles?tag=long")
    top = "return Math.round(document.querySelector('.rows').getBoundingClientRect().top)"
    before = browser.script(top)
    browser.go(browser.find(".row h2 a"))
    # This browser draws its scrollbars above the page.
    browser.script("document.querySelector('#list').style.paddingInlineEnd = '15px'")
    browser.expect(browser.script(top) == before, f"the rows began at {before} and begin at {browser.script(top)}")
    browser.open("/articles/long-2?in=%2Farticles%3Ftag%3Dlong")
    box = browser.script("return document.querySelector('#list .row[aria-current]').getBoundingClientRect().toJSON()")
    browser.expect(0 <= box["top"] and box["bottom"] <= DESKTOP[1], f"the row of the article is at {box['top']}")
    browser.look(1280, 900, "light")


def matches(browser, inspect):
    """The results of a search show the words that were found."""
    browser.site.seed("long.jsonl", articles())
    browser.log_in("rita")
    for width, height, is_phone in [DESKTOP, PHONE]:
        browser.look(width, height, "light", is_phone)
        browser.open("/articles?search=zebra")
        hidden = browser.script("""
            return [...document.querySelectorAll('.row .excerpt')].filter(line => {
                const mark = line.querySelector('mark');
                return !mark || mark.getBoundingClientRect().right > line.getBoundingClientRect().right;
            }).length;
        """)
        browser.expect(browser.all(".row .excerpt") and not hidden, f"{hidden} rows hide what was found in {width}×{height}")
    browser.look(1280, 900, "light")


def titled(browser, inspect):
    """A long title of a list has two lines, the second with an ellipsis, and the rest as a tooltip; the rows stay when an article opens."""
    browser.site.seed("long.jsonl", articles())
    browser.log_in("rita")
    words = "+".join(["zebra", "crosses", "paragraph", "words"] * 2)
    for width, height, is_phone in [DESKTOP, PHONE]:
        browser.look(width, height, "light", is_phone)
        browser.open(f"/articles?search={words}")
        lines, is_cut, title = browser.script("""
            const e = document.querySelector('.head h1');
            const line = parseFloat(getComputedStyle(e).lineHeight);
            return [Math.round(e.clientHeight / line), e.scrollHeight > e.clientHeight && getComputedStyle(e).webkitLineClamp === '2',
                    e.title];
        """)
        browser.expect(lines == 2 and is_cut, f"the title has {lines} lines, and is cut: {is_cut}")
        browser.expect(title.count("zebra") == 2 and title.count("words") == 2, f"the tooltip is {title!r}")
        inspect.fits(f"a long title in {width}×{height}")
        browser.open("/articles?tag=long")
        size = browser.words(".head small")
        browser.expect(size == "30 articles", f"the list has {size!r}")
    browser.look(*DESKTOP[:2], "light")
    for path in ["/articles", f"/articles?search={words}"]:
        browser.open(path)
        top = "return document.querySelector('.rows').getBoundingClientRect().top"
        before = browser.script(top)
        browser.go(browser.find(".row h2 a"))
        browser.expect(browser.script(top) == before, f"the rows of {path} move from {before} to {browser.script(top)}")
    browser.look(1280, 900, "light")


def selected(browser, inspect):
    """A list shows its section, its filter, and its order."""
    browser.log_in("rita")
    for width, height, is_phone in [DESKTOP, PHONE]:
        browser.look(width, height, "light", is_phone)
        browser.open("/articles?unread=yes&sort=oldest")
        seen = browser.script("""
            return ['.side nav [aria-current]', '.tabs [aria-current]', '.head details.menu summary'].map(name => {
                const element = document.querySelector(name);
                return element && element.checkVisibility() ? element.textContent.trim() : '';
            });
        """)
        browser.expect(seen[0].startswith("Unread") and seen[1] == "Unread" and "Oldest" in seen[2],
                       f"the list says that it is {seen} in {width}×{height}")
    browser.look(1280, 900, "light")


def panes(browser, inspect):
    """In a wide window, an article opens beside its list, also without a script, and keys work in each pane."""
    browser.site.seed("long.jsonl", articles())
    browser.log_in("rita")
    browser.look(1440, 900, "light")
    browser.open("/articles?tag=long")
    browser.script("window.__mark = 1")
    browser.press("jjj")
    title = browser.active.text
    browser.leaves(lambda: browser.press("o"))
    browser.expect(browser.words("h1") == title and browser.script("return window.__mark") == 1, "an article loads the whole page")
    browser.expect(browser.words("#list [aria-current] h2") == title, "the list has another current row")
    browser.press("j")
    browser.expect(browser.script("return document.activeElement.closest('#list') !== null"), "j does not move in the list")
    browser.press("w")
    top = browser.script("return scrollY")
    browser.press("j")
    browser.wait(lambda: browser.script("return scrollY") > top, "j does not scroll the text")
    browser.press("w")
    browser.press("j")
    browser.expect(browser.script("return document.activeElement.closest('.side') !== null"), "j does not move in the sidebar")
    browser.leaves(browser.driver.back)
    browser.expect(browser.path == "/articles?tag=long" and browser.all("main .row"), f"back leads to {browser.path}")
    browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open("/articles/long-4?in=%2Farticles%3Ftag%3Dlong")
    finally:
        browser.cdp("Emulation.setScriptExecutionDisabled", value=False)
    shown = [bool(browser.all(name)) and browser.find(name).is_displayed() for name in [".side nav", "#list .row", "main .text"]]
    browser.expect(all(shown), f"without a script, the panes are shown as {shown}")
    browser.look(390, 844, "light", True)
    shown = [browser.find(name).is_displayed() for name in ["#list", "main .text"]]
    browser.expect(shown == [False, True], f"a phone shows the list and the text as {shown}")
    browser.look(1280, 900, "light")
    browser.check("panes")


def above(browser, inspect):
    """On a phone, a button below the rows marks them as read, also without a script, and rows show no further action."""
    browser.site.seed("long.jsonl", articles())
    browser.log_in("ada")
    browser.look(*PHONE[:2], "light", True)
    for has_script, tag in [(False, "long"), (True, "filler")]:
        browser.cdp("Emulation.setScriptExecutionDisabled", value=not has_script)
        try:
            browser.open(f"/articles?tag={tag}")
            button = browser.find(".end button")
            browser.expect(button.is_displayed(), "the button below the rows is hidden")
            count = len(browser.all(".row.unread"))
            browser.script("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", button)
            button.click()
            browser.wait(lambda: not browser.all(".row.unread"), f"{count} rows stay unread")
            browser.expect(count > 20 and not browser.all(".end button"), "there is still something to mark")
        finally:
            browser.cdp("Emulation.setScriptExecutionDisabled", value=False)
    browser.look(1280, 900, "light")


STORIES = [dense, text_first, still, opened, matches, titled, selected, panes, above]

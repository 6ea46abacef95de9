"""Keys: those of every page, and those of the terminal's reader."""

from ..browser import Keys
from ..site import PASSWORD


def visible_focus(browser, where):
    """The focused element is marked and visible."""
    name, is_marked, is_there = browser.script("""
        const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
        return [e.textContent.trim().slice(0, 40) || e.name || e.id,
                e.matches(':focus-visible') && [style, getComputedStyle(e, '::after')].some(
                    ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2),
                box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth];
    """)
    browser.expect(is_marked, f"{where}: the focus is not seen on “{name}”")
    browser.expect(is_there, f"{where}: the focus is off the screen on “{name}”")
    return name


def tab_to(browser, name, where, modifier=None):
    """Presses Tab until the element with this name has the focus, and checks that the focus is visible each time."""
    for _ in range(40):
        browser.press(Keys.TAB, modifier=modifier)
        if visible_focus(browser, where) == name:
            return
    browser.missing(f"“{name}” that Tab reaches")


def keyboard_alone(browser, inspect):
    """With only a keyboard, a user logs in, opens an article, stars it, and logs out, and always sees the focus."""
    browser.open("/welcome")
    tab_to(browser, "Log in", "the welcome")
    browser.leaves(lambda: browser.press(Keys.ENTER))
    browser.expect(browser.active.get_property("name") == "username", "the log-in does not begin with the name")
    visible_focus(browser, "the log-in")
    browser.press("rita")
    browser.press(Keys.TAB)
    visible_focus(browser, "the log-in")
    browser.press(PASSWORD)
    tab_to(browser, "Log in", "the log-in")
    browser.leaves(lambda: browser.press(Keys.SPACE))
    tab_to(browser, "Skip to content", "the list")
    browser.press(Keys.ENTER)
    title = browser.words(".row h2")
    tab_to(browser, title, "the list")
    browser.leaves(lambda: browser.press(Keys.ENTER))
    browser.expect(browser.words("h1") == title, "Enter opens another article")
    tab_to(browser, "Star", "an article")
    browser.press(Keys.SPACE)
    browser.wait(lambda: "Starred 1 article." in browser.said, "a star says nothing")
    browser.expect(visible_focus(browser, "a star") == "Unstar", "the focus is elsewhere after a star")
    browser.press(Keys.ENTER)
    browser.wait(lambda: "Removed the star" in browser.said, "a star that is taken away says nothing")
    for answer, modifier in [("No", Keys.SHIFT), ("Yes", None)]:
        tab_to(browser, "Log out", "an article", modifier)
        browser.leaves(lambda: browser.press(Keys.ENTER))
        tab_to(browser, answer, "the question")
        browser.leaves(lambda: browser.press(Keys.ENTER))
        browser.expect((browser.words("h1") == title) == (answer == "No"), f"“{answer}” leads to {browser.path}")
    browser.says("Logged out.")
    browser.check("keys alone")


def current_row(browser):
    """The title of the current row for users of screen readers."""
    return browser.all_words(".row[aria-current=true] h2")


def of_a_list(browser, inspect):
    """j, k, Enter, * and l, R, U on a row, ] and q."""
    browser.log_in("rita")
    browser.open("/articles?tag=filler")
    browser.script("window.__mark = 1")
    browser.press("jj")
    first = browser.active.text
    browser.expect(current_row(browser) == [first], f"j is at {first!r}, and {current_row(browser)} is current")
    browser.press("*")
    browser.wait(lambda: "Starred 1 article." in browser.said, "* says nothing")
    browser.expect(current_row(browser) == [first], f"after a mark {current_row(browser)} is current")
    browser.press("l")
    browser.wait(lambda: "for later" in browser.said, "l says nothing")
    browser.press("R")
    browser.wait(lambda: "as read" in browser.said, "R says nothing")
    browser.press("U")
    browser.wait(lambda: "as unread" in browser.said, "U says nothing")
    browser.expect(browser.script("return window.__mark") == 1, "a mark loads the page anew")
    browser.expect(browser.script("return document.activeElement.closest('.row').querySelector('h2').innerText") == first,
                   "the focus is on another row after marks")
    browser.press("k")
    browser.expect(browser.active.text != first, "k does not go up")
    browser.press("j")
    browser.leaves(lambda: browser.press(Keys.ENTER))
    browser.expect(browser.words("h1") == first, "Enter opens another article")
    browser.leaves(lambda: browser.press("q"))
    browser.expect(browser.all(".row") and "tag=filler" in browser.path, f"q leads to {browser.path}")
    browser.wait(lambda: current_row(browser) == [first], f"back from {first!r}, {current_row(browser)} is current")
    browser.leaves(lambda: browser.press("]"))
    browser.expect(browser.all("article .text"), f"] leads to {browser.path}")
    for key in "JKJ":
        browser.leaves(lambda: browser.press(key))
    last = browser.words("h1")
    browser.leaves(lambda: browser.press("q"))
    browser.expect(browser.all(".row") and "tag=filler" in browser.path, f"q after turning over leads to {browser.path}")
    browser.wait(lambda: current_row(browser) == [last], f"back from {last!r}, {current_row(browser)} is current")
    browser.open("/articles?tag=filler")
    for key in "*v":
        browser.press(key)
        browser.wait(lambda: f"“{key}”" in browser.words(".toast"), f"{key} does nothing and does not say so")
    browser.press("d")
    browser.wait(lambda: "“d” does nothing here." in browser.words(".toast"), "d does nothing and does not say so")
    # Those of Miniflux.
    browser.press("n")
    title = browser.active.text
    browser.leaves(lambda: browser.press("o"))
    browser.expect(browser.words("h1") == title, "o opens another article")
    browser.leaves(lambda: browser.press("g", "b"))
    browser.expect(browser.path == "/articles?starred=yes", f"g b leads to {browser.path}")
    browser.check("keys of a list")


def keeps_its_place(browser, inspect):
    """A mark does not move rows, and the menu is in the same place on every page."""
    browser.log_in("rita")
    browser.open("/articles?tag=filler")
    top = "return document.querySelectorAll('.row')[3].getBoundingClientRect().top"
    before = browser.script(top)
    browser.all(".row [data-key=star]")[3].click()
    browser.wait(lambda: "Starred" in browser.said, "a star says nothing")
    browser.expect(browser.script(top) == before, f"a star moves a row from {before} to {browser.script(top)}")
    browser.all(".row [data-key=star]")[3].click()
    places = {}
    for path in ["/articles", "/library", "/account", "/account/sessions", "/articles/filler-7"]:
        browser.open(path)
        places[path] = browser.script("return document.querySelector('.brand').getBoundingClientRect().x")
    browser.expect(len(set(places.values())) == 1, f"the menu is at {places}")
    browser.check("what keeps its place")


def of_an_article(browser, inspect):
    """J, K, ], R, U, *, l, v, /, and q in a text."""
    browser.log_in("rita")
    browser.open("/articles/filler-30?in=%2Farticles%3Ftag%3Dfiller")
    title = browser.words("h1")
    browser.leaves(lambda: browser.press("J"))
    browser.expect(browser.words("h1") != title, "J does not go on")
    browser.leaves(lambda: browser.press("K"))
    browser.expect(browser.words("h1") == title, "K does not go back")
    for key, words in [("U", "as unread"), ("R", "as read"), ("*", "Starred"), ("*", "Removed the star"), ("l", "for later"),
                       ("l", "from the later list")]:
        browser.press(key)
        browser.wait(lambda: words in browser.said, f"{key} does not say “{words}”")
    browser.leaves(lambda: browser.press("]"))
    browser.expect(browser.words("h1") != title and "in=" in browser.path, "] does not go on in the list")
    browser.expect(browser.has("Mark as unread"), "] leads to what is not read then")
    browser.press("v")
    browser.wait(lambda: "“v”" in browser.words(".toast"), "v does nothing and does not say so")
    inspect.axe("what a key does not", inspect.colours)
    other = browser.new_tab("/articles/filler-7?in=%2Farticles%3Ftag%3Dfiller")
    browser.leaves(lambda: browser.press("q"))
    browser.expect(browser.path == "/articles?tag=filler", f"q where nothing has led to an article leads to {browser.path}")
    browser.driver.close()
    browser.to_tab(other)
    browser.open("/articles/home")
    browser.check("keys of an article")
    browser.press("v")
    browser.wait(lambda: browser.driver.current_url.startswith(browser.site.elsewhere.url), "v does not lead to the original")
    browser.driver.back()
    browser.wait(lambda: browser.all("article .text"), "back from the original does not lead back")
    browser.forget_requests()


def switched_off(browser, inspect):
    """? shows the keys, which can be turned off; they are then off on other pages and in fields."""
    browser.log_in("rita")
    browser.open("/articles/filler-3")
    title = browser.words("h1")
    browser.press("?")
    browser.expect(browser.all("dialog[open]"), "? does not show the keys")
    inspect("the keys")
    browser.button("Turn the keys off").click()
    browser.press(Keys.ESCAPE)
    browser.press("J")
    browser.expect(browser.words("h1") == title, "keys that are off still work")
    browser.open("/articles")
    browser.press("/")
    browser.expect(browser.active.get_property("name") != "search", "keys that are off work on another page")
    browser.button("Keys").click()
    browser.button("Turn the keys on").click()
    browser.button("Close").click()
    browser.press("/")
    browser.expect(browser.active.get_property("name") == "search", "/ does not lead to the search")
    browser.press("jJ?")
    browser.expect(browser.find("input[name=search]").get_property("value") == "jJ?", "keys do something in a field")
    browser.check("the keys")


STORIES = [keyboard_alone, of_a_list, keeps_its_place, of_an_article, switched_off]

"""Lists, searches, and the place in a text."""

from ..browser import Keys


def search(browser, inspect):
    """A search runs during typing, marks its matches, and shows its errors."""
    browser.log_in("rita")
    browser.open("/articles")
    browser.script("window.__mark = 1")
    browser.press("/")
    browser.press("coordin")
    browser.wait(lambda: "search=coordin*" in browser.path.replace("%2A", "*") and browser.all(".excerpt mark"),
                 "nothing is searched while one types")
    browser.expect(browser.script("return window.__mark") == 1, "a search loads the page anew")
    browser.expect(browser.active.get_property("value") == "coordin", "what was typed is lost")
    browser.leaves(lambda: browser.press(Keys.ENTER))
    browser.expect(browser.path.replace("%2A", "*").endswith("search=coordin*") and browser.all(".excerpt mark"),
                   f"Enter does not keep the results at {browser.path}")
    browser.open("/articles")
    browser.press("/")
    browser.press("cordinator")
    browser.leaves(lambda: browser.press(Keys.ENTER))
    browser.says("Did you mean “coordinator”?")
    browser.open("/articles?search=zzzzqqqq")
    browser.says("No article matches.")
    inspect("a search that finds nothing")
    browser.choose("Everything")
    browser.expect(browser.path == "/articles", f"everything is at {browser.path}")


def narrowed(browser, inspect):
    """Buttons filter lists and remove filters, and back undoes one step at a time."""
    browser.log_in("edda")
    browser.open("/articles?tag=filler")
    browser.button("Star").click()
    browser.wait(lambda: "Starred" in browser.said, "a star says nothing")
    starred = browser.words(".row h2")
    browser.choose("Starred")
    browser.says("starred")
    browser.expect(browser.all_words(".row h2") == [starred], "the starred are others")
    inspect("a list of the starred")
    browser.choose("By title")
    browser.leaves(browser.driver.back)
    browser.expect("starred" in browser.path and "sort" not in browser.path, f"back leads to {browser.path}")
    browser.leaves(browser.driver.back)
    browser.expect("starred" not in browser.path, f"back leads to {browser.path}")
    browser.leaves(browser.driver.refresh)
    browser.expect("tag=filler" in browser.path and browser.all(".row"), "reload shows something else")
    browser.choose("Later")
    browser.says("No article matches.")
    inspect("an empty list")


def long_list(browser, inspect):
    """A link leads to the end of a long list, and another back."""
    browser.log_in("rita")
    browser.open("/articles?tag=filler")
    top = browser.words(".row h2")
    browser.says("1–50 of 120")
    bottom = browser.all_words(".row h2")[-1]
    browser.choose("More")
    browser.expect(browser.has("Earlier") and browser.words(".row h2") not in (top, bottom), "more is the same")
    browser.choose("Last")
    browser.expect(not browser.has("More"), "there is more after the last")
    end = browser.all_words(".row h2")[-1]
    browser.choose("Earlier")
    browser.expect(len(browser.all(".row")) == 100 and browser.all_words(".row h2")[-1] == end, "what is earlier is not put before it")
    browser.choose("First")
    browser.expect(browser.words(".row h2") == top, "the first are others")
    browser.choose("Oldest first")
    browser.expect(browser.words(".row h2") == end, "the oldest is another than the last of the newest")


def library(browser, inspect):
    """The library page shows its lists with their numbers, and leads to each."""
    browser.log_in("rita")
    browser.open("/articles")
    browser.choose("Library")
    row = browser.driver.find_element("xpath", "//li[.//a[text()='filler']]").text
    browser.expect("120" in row, f"the library says “{row}”")
    browser.choose("Unread")
    browser.says("Unread")
    browser.open("/articles/filler-1")
    browser.go(browser.find("article .facts a[href*='author=']"))
    browser.says("Articles by ")
    browser.leaves(browser.driver.back)
    browser.expect(browser.all("article .text"), f"back leads to {browser.path}")


def all_read(browser, inspect):
    """A whole list is marked as read after a question, and opened articles are read as well."""
    browser.log_in("nora")
    browser.open("/articles?tag=filler")
    browser.agree("All read", inspect)
    browser.says("Marked 120 articles as read.")
    browser.button("Mark as unread").click()
    browser.wait(lambda: "Marked 1 article as unread." in browser.said, "U says nothing")
    browser.choose("Unread")
    browser.expect(len(browser.all(".row")) == 1, "more than one article is unread")
    browser.go(browser.find(".row h2 a"))
    browser.open("/articles?tag=filler&unread=yes")
    browser.says("No article matches.")


def place_in_a_text(browser, inspect):
    """The place in a text is restored the next time, and after a reload."""
    browser.log_in("rita")
    browser.open("/articles/home")
    browser.script("scrollTo({ top: document.body.scrollHeight / 2, behavior: 'instant' })")
    place = browser.script("return scrollY")
    browser.open("/articles")
    browser.open("/articles/home")
    browser.wait(lambda: abs(browser.script("return scrollY") - place) < 60, "the place in a text is lost")
    browser.leaves(browser.driver.refresh)
    browser.wait(lambda: abs(browser.script("return scrollY") - place) < 60, "the place in a text is lost in a reload")


def in_view(browser, words):
    return browser.script("""
        const walker = document.createTreeWalker(document.querySelector('.text'), NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            if (!walker.currentNode.data.includes(arguments[0])) continue;
            const range = document.createRange();
            range.selectNodeContents(walker.currentNode);
            const box = range.getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight;
        }
        return false;
    """, words)


def end_of_a_text(browser, inspect):
    """At the end of a text, the actions are in view: the user marks the article, stays there, and goes on."""
    browser.log_in("rita")
    browser.open("/articles/filler-30?in=%2Farticles%3Ftag%3Dfiller")
    title = browser.words("h1")
    browser.script("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    place = browser.script("return scrollY")
    for label, other in [("Star", "Unstar"), ("Unstar", "Star")]:
        button = browser.button(label, within="//main")
        browser.script("arguments[0].focus()", button)
        button.click()
        browser.wait(lambda: browser.script("return document.activeElement.textContent.trim()") == other,
                     f"the focus is not on {other} after {label}")
        browser.expect(browser.script("return scrollY") == place, f"{label} moves the text")
    browser.go(browser.button("Next article", within="//main"))
    browser.expect(browser.words("h1") != title and "in=" in browser.path, "the end of a text leads nowhere")
    browser.check("the end of a text")


def links(browser, inspect):
    """A link leads to its article or heading, a footnote to its text, and other links out of the library."""
    browser.log_in("rita")
    browser.open("/articles/home?in=%2Farticles%3Fsort%3Doldest")
    browser.choose("the other")
    browser.expect(browser.words("h1") == "Other", f"a link leads to {browser.path}")
    browser.leaves(browser.driver.back)
    browser.button("the end").click()
    browser.wait(lambda: in_view(browser, "Here it ends."), "a link does not lead to the heading that it names")
    browser.driver.back()
    browser.script("document.querySelector('sup a').scrollIntoView({ behavior: 'instant' })")
    browser.find("sup a").click()
    browser.wait(lambda: in_view(browser, "What there is to note."), "a footnote's number does not lead to it")
    browser.find(".footnote-back").click()
    browser.wait(lambda: in_view(browser, "A note"), "a footnote does not lead back")
    browser.choose("its part")
    browser.expect(browser.words("h1") == "Other", "a link to a part leads elsewhere")
    browser.wait(lambda: in_view(browser, "This is it."), "a link does not lead to the part that it names of another article")
    browser.check("links")
    browser.leaves(browser.driver.back)
    browser.button("the feed").click()
    browser.wait(lambda: browser.driver.current_url == browser.site.elsewhere.url + "/feed", "a link does not lead out")
    browser.driver.back()
    browser.wait(lambda: browser.all("article .text"), "back from elsewhere does not lead back")
    browser.forget_requests()


def changed_by_others(browser, inspect):
    """On return, a list shows the changes of others."""
    browser.log_in("rita")
    browser.open("/articles?sort=title&author=Zoe")
    browser.says("No article matches.")
    browser.site.seed("late.md", "---\ntitle: Late\nauthor: Zoe\n---\nIt came late.\n")
    browser.leaves(browser.driver.refresh)
    browser.expect(browser.all_words(".row h2") == ["Late"], "what came meanwhile is not there")


def rules(browser, inspect):
    """A reader makes a rule from a list, tries it, saves it, changes it, and removes it."""
    browser.log_in("rita")
    browser.open("/library")
    browser.choose("Rules")
    browser.says("You have no rules.")
    inspect("no rules")
    browser.open("/articles?search=coordinator")
    browser.choose("Make rule")
    browser.expect(browser.find("#field-words").get_attribute("value") == "coordinator", "the rule has no words")
    inspect("a new rule")
    browser.fill(name="Flow", pattern="(")
    browser.choose("Try")
    browser.says("missing closing parenthesis")
    browser.expect(browser.active.get_attribute("id") == "field-pattern", "the wrong field has no focus")
    inspect("a rule with an error")
    browser.fill(pattern="coordinator")
    browser.find("#field-star").click()
    browser.choose("Try")
    browser.says("The condition meets ")
    browser.expect(browser.find("#field-star").is_selected(), "the action is lost")
    inspect("a rule that was tried")
    browser.choose("Show the articles")
    inspect("the articles of a rule")
    browser.leaves(browser.driver.back)
    browser.send()
    browser.says("Saved the rule “Flow”.")
    inspect("rules")
    browser.choose("Flow")
    browser.expect(browser.find("#field-star").is_selected(), "the saved action is lost")
    browser.agree("Remove")
    browser.says("Removed the rule “Flow”.")


STORIES = [search, narrowed, long_list, library, all_read, place_in_a_text, end_of_a_text, links, changed_by_others,
           rules]

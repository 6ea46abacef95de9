"""Hostile text of others is shown and does nothing: no dialog, no CSP report, no console message, no request."""

import urllib.parse

from .. import hostile, tree
from ..inspection import ANY_HEADINGS

COUNT = max(len(hostile.WORDS), len(hostile.HTML) + len(hostile.MARKDOWN))

# Texts that reach for the page around them.
INSPECTED = [hostile.HTML.index(text) for text in hostile.HTML if text.startswith(("<p onclick", "<h1>"))]


def articles(browser, inspect):
    """Hostile articles, with pictures off and with pictures from everywhere."""
    browser.site.add_hostile_articles()
    browser.log_in("rita")
    home, pictures = browser.url, browser.site.serve(images="all")
    markup = len(hostile.HTML) + len(hostile.MARKDOWN)
    for images, count in [("off", COUNT), ("all", markup)]:
        if images == "all":
            browser.url, browser.pictures = pictures, browser.site.elsewhere.url
            # A picture that is not there is told in the console.
            browser.allow("ERR_NAME_NOT_RESOLVED", "404")
        for index in range(count):
            where = f"hostile-{index}, pictures {images}"
            browser.open(f"/articles/hostile-{index}")
            parts = browser.all_words(".text h2, .text h3")
            browser.expect("The beginning" in parts and "The end of it" in parts, f"{where}: the text is not whole: {parts}")
            browser.expect(browser.script("return document.querySelectorAll('main, h1').length") >= 2,
                           f"{where}: the page is not whole")
            browser.check(where)
            if index < markup:
                tree.check(browser, where)
            if images == "off" and index in INSPECTED:
                inspect(where, rules=ANY_HEADINGS)
    browser.expect(any(path.endswith("a.svg") for path in browser.site.elsewhere.asked), "no picture was ever shown")
    browser.url, browser.pictures = home, None


def lists(browser, inspect):
    """Hostile text in lists, in the library, in searches, and in addresses."""
    browser.site.add_hostile_articles()
    browser.log_in("rita")
    for path in ["/articles", "/library"]:
        browser.open(path)
        browser.check(path)
        while browser.has("More"):
            browser.choose("More")
            browser.check(browser.path)
    browser.allow("404", "403")
    for word in hostile.WORDS:
        for parameter in ["search", "tag"]:
            browser.open(f"/articles?{parameter}=" + urllib.parse.quote(word))
            browser.expect("Internal error" not in browser.text, f"a {parameter} for {word!r} fails")
            browser.check(f"{parameter}={word}")
    for path in ["/articles/<script>alert(1)<%2Fscript>", "/login?username=\"><script>alert(1)</script>", "/%00", "/articles/%FF",
                 "/articles?in=javascript:alert(1)", "/articles/filler-1?in=//example.invalid/", "//example.invalid/..%2f",
                 "/articles/filler-1/link?to=javascript:alert(1)", "/articles?going=" + "x" * 3000]:
        browser.allow("404", "403", "400")
        browser.open(path)
        browser.check(path)
        browser.expect(browser.driver.current_url.startswith(browser.url), f"{path} leads to {browser.driver.current_url}")


def ones_own(browser, inspect):
    """Hostile notes, tags, and names of tokens are shown as they were typed."""
    browser.log_in("rita")
    words = [word for word in hostile.WORDS if "\x00" not in word]
    note = "\n".join(words)
    browser.open("/articles/filler-50/note")
    field = browser.find("#field-note")
    browser.script("arguments[0].value = arguments[1]", field, note)
    browser.go(browser.button("Save"))
    browser.says("Saved the note.")
    browser.check("a hostile note")
    browser.open("/articles/filler-50/note")
    kept = browser.find("#field-note").get_property("value")
    browser.expect(kept == note, f"a note comes back as another: {first_difference(kept, note)}")
    browser.check("a hostile note in a form")
    tags = [word for word in words if "," not in word and len(word) <= 40 and word.isprintable()][:40]
    browser.open("/articles/filler-50/tags")
    field = browser.find("#field-tags")
    browser.script("arguments[0].value = arguments[1]", field, ", ".join(tags))
    browser.go(browser.button("Save"))
    browser.says("Saved your tags.")
    browser.check("hostile tags")
    for path in ["/articles/filler-50", "/articles/filler-50/tags", "/library", "/library?article=filler-50", "/articles?noted=yes"]:
        browser.open(path)
        browser.check(f"{path} with hostile tags")
    browser.open("/articles/filler-50")
    links = browser.script("return [...document.querySelectorAll('dl.facts a')].map(a => a.href)")
    for link in [link for link in links if "mine" in link or "my" in link][:40:4]:
        browser.driver.get(link)
        browser.expect(browser.all(".row"), f"the list of a tag of one's own is empty: {link}")
        browser.check(link)
    for word in words[:6]:
        browser.open("/account/tokens/new")
        browser.send(name=word[:40])
        browser.check(f"a token that is called {word}")
    browser.open("/account/tokens")
    browser.check("tokens with hostile names")
    browser.button("Revoke the token").click()
    browser.wait(lambda: browser.all("form.question"), "a token with a hostile name is revoked without a question")
    browser.check("a question about a hostile name")


def first_difference(one, other):
    place = next((index for index, pair in enumerate(zip(one, other)) if pair[0] != pair[1]), min(len(one), len(other)))
    return f"{one[place - 5:place + 20]!r}, not {other[place - 5:place + 20]!r}"


STORIES = [articles, lists, ones_own]

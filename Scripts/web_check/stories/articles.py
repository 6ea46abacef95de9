"""Actions on an article: the user's own tags and notes, and the work of editors."""


def tags_and_notes(browser, inspect):
    """Tags and a note are saved, shown, searched, and removed, and refused over the limit."""
    browser.log_in("rita")
    browser.open("/articles/filler-40?in=%2Farticles%3Ftag%3Dfiller")
    browser.choose("My tags")
    inspect("one's own tags")
    browser.send(tags="x" * 300)
    browser.expect(browser.all(".notice.error"), "a tag that is too long is not refused")
    inspect("tags that are wrong")
    browser.send(tags="to read, swift")
    browser.says("Saved your tags.")
    browser.expect("in=" in browser.path, "the list is lost behind the tags")
    browser.choose("Note")
    browser.send(note="First line\nSecond line")
    browser.says("Saved the note.")
    browser.expect("First line\nSecond line" in browser.text, "the lines of a note are not seen")
    inspect("an article with tags and a note")
    browser.choose("to read")
    browser.expect(browser.all_words(".row h2") == ["Filler 40"], "the list of a tag holds something else")
    browser.expect(browser.all(".signs[aria-label*='with a note']"), "a note is not seen in a list")
    browser.open("/articles/filler-40/note")
    browser.send(note="")
    browser.says("Removed the note.")


def editing(browser, inspect):
    """An editor writes an article, sees its errors, changes it, and deletes it."""
    browser.log_in("edda")
    browser.open("/articles")
    browser.choose("Write")
    inspect("writing")
    browser.send(title="Fresh: a title", date="not a day", text="Text.")
    browser.expect(browser.all(".notice.error"), "what is wrong with an article is not told")
    for name, value in [("title", "Fresh: a title"), ("date", "not a day"), ("text", "Text.")]:
        browser.expect(browser.find(f"#field-{name}").get_property("value") == value, f"the {name} that was written is lost")
    inspect("an article that is wrong")
    browser.send(title="Fresh ✓ 👩‍👩‍👧", authors="Edda", tags="new", date="", text="Text with *stress*.\n")
    browser.says("Added “Fresh ✓ 👩‍👩‍👧”.")
    browser.expect(browser.words(".text em") == "stress", "the text is another")
    browser.choose("Edit")
    inspect("editing")
    text = browser.find("#field-text").get_property("value")
    browser.send(text=text.replace("Text with", "Words with"))
    browser.says("Changed “Fresh ✓ 👩‍👩‍👧”.")
    browser.expect("Words with" in browser.words(".text"), "the change is not seen")
    browser.agree("Delete", inspect)
    browser.says("Deleted “Fresh")
    browser.expect(browser.path.startswith("/articles"), f"who has deleted an article is at {browser.path}")
    browser.check("editing")


STORIES = [tags_and_notes, editing]

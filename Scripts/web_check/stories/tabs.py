"""Several tabs of one browser."""

from ..site import PASSWORD


def star(browser, row=0):
    browser.all(".row [data-key=star]")[row].click()


def same_row(browser, inspect):
    """A change of a row in another tab is shown, and not undone accidentally."""
    browser.log_in("rita")
    browser.open("/articles?tag=filler&sort=title")
    one = browser.new_tab(browser.path)
    star(browser)
    browser.wait(lambda: "Starred" in browser.said, "a star says nothing")
    browser.check("the other tab")
    browser.to_tab(one)
    star(browser)
    browser.wait(lambda: "Nothing changed" in browser.said, "what was done in another tab is not told")
    browser.expect(browser.words(".row [data-key=star]") == "Unstar", "the row is not as another tab has made it")
    star(browser)
    browser.wait(lambda: "Removed the star" in browser.said, "the row that is shown then cannot be used")
    browser.check("two tabs")


def elsewhere(browser, inspect):
    """The page of another tab does not change this one."""
    browser.log_in("rita")
    browser.open("/articles?tag=filler")
    one = browser.new_tab("/articles/filler-7")
    browser.button("Later").click()
    browser.wait(lambda: "for later" in browser.said, "later says nothing")
    browser.to_tab(one)
    browser.leaves(browser.driver.refresh)
    browser.expect("tag=filler" in browser.path and browser.all(".row"), "another tab has moved this one")


def renamed(browser, inspect):
    """After a rename in another tab, this one continues with the new name."""
    browser.log_in("nora")
    browser.open("/articles?tag=filler&sort=title")
    one = browser.new_tab("/account/name")
    browser.send(username="nora-two")
    browser.to_tab(one)
    star(browser, 1)
    browser.wait(lambda: "Starred" in browser.said, "a star after a new name says nothing")
    browser.expect("nora-two" in browser.words("header.side"), "the old name is on the page")
    browser.check("a new name in another tab")


def logged_out_and_in(browser, inspect):
    """A form from before a log-out in another tab does nothing, says so, and works after a reload."""
    browser.log_in("rita")
    browser.open("/articles?tag=filler&sort=title")
    one = browser.new_tab("/account")
    browser.log_out()
    browser.log_in("rita")
    browser.to_tab(one)
    star(browser, 2)
    browser.wait(lambda: "Nothing was changed" in browser.said, "a form from before the log-out says nothing")
    browser.expect(browser.all_words(".row [data-key=star]")[2] == "Star", "a form from before the log-out has done something")
    star(browser, 2)
    browser.wait(lambda: "Starred" in browser.said, "the page does not work after it was loaded anew")


def one_sign_up(browser, inspect):
    """With two tabs in one sign-up, the tab that is behind is led to the current step, and nothing is made twice."""
    browser.open("/signup/region")
    browser.send(region="SE")
    one = browser.new_tab(browser.path)
    browser.send(username="tove")
    browser.expect(browser.path.startswith("/signup/password"), f"a name leads to {browser.path}")
    two = browser.driver.current_window_handle
    browser.to_tab(one)
    browser.send(username="tuva")
    browser.expect(browser.path.startswith("/signup/password"), f"the tab that is behind is led to {browser.path}")
    browser.to_tab(two)
    browser.send(password=PASSWORD, confirmation=PASSWORD)
    browser.says("Registered tove.")
    browser.to_tab(one)
    browser.allow("403")
    browser.send(password=PASSWORD, confirmation=PASSWORD)
    browser.expect(browser.all("h1") and "Internal error" not in browser.text,
                   "a sign-up that is over cannot be gone on with")
    browser.check("two tabs in one sign-up")


def two_sign_ups(browser, inspect):
    """Two sign-ups in two tabs are independent, until one of them ends logged in."""
    browser.open("/signup/region")
    browser.send(region="SE")
    browser.send(username="una")
    one = browser.new_tab("/signup/region")
    browser.send(region="FI")
    browser.send(username="ute")
    browser.to_tab(one)
    browser.send(password=PASSWORD, confirmation=PASSWORD)
    browser.says("Registered una.")


STORIES = [same_row, elsewhere, renamed, logged_out_and_in, one_sign_up, two_sign_ups]

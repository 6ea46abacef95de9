"""Logging in and out."""

from ..browser import Keys
from ..site import PASSWORD, one_time_code


def sign_up(browser, inspect):
    """A sign-up goes back and forth, shows its errors, and loses no input."""
    browser.open("/welcome")
    inspect("the welcome")
    browser.choose("Register")
    inspect("sign-up, the account")
    browser.choose("Back")
    browser.expect(browser.path.startswith(("/login", "/welcome")), f"back from the first step leads to {browser.path}")
    browser.open("/register")
    browser.send(username="r", password=PASSWORD, confirmation=PASSWORD)
    browser.says("at least 2 characters")
    inspect("sign-up, a name that is too short")
    browser.send(username="rita", password=PASSWORD, confirmation=PASSWORD)
    browser.says("taken")
    browser.send(username="admin", password=PASSWORD, confirmation=PASSWORD)
    browser.says("reserved")
    browser.send(username="eve", password="qwertyuiopasdfgh", confirmation="qwertyuiopasdfgh")
    browser.says("easy to guess")
    browser.expect(browser.find("#field-password").get_property("value") == "", "a password is sent back")
    inspect("sign-up, a password that is too weak")
    browser.send(password=PASSWORD, confirmation="another one")
    browser.says("do not match")
    browser.send(password=PASSWORD, confirmation=PASSWORD)
    inspect("sign-up, the region")
    browser.choose("Back")
    browser.expect(browser.find("#field-username").get_property("value") == "eve", "the name is lost on the way back")
    browser.choose("Back")
    browser.says("Leave the registration?")
    inspect("the question before a sign-up is left")
    browser.choose("Continue registering")
    browser.send(username="eve", password=PASSWORD, confirmation=PASSWORD)
    browser.send(region="SE")
    browser.says("Registered eve.")
    browser.expect(browser.path == "/articles?unread=yes", f"a sign-up leads to {browser.path}")
    browser.log_out()
    browser.open("/signup/region")
    browser.send(region="NO")
    inspect("sign-up that begins with the region, the name")
    browser.send(username="eva")
    inspect("sign-up that begins with the region, the password")
    browser.choose("Back")
    browser.choose("Back")
    browser.expect(browser.find("#field-region").get_property("value") == "NO", "the region is lost on the way back")
    browser.check("sign-up")


def wrong_password(browser, inspect):
    """A wrong password and an unknown name show a message, and the name stays."""
    browser.open("/login")
    browser.send(username="rita", password="wrong")
    browser.says("Wrong")
    browser.expect(browser.find("#field-username").get_property("value") == "rita", "the name is lost with a wrong password")
    inspect("a log-in that was wrong")
    browser.leaves(browser.driver.refresh)
    browser.expect("Wrong" not in browser.text, "a log-in that was wrong is sent again by who loads the page again")


def second_factor(browser, inspect):
    """A second factor is set up, requested, and replaced by a recovery code, after the password if the log-in is old."""
    browser.site.register("theo")
    browser.log_in("theo")
    browser.open("/account/second-factor")
    inspect("no second factor")
    browser.choose("Set up")
    inspect("a second factor's secret")
    secret = browser.words(".handover code")
    browser.send(code="000000")
    browser.says("wrong")
    browser.expect(browser.words(".handover code") == secret, "another secret is shown after a wrong code")
    browser.send(code=one_time_code(secret))
    inspect("recovery codes")
    codes = browser.all_words("dl.facts dd")
    browser.expect(len(codes) >= 8, f"there are {len(codes)} recovery codes")
    browser.open("/account/second-factor")
    inspect("a second factor that is on")
    browser.log_out()
    browser.open("/articles/filler-3")
    browser.log_in("theo")
    browser.says("authenticator")
    inspect("the second factor's code")
    browser.send(code="000000")
    browser.says("wrong")
    inspect("a code that was wrong")
    browser.send(code=one_time_code(secret, 1))
    browser.expect(browser.path == "/articles/filler-3", f"log-in and code lead to {browser.path}")
    browser.log_out()
    browser.log_in("theo")
    browser.send(code=codes[0])
    browser.expect(browser.path == "/articles?unread=yes", f"a recovery code leads to {browser.path}")
    browser.site.make_sessions_old()
    browser.open("/account/second-factor")
    browser.agree("New recovery codes")
    browser.says("enter your password again")
    inspect("the password once more")
    browser.confirm()
    browser.says("Recovery codes")
    browser.open("/account/second-factor")
    browser.agree("Turn off")
    browser.says("Turned off")
    browser.check("second factor")


def deep_link(browser, inspect):
    """A link to an article goes through the log-in to the article, above its list; a link to a missing article shows a message."""
    browser.open("/articles/filler-3?in=%2Farticles%3Ftag%3Dfiller")
    browser.expect(browser.all("#field-password"), "a shared link asks for no log-in")
    inspect("the log-in before a shared link", name="/login")
    browser.log_in("rita")
    browser.expect(browser.path.startswith("/articles/filler-3?in="), f"a shared link leads to {browser.path}")
    browser.expect(browser.words("h1") == "Filler 3", "a shared link shows another article")
    browser.choose("Next article")
    browser.expect("in=" in browser.path and "Filler" in browser.words("h1"), "the list is lost behind a shared link")
    browser.begin()
    browser.allow("404", "403")
    browser.open("/articles/nothing-of-this-name")
    browser.log_in("rita")
    browser.says("no article")
    inspect("an article that is not there")
    browser.open("/nothing")
    inspect("no page", name="none")


def ended_session_in_a_form(browser, inspect):
    """The input is kept if the session ends in the meantime."""
    browser.log_in("rita")
    browser.open("/account/name")
    browser.fill(username="rita-the-second")
    browser.site.end_sessions(browser.url, "rita")
    browser.allow("403")
    browser.send()
    browser.expect(browser.all("#field-password"), "an ended session asks for no log-in")
    inspect("the log-in that keeps a form", name="/login")
    browser.log_in("rita")
    value = browser.find("#field-username").get_property("value")
    browser.expect(value == "rita-the-second", f"what was typed is lost in a log-in: {value} at {browser.path}")


def ended_session_at_a_star(browser, inspect):
    """A star after the end of the session asks for the log-in at the same place, which leads back."""
    browser.log_in("rita")
    browser.open("/articles?tag=filler")
    browser.script("window.__mark = 1")
    browser.site.end_sessions(browser.url, "rita")
    browser.allow("403")
    browser.button("Star").click()
    browser.wait(lambda: browser.all("#field-password"), "a star after the session has ended asks for no log-in")
    browser.expect(browser.script("return window.__mark") == 1, "the page is loaded anew")
    browser.expect("Log in" in browser.said, f"an ended session is not heard: {browser.said!r}")
    browser.expect(browser.script("return document.getElementById('main').contains(document.activeElement)"),
                   "the focus is nowhere after the session has ended")
    inspect("the log-in in the place of a list", name="/login")
    browser.log_in("rita")
    browser.expect("tag=filler" in browser.path and browser.all(".row"), f"the log-in leads to {browser.path}")


def back_after_log_out(browser, inspect):
    """After a log-out, back shows nothing."""
    browser.log_in("rita")
    browser.open("/articles/filler-9")
    browser.log_out()
    browser.says("Logged out.")
    browser.leaves(browser.driver.back)
    browser.expect(not browser.all(".text"), "back after a log-out shows the article")
    browser.expect(browser.all("#field-password"), "back after a log-out asks for no log-in")


def without_javascript(browser, inspect):
    """Logging in, a wrong password, searching, and starring work without JavaScript."""
    browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
    try:
        def go(element):
            old = browser.find("html")
            element.click()
            browser.wait(lambda: browser.all("html") not in ([], [old]), "no other page came")

        browser.open("/login")
        for password in ["wrong", PASSWORD]:
            browser.fill(username="rita", password=password)
            go(browser.find("button.strong"))
        browser.find("input[name=search]").send_keys("coordinator", Keys.ENTER)
        browser.wait(lambda: browser.all("mark"), "nothing is found without JavaScript")
        go(browser.button("Star"))
        browser.expect("Starred 1 article." in browser.words(".notice"), "a star without JavaScript says nothing")
        go(browser.button("Unstar"))
        go(browser.button("All read"))
        go(browser.button("No"))
    finally:
        browser.cdp("Emulation.setScriptExecutionDisabled", value=False)


STORIES = [sign_up, wrong_password, second_factor, deep_link, ended_session_in_a_form, ended_session_at_a_star,
           back_after_log_out, without_javascript]

"""The work of operators, and the users who may not do it."""

from ..site import PASSWORD


def care(browser, inspect):
    """An operator gives a user another role and the old one again, and makes a code with which the user sets a new password."""
    browser.log_in("olga")
    browser.open("/users")
    browser.choose("rita")
    inspect("a user")
    for role in ["an editor", "a reader"]:
        browser.agree(f"Make {role}", inspect if role == "an editor" else None)
        browser.says(f"rita is now {role}.")
    browser.agree("Create a reset code")
    browser.says("Reset code for rita")
    inspect("a code")
    code = browser.words("dl.facts dd")
    browser.log_out()
    browser.open("/login")
    browser.choose("Forgot password")
    inspect("a forgotten password")
    browser.send(code="AAAA-BBBB", newPassword=PASSWORD + " new", confirmation=PASSWORD + " new")
    browser.expect(browser.all(".notice.error"), "a wrong code is not refused")
    inspect("a reset that was wrong")
    browser.send(code=code, newPassword=PASSWORD, confirmation=PASSWORD)
    browser.log_in("rita")
    browser.expect(browser.path == "/articles?unread=yes", "the new password does not log in")



def feeds(browser, inspect):
    """An editor subscribes to one of the feeds of a page, changes the source, fetches it, and unsubscribes."""
    browser.log_in("edda")
    browser.open("/sources/subscribe")
    inspect("a subscription")
    browser.send(address=browser.site.elsewhere.url + "/feeds")
    inspect("a choice of feeds")
    browser.choose("Subscribe")
    browser.says("Subscribed to “News”")
    browser.open("/sources")
    inspect("sources with fetches")
    browser.choose("News")
    inspect("a source")
    browser.choose("Change")
    inspect("a change of a source")
    browser.send(name="Daily news", tags="Papers")
    browser.says("Changed “Daily news”.")
    browser.button("Fetch now").click()
    browser.says("There are no new articles in “Daily news”.")
    browser.agree("Unsubscribe")
    browser.expect(browser.has("Subscribe again"), "the source cannot be subscribed again")


def registration(browser, inspect):
    """With registration by invitation, nobody without an invitation makes an account."""
    browser.log_in("olga")
    browser.open("/users/registration")
    browser.send(registration="invitation")
    browser.open("/users")
    browser.choose("Invite a user")
    inspect("an invitation")
    code = browser.words("dl.facts dd")
    browser.log_out()
    browser.open("/signup")
    inspect("sign-up with an invitation")
    browser.send(username="ines", code="wrong", password=PASSWORD, confirmation=PASSWORD)
    browser.allow("403")
    browser.send(region="SE")
    browser.expect(browser.all(".notice.error"), "a wrong invitation is not refused")
    browser.send(code=code, password=PASSWORD, confirmation=PASSWORD)
    browser.send(region="SE")
    browser.says("Registered ines.")
    browser.log_out()
    browser.log_in("olga")
    browser.open("/users/registration")
    browser.send(registration="closed")
    browser.log_out()
    browser.open("/welcome")
    browser.expect(not browser.has("Register"), "a sign-up is offered that is closed")
    browser.allow("403")
    browser.open("/signup")
    browser.expect(not browser.all("#field-confirmation"), "a sign-up that is closed begins")
    browser.log_in("olga")
    browser.open("/users/registration")
    browser.send(registration="open")


def refusals(browser, inspect):
    """A reader and an editor get a message at the places that only others may use, and no links to them."""
    browser.allow("403")
    browser.log_in("rita")
    for path in ["/users", "/users/1", "/audit", "/write", "/articles/filler-1/edit"]:
        browser.open(path)
        browser.expect(browser.all(".notice.error"), f"a reader is not told that {path} is not for them")
        browser.expect(not browser.all("form.fields"), f"a reader is shown {path}")
    inspect("a refusal", name="none")
    browser.open("/articles/filler-1")
    browser.expect(not browser.has("Edit"), "a reader is offered to edit")
    browser.begin("edda")
    browser.allow("403")
    browser.open("/users")
    browser.expect(browser.all(".notice.error"), "an editor is not told that users are not for them")
    browser.open("/import")
    browser.expect("Internal" not in browser.text and browser.all("h1"), "the import, which the web has not, shows nothing")


STORIES = [care, feeds, registration, refusals]

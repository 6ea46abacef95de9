"""The user's account."""

import urllib.request

from ..site import PASSWORD


def tokens(browser, inspect):
    """A token is made, shown once, and revoked after a question, or after the password if the log-in is old."""
    browser.log_in("rita")
    browser.open("/account/tokens")
    browser.says("There are no tokens.")
    inspect("no tokens")
    browser.choose("New token")
    inspect("a new token")
    browser.send(name="telephone", days="100000")
    browser.expect(browser.find("#field-name").get_property("value") == "telephone", "the name of a token is lost")
    inspect("a token that would last too long")
    browser.allow("403")
    browser.site.make_sessions_old()
    browser.send(name="telephone", days="30")
    browser.says("enter your password again")
    browser.allow("403")
    browser.send(password="wrong")
    browser.says("rong password")
    inspect("the password once more, wrong")
    browser.confirm()
    inspect("a made token")
    secret = browser.words("dl.facts dd")
    browser.expect(browser.copied("Copy the token") == secret, "another token is copied")
    session = browser.site.ask(browser.url, "GET", "/session", secret)
    browser.expect("rita" in str(session), "the token that is shown is worth nothing")
    browser.open("/account/tokens")
    browser.expect(secret not in browser.text and "telephone" in browser.text, "the list of tokens is another")
    inspect("tokens")
    browser.agree("Revoke the token", inspect)
    browser.says("There are no tokens.")


def feed_address(browser, inspect):
    """An address of feeds is made, shown once, and removed."""
    browser.log_in("rita")
    browser.open("/account/feed")
    inspect("no address of feeds")
    browser.choose("Create an address")
    inspect("a made address of feeds")
    address = browser.copied("Copy the address of Atom")
    browser.expect(address == browser.url + browser.words("dl.facts dd"), f"{address} is copied")
    with urllib.request.urlopen(address) as answer:
        browser.expect(b"<feed" in answer.read(2_000), "there is no feed at the address that is shown")
    browser.choose("Done")
    browser.agree("Replace the address")
    browser.open("/account/feed")
    inspect("an address of feeds")
    browser.agree("Remove the address")
    browser.says("Removed the address.")


def changes(browser, inspect):
    """Name, region, and password are changed, and a session elsewhere is ended."""
    browser.log_in("ada")
    browser.open("/account/sessions")
    inspect("sessions")
    browser.open("/account/region")
    browser.send(region="FI")
    browser.says("Finland")
    browser.open("/account/name")
    browser.send(username="adele")
    browser.expect(browser.words("header.side").find("adele") >= 0, "the new name is not on the page")
    browser.open("/account/password")
    browser.send(password=PASSWORD, newPassword="12345678", confirmation="12345678")
    browser.expect(browser.all(".notice.error"), "a weak password is not refused")
    inspect("a new password that is too weak")
    browser.send(password=PASSWORD, newPassword=PASSWORD + " more", confirmation=PASSWORD + " more")
    browser.says("Changed the password.")
    browser.log_out()
    browser.log_in("adele", PASSWORD + " more")
    browser.expect(browser.path == "/articles?unread=yes", "the new password does not log in")


def log_out_everywhere(browser, inspect):
    """Every session is ended at once, also those of other browsers."""
    browser.log_in("rita")
    browser.open("/account")
    browser.agree("Log out everywhere")
    browser.says("Log")
    browser.expect(not browser.has("Log out"), "somebody is still logged in")


def deletion(browser, inspect):
    """An account is deleted with its password."""
    browser.site.register("dora")
    browser.log_in("dora")
    browser.open("/account/delete")
    browser.send(password="wrong")
    browser.says("rong password")
    inspect("an account that is not deleted")
    browser.send(password=PASSWORD)
    browser.expect(not browser.has("Log out"), "who has deleted the account is still there")
    browser.log_in("dora")
    browser.says("Wrong")


STORIES = [tokens, feed_address, changes, log_out_everywhere, deletion]

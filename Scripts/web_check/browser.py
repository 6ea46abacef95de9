"""Chromium, as a user operates it, and the conditions for every page at any time."""

import json

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from .site import PASSWORD, one_time_code

# CSP reports, dialogs, and errors of a page are recorded until they are checked. Beacons at the end of a page are
# ignored.
WATCH = """
    window.__broken = [];
    document.addEventListener('securitypolicyviolation', e => window.__broken.push(e.violatedDirective + ' ' + e.blockedURI));
    addEventListener('error', e => { if (e.message) window.__broken.push(e.message); });
    addEventListener('unhandledrejection', e => window.__broken.push(String(e.reason)));
    for (const name of ['alert', 'confirm', 'prompt']) window[name] = () => window.__broken.push(name);
"""


class Browser:
    def __init__(self, site, url, failures):
        options = webdriver.ChromeOptions()
        for flag in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,900",
                     "--disable-background-networking", "--disable-component-update", "--no-first-run", "--lang=en",
                     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]:
            options.add_argument(flag)
        options.add_experimental_option("prefs", {"credentials_enable_service": False,
                                                  "profile.password_manager_leak_detection": False})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")
        options.binary_location = "/usr/bin/chromium"
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        self.driver.set_page_load_timeout(60)
        self.site, self.url, self.failures = site, url, failures
        # Console messages that a story expects, such as “403” for an expected response.
        self.expected_log = set()
        self.turn = 0
        # An additional address from which pictures may be loaded.
        self.pictures = None
        self.watch()

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def watch(self):
        """Makes the tab record the problems on its pages."""
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.use_worker(False)

    def use_worker(self, uses):
        """Lets requests pass the worker of the site or not. Through a worker, Chromium reports the unpacked sizes of files."""
        self.cdp("Network.enable")
        self.cdp("Network.setBypassServiceWorker", bypass=not uses)

    def script(self, source, *arguments):
        return self.driver.execute_script(source, *arguments)

    # MARK: - Looking

    @property
    def path(self):
        return self.driver.current_url[len(self.url):]

    @property
    def text(self):
        return self.script("return document.body.innerText")

    @property
    def active(self):
        return self.driver.switch_to.active_element

    @property
    def said(self):
        """The text for users of screen readers."""
        return self.script("return document.getElementById('said').textContent")

    def find(self, selector):
        found = self.all(selector)
        if found:
            return found[0]
        self.missing(selector)

    def words(self, selector):
        """The text of an element. It is read in one step, because a script may replace the element."""
        found = self.all_words(selector)
        if found:
            return found[0]
        self.missing(selector)

    def all_words(self, selector):
        return self.script("return Array.from(document.querySelectorAll(arguments[0]), each => each.innerText.trim())", selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def button(self, label, within=""):
        """A button or link, by its label: in the main part if it has one, in any pane otherwise. Opens the menu that contains it."""
        name = json.dumps(label)
        for part in [within] if within else ["//main", ""]:
            found = self.driver.find_elements(
                By.XPATH, f"{part}//*[(self::button or self::a) and (normalize-space()={name} or span[normalize-space()={name}])]")
            if found:
                self.script("const menu = arguments[0].closest('.menu'); if (menu) menu.open = true", found[0])
                return found[0]
        self.missing(f"“{label}”")

    def has(self, label):
        return bool(self.driver.find_elements(
            By.XPATH, f"//*[(self::button or self::a) and normalize-space()={json.dumps(label)}]"))

    def missing(self, what):
        self.failures.expect(False, f"there is no {what} at {self.path}: {self.text[:300]!r}")
        raise LookupError(what)

    def expect(self, holds, words):
        return self.failures.expect(holds, words)

    def says(self, words):
        """Expects that the page shows a text, now or soon."""
        self.wait(lambda: words in self.text, f"“{words}” is not said")

    def wait(self, condition, words):
        try:
            # The element may have disappeared with its page.
            WebDriverWait(self.driver, 20, poll_frequency=0.03, ignored_exceptions=[StaleElementReferenceException]).until(
                lambda _: condition())
        except TimeoutException:
            self.expect(False, f"{words} (at {self.path}: {self.text[:300]!r})")

    # MARK: - Doing

    def open(self, path):
        self.driver.get(self.url + path)

    def press(self, *keys, modifier=None):
        self.wait(lambda: self.script("return document.readyState") == "complete", "the page never came")
        actions = ActionChains(self.driver, duration=0)
        if modifier:
            actions.key_down(modifier).send_keys(*keys).key_up(modifier).perform()
        else:
            actions.send_keys(*keys).perform()

    def go(self, element):
        """Follows an element that leads to another page."""
        # The menu covers the top of the window.
        self.script("if (arguments[0].getBoundingClientRect().top < 80) arguments[0].scrollIntoView({ block: 'center' })", element)
        self.leaves(element.click)

    def leaves(self, act):
        """Does something that leads to another page, and waits for that page."""
        # A page may be restored as it was when the user goes back.
        self.turn += 1
        self.script("document.getElementById('main').__turn = arguments[0]", self.turn)
        act()
        # A script may show the other page in a pane of this one.
        self.wait(lambda: self.script("const main = document.getElementById('main');"
                                      "return main && main.__turn !== arguments[0] && document.readyState === 'complete'", self.turn),
                  "no other page came")

    def choose(self, label):
        self.go(self.button(label))

    def agree(self, label, inspect=None):
        """Presses a button that asks for confirmation, and confirms."""
        self.button(label).click()
        self.wait(lambda: self.all("form.question"), f"“{label}” does not ask")
        if inspect:
            inspect("a question")
        self.choose("Yes")

    def fill(self, **values):
        """Fills in fields. The driver cannot type characters beyond the first plane."""
        for name, value in values.items():
            field = self.find(f"#field-{name}")
            if field.tag_name == "select" or any(ord(character) > 0xFFFF for character in value):
                self.script("arguments[0].value = arguments[1]", field, value)
            else:
                field.clear()
                field.send_keys(value)

    def send(self, **values):
        """Fills in the form of the page and sends it."""
        self.fill(**values)
        self.go(self.find("form.fields .strong"))

    def copied(self, label):
        """The text that a button copies."""
        self.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"], origin=self.url)
        self.button(label).click()
        self.wait(lambda: self.said == "Copied.", f"“{label}” says nothing")
        return self.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0], e => arguments[0](String(e)))")

    def log_in(self, name, password=PASSWORD, secret=None, later=0):
        """Logs in on the present page if it has the form, or else at the list."""
        if not self.all("#field-username"):
            self.open("/articles")
        if not self.all("#field-username"):
            self.choose("Log in")
        self.send(username=name, password=password)
        if secret:
            self.send(code=one_time_code(secret, later))

    def log_out(self):
        self.agree("Log out")

    def confirm(self):
        """Enters the password again if the page asks for it."""
        if self.path.startswith("/account/confirm"):
            self.send(password=PASSWORD)

    def begin(self, name=None):
        """Starts fresh: a single tab, and nobody or the given user logged in."""
        for handle in self.driver.window_handles[1:]:
            self.driver.switch_to.window(handle)
            self.driver.close()
        self.driver.switch_to.window(self.driver.window_handles[0])
        self.cdp("Network.clearBrowserCookies")
        self.expected_log = set()
        self.look(1280, 900, "light")
        self.open("/login")
        self.script("localStorage.clear()")
        self.driver.get_log("browser")
        if name:
            self.log_in(name)

    def new_tab(self, path):
        """Opens a place in another tab and returns the present one."""
        before = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.watch()
        self.open(path)
        return before

    def to_tab(self, handle):
        self.driver.switch_to.window(handle)

    def look(self, width, height, scheme, is_phone=False):
        # A page handles scrolls in its next frame, after a change of the window: let it handle the last one first.
        self.driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)
        self.cdp("Emulation.setEmulatedMedia", media="", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    # MARK: - What must hold

    def check(self, where):
        """The conditions that every page must always meet."""
        broken = self.script("return (window.__broken || []).splice(0)")
        self.expect(not broken, f"{where}: {broken}")
        for entry in self.driver.get_log("browser"):
            # Messages for information are not errors, such as that the cache was cleared at a log-in.
            if entry["level"] not in ("SEVERE", "WARNING") or any(words in entry["message"] for words in self.expected_log):
                continue
            self.expect(False, f"{where}: the console says {entry['message']}")
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            url, kind = message["params"]["request"]["url"], message["params"].get("type")
            may = url.startswith((self.url, "data:", "blob:", "chrome")) or (
                kind == "Image" and self.pictures and url.startswith(self.pictures))
            self.expect(may, f"{where}: asks for {url}")

    def allow(self, *words):
        """Allows the console to report expected responses in this story."""
        self.expected_log |= set(words)

    def forget_requests(self):
        """Ignores requests to other sites that the story expects."""
        self.driver.get_log("performance")


__all__ = ["Browser", "Keys"]

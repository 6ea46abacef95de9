"""The pages as an app: articles without the server."""

# All stored copies: a list of the paths and the texts.
COPIES = """
    const done = arguments[0];
    (async () => {
        const found = [];
        for (const name of await caches.keys()) {
            if (!name.startsWith('copies ')) continue;
            const cache = await caches.open(name);
            for (const request of await cache.keys())
                found.push([new URL(request.url).pathname, await (await cache.match(request)).text()]);
        }
        return found;
    })().then(done, error => done(String(error)));
"""


def copies(browser):
    return browser.driver.execute_async_script(COPIES)


def read(browser, *names):
    """Opens articles, and waits until their copies are stored, the latest last."""
    for name in names:
        browser.open(f"/articles/{name}?in=%2Farticles%3Flimit%3D9")
        browser.wait(lambda: [path for path, _ in copies(browser)][-1:] == [f"/articles/{name}"], f"{name} is not stored")


def ready(browser):
    browser.driver.execute_async_script("navigator.serviceWorker.ready.then(() => arguments[0]())")
    browser.wait(lambda: browser.script("return !!navigator.serviceWorker.controller"), "the worker does not control the page")


def offline(browser, inspect):
    """Articles can be read while the server is down, by the signed-in user only, until the log-out or the end of the session."""
    browser.check("the start")
    main, site = browser.url, browser.site
    browser.url = site.serve()
    process = site.processes[-1]
    try:
        browser.use_worker(True)
        browser.open("/login")
        browser.log_in("rita")
        ready(browser)
        read(browser, "sessions", "the-coordinator", "sessions")
        stored = copies(browser)
        browser.expect([path for path, _ in stored] == ["/articles/the-coordinator", "/articles/sessions"], f"stored {stored}")
        browser.expect(not any("<form" in text for _, text in stored), "a copy has a form")
        browser.open("/articles?search=sessions")
        browser.expect(len(copies(browser)) == 2, "a list is stored")
        browser.open("/articles/sessions")
        browser.expect(browser.has("Mark as unread"), "an article that was opened through the worker is unread")
        for index in range(51):
            browser.open(f"/articles/filler-{index}")
        browser.wait(lambda: [path for path, _ in copies(browser)] == [f"/articles/filler-{index}" for index in range(1, 51)],
                     "other articles are stored than the 50 opened last")
        browser.log_out()
        browser.wait(lambda: not copies(browser), "the copies stay after the log-out")

        browser.log_in("edda")
        read(browser, "the-coordinator")
        site.end_sessions(browser.url, "edda")
        browser.open("/articles/the-coordinator")
        browser.wait(lambda: not copies(browser), "the copies stay after the session has ended")
        browser.log_in("edda")
        read(browser, "sessions")
        browser.cdp("Network.clearBrowserCookies")
        browser.log_in("rita")
        browser.wait(lambda: not copies(browser), "the copies of another user stay")

        read(browser, "sessions", "the-coordinator")
        browser.check("before the server stops")
        browser.allow("net::ERR_", "Failed to load resource")
        process.terminate()
        process.wait()
        browser.open("/articles/sessions?in=%2Farticles")
        browser.says("You are offline.")
        browser.expect("token" in browser.text and not browser.all("form"), "the copy is not the article")
        browser.open("/library")
        browser.says("The server cannot be reached.")
        browser.expect(browser.all_words(".rows a") == ["The coordinator, and the problem it solves", "What a session token is made of"],
                       f"the page offers {browser.text}")
        inspect.axe("/offline")
        browser.find(".rows a").click()
        browser.says("You are offline.")
        browser.check("without the server")
    finally:
        browser.use_worker(False)
        browser.url = main


STORIES = [offline]

"""The chosen look of pages, and their look on paper."""

CHOICES = ["dark", "light", "contrast", "default"]

# Words that a person sees on paper and that are not dark, by the contrast of WCAG with white.
PALE = """
    const luminance = colour => {
        const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255).map(
            v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    const clear = colour => /, 0\\)$/.test(colour);
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const e = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !e.checkVisibility()) continue;
        let ground = 'rgb(255, 255, 255)';
        for (let at = e; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (!clear(colour)) { ground = colour; break; }
        }
        const [ink, paper] = [luminance(getComputedStyle(e).color), luminance(ground)];
        if (paper < .7 || (paper + .05) / (ink + .05) < 4.5)
            found.push(`${e.className || e.localName} “${walker.currentNode.data.trim().slice(0, 20)}”: `
                       + `${getComputedStyle(e).color} on ${ground}`);
    }
    return [...new Set(found)];
"""


def chosen(browser, inspect):
    """Each theme is chosen once, stored, and as legible as the others, whatever the system's setting."""
    browser.log_in("rita")
    for choice in CHOICES:
        browser.open("/appearance")
        if choice == "dark":
            inspect("appearances")
        row = f"//tr[th[normalize-space()='{choice}']]"
        browser.button("Use the theme", within=row).click()
        browser.wait(lambda: browser.find("html").get_dom_attribute("data-appearance") == choice, f"{choice} is not taken over")
        if choice == "default":
            continue
        for path in ["/articles?search=coordinator", "/articles/the-coordinator", "/account/password"]:
            browser.open(path)
            for scheme in ["light", "dark"]:
                browser.look(1280, 900, scheme)
                inspect.axe(f"{path} ({choice}, where the system is {scheme})", inspect.colours)
    browser.look(1280, 900, "light")


def on_paper(browser, inspect):
    """Printed pages are dark on white, without elements for the screen, whatever the theme and the system's setting."""
    browser.log_in("rita")
    for choice in ["dark", "contrast", "default"]:
        browser.open("/appearance")
        browser.button("Use the theme", within=f"//tr[th[normalize-space()='{choice}']]").click()
        browser.wait(lambda: browser.find("html").get_dom_attribute("data-appearance") == choice, f"{choice} is not taken over")
        for path in ["/articles/the-coordinator", "/articles?search=coordinator", "/library"]:
            browser.open(path)
            browser.cdp("Emulation.setEmulatedMedia", media="print",
                        features=[{"name": "prefers-color-scheme", "value": "dark"}])
            for selector in [".side", "#list", "#reading", ".toolbar", ".deeds", ".search"]:
                seen = browser.script("return [...document.querySelectorAll(arguments[0])].some(e => e.checkVisibility())",
                                      selector)
                browser.expect(not seen, f"{path} has {selector} on paper")
            for words in browser.script(PALE):
                browser.expect(False, f"{path} ({choice}) is pale on paper: {words}")
            browser.look(1280, 900, "light")


STORIES = [chosen, on_paper]

"""A page for users of screen readers: the tree that Chromium passes to them."""

FOCUSABLE_WITHOUT_NAME = {"main", "RootWebArea"}


def value(node, name):
    return (node.get(name) or {}).get("value") or ""


def is_focusable(node):
    return any(item["name"] == "focusable" and item["value"].get("value") for item in node.get("properties", []))


def level(node):
    return next((item["value"]["value"] for item in node.get("properties", []) if item["name"] == "level"), 0)


def group(node, parents):
    """The name of the part of the page that contains the node, or an empty text."""
    while node := parents.get(node.get("parentId")):
        if value(node, "role") == "form" and value(node, "name"):
            return value(node, "name")
    return ""


def check_frame(nodes, where, expect):
    mains = [node for node in nodes if value(node, "role") == "main"]
    expect(len(mains) == 1, f"{where}: {len(mains)} main parts are heard")
    titles = [value(node, "name") for node in nodes if value(node, "role") == "heading" and level(node) == 1]
    expect(len(titles) == 1, f"{where}: the titles heard are {titles}")


def check(browser, where):
    every = browser.cdp("Accessibility.getFullAXTree")["nodes"]
    parents = {node["nodeId"]: node for node in every}
    nodes = [node for node in every if not node.get("ignored")]
    expect = browser.expect

    if browser.all("dialog[open]"):
        # Of the page beneath, nothing is heard.
        dialogs = [value(node, "name") for node in nodes if value(node, "role") == "dialog"]
        expect(dialogs and all(dialogs), f"{where}: a dialog is heard as {dialogs}")
    else:
        check_frame(nodes, where, expect)
    for node in nodes:
        role = value(node, "role")
        if is_focusable(node) and not value(node, "name").strip() and role not in FOCUSABLE_WITHOUT_NAME:
            expect(False, f"{where}: a {role} without a name has the focus")
    heard = set()
    for node in nodes:
        if value(node, "role") != "button":
            continue
        name = (value(node, "name"), value(node, "description"), group(node, parents))
        expect(name not in heard, f"{where}: two buttons are heard as {name}")
        heard.add(name)
    spoken = [value(node, "role") for node in nodes]
    for notice in browser.all("main .notice:not([hidden])"):
        role = notice.get_dom_attribute("role")
        told = browser.said == notice.text
        expect(role in ("status", "alert") and role in spoken or told, f"{where}: “{notice.text}” is a {role}")

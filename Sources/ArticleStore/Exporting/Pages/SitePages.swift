import Text

/// Writes pages into a folder. Each page has the title of the site, and links to the lists and feeds.
struct SitePages {
    static let styleName = "style.css"
    static let tagsName = "tags.html"
    static let atomName = "feed.atom"
    static let jsonName = "feed.json"
    /// The file names that no other page may use.
    static let names = [styleName, tagsName, atomName, jsonName]

    /// The title of the site.
    let title: String
    let folder: NewFolder

    /// Returns the relative path from a page to the root folder.
    static func root(of path: String) -> String { path.contains("/") ? "../" : "" }

    /// Writes a page.
    ///
    /// - Parameters:
    ///   - path: its path in the root folder or in a folder directly below.
    ///   - isOfAll: whether the title of the site is the heading.
    func write(_ page: PageFrame, _ content: String, at path: String, isOfAll: Bool = false) throws {
        let root = Self.root(of: path)
        var page = page
        if page.title != title { page.title += " · " + title }
        page.style = .file(root + Self.styleName)
        page.feeds = [("application/atom+xml", root + Self.atomName), ("application/feed+json", root + Self.jsonName)]
        var head = XMLWriter()
        head.raw("<nav class=\"site\">\n")
        if isOfAll { head.open("h1", end: "") }
        head.element("a", [("class", "name"), ("href", root + "index.html"), ("dir", "auto")], title)
        if isOfAll { head.close("h1") }
        head.element("a", [("href", root + Self.tagsName)], "Tags")
        head.element("a", [("href", root + Self.atomName)], "Feed")
        head.raw("</nav>\n")
        try folder.write(path, page.text(head.text + content))
    }

    /// Adds an article to a list, and writes the page of the list if it is full.
    func add(
        _ entry: SiteMap.Entry, _ summary: String, to list: inout SiteList, _ names: inout FileNames
    ) throws {
        if list.isFull {
            let next = names.take(file: list.nextPath)
            try write(list, next: next)
            list.turn(to: next)
        }
        list.add(entry, summary, Self.root(of: list.path))
    }

    /// Writes the current page of a list.
    func write(_ list: SiteList, next: String? = nil) throws {
        let root = Self.root(of: list.path)
        var page = XMLWriter()
        page.raw("<main>\n")
        if let heading = list.heading { page.element("h1", [("dir", "auto")], heading) }
        page.raw(list.content)
        if list.isEmpty { page.raw("<p>There are no articles here.</p>\n") }
        page.raw("</main>\n")
        page.turn(
            [(list.previous, "Back"), (next, "More")].map { path, name in
                path.map { (name, root + WebPath.encoded($0)) }
            })
        try write(PageFrame(title: list.heading ?? title), page.text, at: list.path, isOfAll: list.heading == nil)
    }
}

extension XMLWriter {
    /// Writes links to the previous and the next page, if they exist.
    mutating func turn(_ pages: [(name: String, address: String)?]) {
        guard pages.contains(where: { $0 != nil }) else { return }
        raw("<nav class=\"turn\">\n")
        for (page, relation) in zip(pages, ["prev", "next"]) {
            guard let page else { continue }
            element("a", [("rel", relation), ("href", page.address), ("dir", "auto")], page.name)
        }
        raw("</nav>\n")
    }
}

import Text

/// Writes pages into a folder, each with what all of them have: the name of the whole, and where the lists and feeds are.
struct SitePages {
    static let styleName = "style.css"
    static let tagsName = "tags.html"
    static let atomName = "feed.atom"
    static let jsonName = "feed.json"
    /// What no other page may be called.
    static let names = [styleName, tagsName, atomName, jsonName]

    /// What all of it is called.
    let title: String
    let folder: NewFolder

    /// How the folder of all pages is reached from one of them.
    static func root(of path: String) -> String { path.contains("/") ? "../" : "" }

    /// Writes a page.
    /// - Parameters:
    ///   - path: where it is, which is in the folder or one below.
    ///   - isOfAll: whether the name of all is its heading.
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

    /// Adds an article to a list, of which a page is written when it is full.
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

    /// Writes the page of a list that is being filled.
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
    /// Writes links to the page before and the page after, where there are such.
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

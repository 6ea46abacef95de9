import ArticleStore
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
            let next = names.insert(file: list.nextPath)
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

/// A list of articles on pages of fifty, and the page that is being filled.
struct SiteList {
    /// The number of articles on a page.
    static let length = 50

    /// The heading; nil for the list of all articles.
    let heading: String?
    /// The path of the page.
    private(set) var path: String
    /// The path of the previous page.
    private(set) var previous: String?
    private let firstPath: String
    private var number = 1
    private var count = 0
    private var day: CivilDate?
    private var page = XMLWriter()

    init(heading: String?, path: String) {
        self.heading = heading
        self.path = path
        firstPath = path
    }

    var isFull: Bool { count == Self.length }
    var isEmpty: Bool { count == 0 }
    /// The preferred path of the next page.
    var nextPath: String {
        let stem = heading == nil ? "page" : String(firstPath.dropLast(5))
        return "\(stem)-\(number + 1).html"
    }
    /// The content of the page.
    var content: String { count == 0 ? "" : page.text + Self.endOfDay }

    /// Begins the next page.
    mutating func turn(to path: String) {
        (previous, self.path) = (self.path, path)
        number += 1
        (count, day, page) = (0, nil, XMLWriter())
    }

    /// Adds an article. Articles of the same day share a heading.
    ///
    /// - Parameter root: the relative path from this page to the root folder.
    mutating func add(_ entry: SiteMap.Entry, _ summary: String, _ root: String) {
        if day != entry.day {
            if day != nil { page.raw(Self.endOfDay) }
            day = entry.day
            page.raw("<section class=\"day\">\n<h2><time>\(entry.day)</time></h2>\n<ul>\n")
        }
        count += 1
        page.open("li", [("lang", entry.language ?? "")])
        page.element("a", [("href", root + WebPath.encoded(entry.path)), ("dir", "auto")], entry.title)
        if !summary.isEmpty { page.element("p", [("dir", "auto")], summary) }
        page.raw("<p class=\"facts\" lang=\"en\">")
        if !entry.author.isEmpty { page.element("bdi", [], entry.author, end: " · ") }
        page.raw("\(entry.readingMinutes) min</p>\n</li>\n")
    }

    private static let endOfDay = "</ul>\n</section>\n"
}

/// The contents of a folder of pages: the articles with the data for lists, and the tags with their articles.
struct SiteMap {
    /// The data of an article for lists.
    struct Entry {
        /// The text of the link to the article's page, so it is never empty.
        let title: String
        let author: String
        let language: String?
        let day: CivilDate
        let readingMinutes: Int
        /// The path of its page.
        let path: String
    }

    /// A tag, in the spelling of the first article that has it.
    struct Tag {
        let name: String
        /// The path of its first page.
        let path: String
        /// The articles with this tag, as indexes in ``entries``.
        var entries: [Int]
    }

    private(set) var entries: [Entry] = []
    private(set) var tags: [Tag] = []
    private(set) var links = SiteLinks()
    var names = FileNames()
    private var places: [Article.ID: Int] = [:]
    private var tagPlaces: [String: Int] = [:]

    /// Returns the index of an article in ``entries``, and adds the article if it is new.
    @discardableResult
    mutating func place(of article: Article) -> Int {
        if let place = places[article.id] { return place }
        let place = entries.count
        places[article.id] = place
        let file = "articles/" + FileNames.safe(article.slug) + ".html"
        entries.append(
            Entry(
                title: article.title.utf8.allSatisfy { $0 <= 0x20 } ? "(no title)" : article.title,
                author: article.author, language: article.language,
                day: CivilDate(article.published, offset: article.publishedOffset),
                readingMinutes: article.readingMinutes,
                path: names.insert(file: file, key: "\(article.source.uid) \(article.key)")))
        links.note(article, index: place)
        for key in Set(article.tags.map(Self.key(ofTag:))) where !key.isEmpty { add(place, to: key, article.tags) }
        return place
    }

    private mutating func add(_ entry: Int, to key: String, _ names: [String]) {
        if let place = tagPlaces[key] { return tags[place].entries.append(entry) }
        tagPlaces[key] = tags.count
        let name = names.first { Self.key(ofTag: $0) == key } ?? key
        let path = self.names.insert(file: "tags/" + FileNames.safe(name) + ".html", key: key)
        tags.append(Tag(name: name, path: path, entries: [entry]))
    }

    /// Returns the first page of a tag.
    func path(ofTag name: String) -> String? { tagPlaces[Self.key(ofTag: name)].map { tags[$0].path } }

    private static func key(ofTag name: String) -> String { TagName(stored: name).key }

    /// Returns the page of an article.
    func path(of article: Article) -> String? { places[article.id].map { entries[$0].path } }
}

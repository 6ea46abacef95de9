import Text

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

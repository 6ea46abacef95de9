import Text

/// A list of articles on pages of fifty, as far as the page that is being filled.
struct SiteList {
    /// How many articles a page has.
    static let length = 50

    /// What stands above it; nil for the list of all.
    let heading: String?
    /// The page.
    private(set) var path: String
    /// The page before it.
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
    /// What the page after this one may be called.
    var nextPath: String {
        let stem = heading == nil ? "page" : String(firstPath.dropLast(5))
        return "\(stem)-\(number + 1).html"
    }
    /// What is on the page.
    var content: String { count == 0 ? "" : page.text + Self.endOfDay }

    /// Begins the next page.
    mutating func turn(to path: String) {
        (previous, self.path) = (self.path, path)
        number += 1
        (count, day, page) = (0, nil, XMLWriter())
    }

    /// Adds an article, those of a day together.
    /// - Parameter root: how the folder of all pages is reached from this one.
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

import Text

/// A feed in JSON (jsonfeed.org, versions 1 and 1.1): an object with what holds for the whole, and its items.
struct JSONFeed {
    /// The line that the feed begins in.
    let line: Int
    /// What it says of itself.
    let head: FeedHead
    /// How many bytes an item has on average.
    let itemSize: Int
    private let shared: [JSON.Member]
    private let items: [JSON]
    private var taken = 0

    /// Nil where the object is no feed.
    init?(_ object: [JSON.Member], size: Int, line: Int) {
        func value(_ key: String) -> JSON? { object.last { $0.key == key }?.value }
        guard case .string(let version)? = value("version"), version.hasPrefix("https://jsonfeed.org/version/"),
            case .array(let items)? = value("items")
        else { return nil }
        self.line = line
        head = FeedHead(
            title: value("title")?.text, home: value("home_page_url")?.text, address: value("feed_url")?.text)
        self.items = items
        itemSize = size / max(1, items.count)
        shared = ["authors", "author", "language"].compactMap { key in value(key).map { .init(key, $0) } }
    }

    /// The next item and its number from 1; authors and language, where it has none, are those of the feed.
    mutating func next() -> (item: JSON, number: Int)? {
        guard taken < items.count else { return nil }
        defer { taken += 1 }
        guard case .object(var members) = items[taken] else { return (items[taken], taken + 1) }
        let keys = Set(members.map(\.key))
        let namesAuthors = keys.contains("authors") || keys.contains("author")
        members += shared.filter { $0.key == "language" ? !keys.contains("language") : !namesAuthors }
        return (.object(members), taken + 1)
    }
}

import ArticleStore
import Text

/// Reads a feed in XML entry by entry. It recognizes RSS 0.90 to 2.0 and Atom 0.3 and 1.0 by their elements.
struct FeedReader: RecordSource {
    private let xml: XMLReader
    /// The name of the entry elements as it is written.
    private var rawName: String?
    private var isBroken = false
    /// The base addresses and languages of the open elements.
    private var scopes: [(base: String?, language: String?)] = []
    /// The facts about the feed that were read so far.
    private var head = FeedHead()
    var feed: FeedHead? { head }

    /// - Parameters:
    ///   - bytes: the feed in UTF-8.
    ///   - limit: the maximum number of bytes of an entry.
    init(_ bytes: ByteReader, limit: Int) throws(RecordError) {
        xml = try XMLReader(bytes, limits: XMLLimits(element: limit), vocabularies: FeedVocabulary.namespaces)
    }

    /// Reads the next entry.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `RecordError` if an entry is invalid, after which the next can be read, or if the XML is not a feed;
    ///   the errors of reading.
    mutating func next() throws -> SourceRecord? {
        if isBroken {
            isBroken = false
            guard let rawName, try xml.resume(before: rawName) else { return nil }
        }
        do {
            while let step = try xml.next() {
                switch step {
                case .end: scopes.removeLast(max(0, scopes.count - xml.depth))
                case .start(let tag):
                    if let entry = try entry(at: tag) { return entry }
                }
            }
        } catch let error as RecordError {
            isBroken = true
            throw error
        }
        return nil
    }

    /// Reads the entry that begins with a tag; nil if the tag contains entries or is something else.
    private mutating func entry(at tag: XMLTag) throws -> SourceRecord? {
        let name = FeedVocabulary.key(tag.name)
        switch xml.depth {
        case 1 where name == "entry":
            // In Atom, an entry may be a document of its own.
            head = FeedHead()
            scopes = []
            return try entry(tag)
        case 1:
            try open(document: tag, name)
        case 2 where name == "channel":
            enter(tag)
        case 2, 3, 4:
            if name == "item" || name == "entry" { return try entry(tag) }
            // RSS 1.1 has its items inside this element, and RSS 1.0 only their addresses.
            if name == "items", xml.depth < 4 { return enter(tag) }
            if xml.depth == 4 || name == "textinput" || xml.depth == 2 && name == "image" { return try pass() }
            var scope = scopes.last ?? (nil, nil)
            head.readMember(try xml.element(tag, before: rawName), base: &scope.base)
            scopes[scopes.count - 1] = scope
        default: try xml.skip()
        }
        return nil
    }

    private func pass() throws -> SourceRecord? {
        try xml.skip()
        return nil
    }

    private mutating func open(document tag: XMLTag, _ name: String) throws {
        let prefix = tag.rawName.firstIndex(of: ":").map { tag.rawName[...$0] } ?? ""
        switch name {
        case "rss", "rdf:rdf", "rdf", "channel": rawName = "item"
        case "feed": rawName = prefix + "entry"
        case "opml":
            let line = xml.line
            let list = try FeedList(xml)
            guard let error = list.error(missing: list.feeds.count) else { return }
            throw RecordError(line: line, error.reason)
        default:
            let line = xml.line
            try xml.skip()
            throw RecordError(line: line, "not a feed: the root element is \"\(tag.rawName.prefix(40))\"")
        }
        head = FeedHead()
        scopes = []
        enter(tag)
    }

    @discardableResult
    private mutating func enter(_ tag: XMLTag) -> SourceRecord? {
        let scope = scopes.last ?? (nil, nil)
        scopes.append(
            (FeedLink.address(tag["xml:base"], base: scope.base) ?? scope.base, tag["xml:lang"] ?? scope.language))
        return nil
    }

    private mutating func entry(_ tag: XMLTag) throws -> SourceRecord {
        rawName = tag.rawName
        let line = xml.line
        let element = try xml.element(tag, before: tag.rawName)
        if let line = xml.invalidLine {
            throw RecordError(line: line, "bytes that are not valid UTF-8")
        }
        let scope = scopes.last ?? (nil, nil)
        let home = head.home ?? head.address
        let members = FeedEntry.members(
            of: element, head: head, base: FeedLink.address(scope.base, base: home) ?? home, language: scope.language)
        return SourceRecord(members, line: line)
    }
}

extension FeedHead {
    /// Adds the data of an element outside of the entries.
    mutating func readMember(_ element: XMLElement, base: inout String?) {
        let text = element.text.trimmed
        switch FeedVocabulary.key(element.name) {
        case "title": title = FeedText(element, isTitle: true)?.line ?? title
        case "dc:title", "itunes:title": title = title ?? FeedText(element, isTitle: true)?.line
        case "id": id = text.isEmpty ? id : String(text)
        case "link":
            let address = FeedLink.address(element["href"] ?? String(text), base: base)
            switch element["rel"]?.lowercased() ?? "alternate" {
            case "alternate" where home == nil || element["type"]?.contains("html") == true:
                home = address ?? home
            case "self": self.address = address ?? self.address
            case "hub": hubs += address.map { [$0] } ?? []
            default: break
            }
            if let own = self.address { home = FeedLink.address(home, base: own) }
        case "icon": icon = FeedLink.address(String(text), base: base ?? self.address) ?? icon
        // Logos are often wider than high, so an icon is better.
        case "logo": icon = icon ?? FeedLink.address(String(text), base: base ?? self.address)
        case "image":
            let address = element.elements.first { FeedVocabulary.key($0.name) == "url" }?.text
            icon = icon ?? FeedLink.address(address.map { String($0) }, base: base ?? self.address)
        case "language": language = text.isEmpty ? language : String(text)
        case "dc:language": language = language ?? (text.isEmpty ? nil : String(text))
        case "author", "dc:creator", "itunes:author", "googleplay:author":
            // The first kind of author element counts. In Atom there may be several `author` elements.
            guard let person = FeedPerson(element, base: base)?.json, authors.isEmpty || element.name == "author" else {
                break
            }
            if !authors.contains(person) { authors.append(person) }
        default: readWish(element, text)
        }
    }

    private mutating func readWish(_ element: XMLElement, _ text: Substring) {
        let children = element.elements.map { $0.text.trimmed }
        switch FeedVocabulary.key(element.name) {
        case "ttl": lifetime = Self.positive(text).map { $0 * 60 }
        case "sy:updateperiod": updatePeriod = Self.periods[text.lowercased()]
        case "sy:updatefrequency": updateFrequency = Self.positive(text)
        // Some feeds number the hours from 1 to 24.
        case "skiphours":
            skippedHours = Set(children.compactMap { Int($0) }.filter { (0...24).contains($0) }.map { $0 % 24 })
        case "skipdays": skippedDays = Set(children.compactMap { Self.days.firstIndex(of: $0.prefix(3).lowercased()) })
        default: break
        }
    }

    private static func positive(_ text: Substring) -> Double? { Int32(text).flatMap { $0 > 0 ? Double($0) : nil } }

    private static let periods: [String: Double] = [
        "hourly": 3_600, "daily": 86_400, "weekly": 7 * 86_400, "monthly": 30 * 86_400, "yearly": 365 * 86_400,
    ]
    private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

    /// The wishes of the feed about the times of its fetches.
    var wishes: FeedWishes {
        var wishes = FeedWishes()
        wishes.interval = [lifetime, updatePeriod.map { $0 / (updateFrequency ?? 1) }].compactMap(\.self).max()
        (wishes.skippedHours, wishes.skippedDays) = (skippedHours, skippedDays)
        return wishes
    }
}

/// The facts about a feed that were read so far.
struct FeedHead: Hashable, Sendable {
    /// The title as plain text.
    var title: String?
    /// The ID of the feed, which is independent of its address, such as a tag URI: `id` in Atom.
    var id: String?
    /// The address of the feed's site.
    var home: String?
    /// The address of the feed.
    var address: String?
    /// The addresses of the hubs that announce changes of the feed (WebSub).
    var hubs: [String] = []
    /// The tags of the feed in an OPML list.
    var tags: [TagName] = []
    /// The address of the feed's icon.
    var icon: String?
    /// The language that the feed states for its content.
    var language: String?
    /// The authors of entries without an author. Each is an object with a name and possibly a URL.
    var authors: [JSON] = []
    /// The time in seconds for which the feed may be kept.
    var lifetime: Double?
    /// The time in seconds in which the feed changes `updateFrequency` times, or once.
    var updatePeriod: Double?
    var updateFrequency: Double?
    /// The hours and days in UTC in which the feed does not change.
    var skippedHours: Set<Int> = []
    var skippedDays: Set<Int> = []

    /// The address of the feed, if it is a web address.
    var webAddress: String? { address.flatMap(WebAddress.valid) }
}

/// Entries of a feed that are read before the first of them is used, to find IDs that several entries share. Such an ID
/// does not identify an entry.
struct FeedLookahead {
    /// The maximum number of entries to read ahead. Longer feeds are compared in groups of this size.
    static let count = 1000
    private static let size = 8 << 20

    /// An entry that was read ahead.
    struct Entry {
        /// Nil at the end of the file.
        let record: Result<RecordReader.Record?, any Error>
        /// The feed of the entry.
        let feed: FeedHead?
    }

    /// The entries that were read ahead. The next one is at the end.
    private var entries: [Entry] = []
    /// The hashes of IDs and addresses that several entries share, as far as the feed was read.
    private var shared: Set<Int> = []

    /// Returns the next entry; nil if nothing was read ahead.
    mutating func next() -> Entry? { entries.popLast() }

    /// Reads the entries after `first`.
    mutating func read(_ first: RecordReader.Record, from records: inout RecordReader) {
        entries = []
        var size = first.size
        var read: [Int: UInt64] = [:]
        insertKeys(of: first, into: &read)
        while entries.count < Self.count, size < Self.size {
            let record = Result { try records.next { _, _ in false } }
            entries.append(Entry(record: record, feed: records.feed))
            switch record {
            case .success(let record?):
                size += record.size
                insertKeys(of: record, into: &read)
            case .failure(let error) where error is RecordError: continue
            case .success(nil), .failure: return entries.reverse()
            }
        }
        entries.reverse()
    }

    private mutating func insertKeys(of record: RecordReader.Record, into read: inout [Int: UInt64]) {
        guard case .draft(let draft, nil)? = record.outcome else { return }
        for name in Set(draft.feedKeys(content: record.content.value)) {
            // A repeated entry counts once.
            if read.updateValue(record.content.value, forKey: name.hashValue) ?? record.content.value
                != record.content.value
            {
                shared.insert(name.hashValue)
            }
        }
    }

    /// Returns the possible keys of an entry. The first is the key in this feed: the first one that no other entry has.
    func keys(of draft: ArticleDraft, content: UInt64) -> [ExactText] {
        let keys = draft.feedKeys(content: content)
        guard let key = keys.first(where: { !shared.contains($0.hashValue) }) else { return keys.reversed() }
        return [key] + keys.filter { $0 != key }
    }
}

extension ArticleDraft {
    /// The possible keys of an entry: its ID, its address, and the ID extended with more and more of the entry's
    /// content.
    fileprivate func feedKeys(content: UInt64) -> [ExactText] {
        [key] + (sourceURL.map { [ExactText($0)] } ?? []) + longerKeys(content: content)
    }
}

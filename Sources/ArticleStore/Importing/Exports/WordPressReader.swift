import Text

/// Reads a WordPress export item by item (WXR 1.0 to 1.2: RSS with elements of its own).
///
/// It imports posts and pages. Attachments, menus, revisions, plugin content, and comments are skipped.
struct WordPressReader: RecordSource {
    /// The maximum number of authors whose names are kept. Further authors appear with their log-in names.
    private static let authorLimit = 100_000

    private let xml: XMLReader
    private var isBroken = false
    private var head = FeedHead()
    /// The display names of authors by their log-in names.
    private var authors: [String: String] = [:]
    private(set) var passedOver = 0

    var feed: FeedHead? { head }

    /// - Parameters:
    ///   - bytes: the export in UTF-8.
    ///   - limit: the maximum number of bytes of an item, including its comments.
    init(_ bytes: ByteReader, limit: Int) throws(RecordError) {
        xml = try XMLReader(
            bytes, limits: XMLLimits(element: limit),
            vocabularies: FeedVocabulary.namespaces.merging(Self.namespaces) { own, _ in own })
    }

    private static let namespaces: [String: String] = {
        var namespaces: [String: String] = [:]
        for version in ["1.0", "1.1", "1.2"] {
            for scheme in ["http", "https"] {
                namespaces["\(scheme)://wordpress.org/export/\(version)/"] = "wp"
                namespaces["\(scheme)://wordpress.org/export/\(version)/excerpt/"] = "excerpt"
            }
        }
        return namespaces
    }()

    mutating func next() throws -> SourceRecord? {
        if isBroken {
            isBroken = false
            guard try xml.resume(before: "item") else { return nil }
        }
        do {
            while let step = try xml.next() {
                guard case .start(let tag) = step, xml.depth > 2 else { continue }
                if tag.name == "item" {
                    if let record = try item(tag) { return record }
                } else {
                    take(try xml.element(tag))
                }
            }
        } catch let error as RecordError {
            isBroken = true
            throw error
        }
        return nil
    }

    private mutating func item(_ tag: XMLTag) throws -> SourceRecord? {
        let line = xml.line
        let element = try xml.element(tag, before: tag.rawName)
        if let line = xml.invalidLine {
            throw RecordError(line: line, "bytes that are not valid UTF-8")
        }
        guard let members = WordPressItem.members(of: element, language: head.language, authors: authors) else {
            passedOver += 1
            return nil
        }
        return SourceRecord(members, line: line)
    }

    /// Handles an element outside of the items.
    private mutating func take(_ element: XMLElement) {
        var base: String?
        guard element.name == "wp:author" else { return head.take(element, base: &base) }
        guard authors.count < Self.authorLimit, let login = element.first("wp:author_login")?.text.trimmed,
            let name = element.first("wp:author_display_name")?.text.trimmed, !name.isEmpty
        else { return }
        authors[String(login)] = String(name)
    }
}

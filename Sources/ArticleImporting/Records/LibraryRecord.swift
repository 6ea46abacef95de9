import ArticleStore
import Text

/// A record that a library has written, as JSON or front matter. It states the source of the article and its key there.
///
/// It is read literally, without the rules for text by people: each property has the value in the record, only the keys
/// of `LibraryKey` are known, and all other members are kept.
struct LibraryRecord {
    private let claim: SourceClaim
    private var known: [LibraryKey: JSON] = [:]
    private var others: [JSON.Member] = []

    /// Nil if the record was not written by a library.
    init?(_ members: [JSON.Member]) {
        for member in members {
            if let key = LibraryKey(rawValue: member.key) {
                known[key] = member.value
            } else {
                others.append(member)
            }
        }
        guard let uid = known[.sourceID]?.text.flatMap(SourceUID.init), let key = known[.key]?.text, !key.isEmpty,
            let name = known[.source]?.text, !name.isEmpty
        else { return nil }
        claim = SourceClaim(
            source: ExportedSource(uid: uid, facts: SourceFacts(name: name, kind: .stream)), key: ExactText(key))
        // Remove the members that identify the source, and those that can be derived or belong to the original library.
        for key in [.sourceID, .key, .source, .id, .author] as [LibraryKey]
        where key != .author || known[.authors] != nil {
            known[key] = nil
        }
        // An export names the files of its pictures. Data of others under this key stays.
        if known[.pictures]?.members?.allSatisfy({ $0.value.string?.hasPrefix("pictures/") == true }) == true {
            known[.pictures] = nil
        }
    }

    /// Makes the article.
    ///
    /// - Parameters:
    ///   - body: the text below front matter; nil if it is a member of the record.
    ///   - format: the format of the text if the record does not state one.
    func outcome(
        body: String? = nil, format: Article.Format = .markdown
    ) throws(RecordError) -> ArticleFields.Outcome {
        var record = self
        guard let title = record.removeValue(.title, \.text) else { throw RecordError("no title") }
        guard let body = body ?? record.removeValue(.body, \.string) else { throw RecordError("no body") }
        let given = record.known[.format]
        guard let format = given.map({ $0.text.flatMap(Article.Format.init) }) ?? format else {
            throw RecordError("the format must be markdown, html, or plain")
        }
        record.known[.format] = nil
        let published = try record.date(.published)
        let url = record.removeValue(.url) { $0.text.flatMap(WebAddress.valid) }
        let base = record.removeValue(.base) { $0.text.flatMap(WebAddress.valid) }
        let appearances = record.removeValue(.sources) { self.appearances(in: $0) } ?? []
        let marks = record.removeValue(.marks) { $0.members == nil ? nil : $0 }
        var draft = ArticleDraft(
            exactly: claim.key, slug: record.removeValue(.slug, \.text), title: title,
            authors: record.removeValue(.authors, \.names) ?? record.removeValue(.author) { $0.text.map { [$0] } }
                ?? [],
            summary: record.removeValue(.summary, \.text), body: body, format: format,
            language: record.removeValue(.language) { $0.text.flatMap(LanguageTag.valid) }, sourceURL: url,
            baseURL: base,
            published: published?.date,
            publishedOffset: record.removeValue(.publishedOffset) { $0.text.flatMap { Int($0) } } ?? published?.offset
                ?? 0,
            updated: try record.date(.updated)?.date,
            tags: record.removeValue(.tags) { $0.names ?? $0.text.map(Self.parts) } ?? [],
            readingMinutes: record.removeValue(.readingMinutes) { $0.text.flatMap { Int($0) } },
            extra: record.extra())
        (draft.marks, draft.appearances) = (marks, appearances)
        return .draft(draft, claim: claim.source)
    }

    /// Returns the sources other than that of the article; nil if the value is not a list of sources.
    private func appearances(in value: JSON) -> [ArticleAppearance]? {
        guard case .array(let sources) = value else { return nil }
        var appearances: [ArticleAppearance] = []
        for source in sources {
            func text(_ name: String) -> String? { source.members?.last { $0.key == name }?.value.string }
            guard let uid = text("id").flatMap(SourceUID.init), let name = text("name"), !name.isEmpty else {
                return nil
            }
            guard uid != claim.source.uid else { continue }
            guard let title = text("title"), let key = text("key"), !key.isEmpty else { return nil }
            let format = text("format").flatMap(Article.Format.init)
            appearances.append(
                ArticleAppearance(
                    source: SourceReference(id: 0, uid: uid, name: name), key: ExactText(key), title: title,
                    address: text("address").flatMap(WebAddress.valid),
                    text: text("body").map { ArticleAppearance.OwnText($0, format: format ?? .plain) }))
        }
        return appearances
    }

    /// Removes and returns a value if it can be used. An unusable value stays, and null counts as missing.
    private mutating func removeValue<T>(_ key: LibraryKey, _ use: (JSON) -> T?) -> T? {
        guard let value = known[key] else { return nil }
        let used = use(value)
        if used != nil || value == .null { known[key] = nil }
        return used
    }

    private mutating func date(_ key: LibraryKey) throws(RecordError) -> WrittenDate? {
        guard let text = removeValue(key, \.text) else { return nil }
        do { return try DateParser.written(from: text) } catch { throw RecordError("\(error)") }
    }

    /// The remaining members.
    private mutating func extra() -> String {
        var members = others
        switch removeValue(.extra, { $0 }) {
        case .object(let inside)?: members += inside
        case let value?:
            var text = value.string ?? ""
            if let inside = text.withUTF8({ try? JSONParser.value(of: $0) })?.members {
                if members.isEmpty, known.isEmpty { return text }
                members += inside
            } else {
                members.append(JSON.Member(LibraryKey.extra.rawValue, value))
            }
        case nil: break
        }
        members += known.map { JSON.Member($0.key.rawValue, $0.value) }
        if members.isEmpty { return "{}" }
        var writer = JSONWriter()
        writer.value(.object(members), isCanonical: true)
        return writer.text
    }

    /// Splits a text at commas, for a list that a user has added by hand.
    private static func parts(_ text: String) -> [String] {
        text.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
    }
}

extension JSON {
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The texts of a list; nil if it contains other values.
    fileprivate var names: [String]? {
        guard case .array(let elements) = self else { return nil }
        let names = elements.compactMap(\.text)
        return names.count == elements.count ? names : nil
    }
}

/// The source that a record of a library export states: `source`, its name; `sourceID`, a random ID; and `key`.
struct SourceClaim {
    let source: ExportedSource
    let key: ExactText

    /// Returns the sources in the header of a library export, an object with `articlesctl` and `sources`; nil for any
    /// other object.
    static func sources(in object: [JSON.Member]) -> [ExportedSource]? {
        guard object.contains(where: { $0.key == "articlesctl" }),
            case .array(let sources)? = object.last(where: { $0.key == "sources" })?.value
        else { return nil }
        return sources.compactMap { source -> ExportedSource? in
            func text(_ name: String) -> String? { source.members?.last { $0.key == name }?.value.text }
            guard let uid = text("id").flatMap(SourceUID.init), let name = text("name"), !name.isEmpty,
                let kind = text("kind").flatMap(Source.Kind.init)
            else { return nil }
            var facts = SourceFacts(
                name: name, kind: kind, location: text("location").map { ExactText($0) }, home: text("home"),
                feedURL: text("feed"))
            if case .array(let names)? = source.members?.last(where: { $0.key == "tags" })?.value {
                // Ignore invalid tags, because the other data is more important.
                let tags = names.prefix(SourceFacts.mostTags).compactMap { $0.text.flatMap { try? TagName($0) } }
                try? facts.tag(.all(tags))
            }
            return ExportedSource(uid: uid, facts: facts)
        }
    }
}

/// A source as a library export describes it.
struct ExportedSource: Hashable {
    let uid: SourceUID
    let facts: SourceFacts
}

extension Article {
    /// Whether a draft has the same title, and the same date if it has one.
    func hasTitleAndDate(of draft: ArticleDraft) -> Bool {
        title.isIdentical(to: draft.title) && draft.published.map { $0 == published } ?? true
    }
}

extension ArticleDraft {
    /// The title, and the day of the date if there is one.
    var titleAndDay: ExactText {
        ExactText(title + (published.map { " " + RFC3339.day(of: $0, offset: publishedOffset) } ?? ""))
    }

    /// The key, followed by the title and the day. It is the first of ``longerKeys(content:)``.
    var keyWithTitleAndDay: ExactText { "\(key)#\(titleAndDay)" }

    /// Returns keys that distinguish the draft from others with the same key, the most stable one first: with its title
    /// and day, with its title and time, and with a hash of the whole record.
    func longerKeys(content: UInt64) -> [ExactText] {
        var keys = [keyWithTitleAndDay]
        if let published {
            keys.append(ExactText("\(key)#\(title) \(RFC3339.string(from: published, offset: publishedOffset))"))
        }
        return keys + [ExactText("\(key)#\(String(content, radix: 16))")]
    }
}

package import Text

/// Articles as JSON: each article is an object on one line, with its keys always in the same order. An import of the
/// object of an ``Article`` gives the same article.
public enum ArticleJSON {
    /// Returns the article with its body. The keys are `id`, `slug`, `title`, `author` (all authors on one line),
    /// `authors`, `published` and `updated` (RFC 3339 in UTC), `tags`, `summary`, `language` (null if unknown),
    /// `readingMinutes`, `source` (its name), `sourceID`, `key`, `format`, `url` and `base` (null if unknown), `body`,
    /// `extra`, and `sources`. The date of publication has the offset of the publisher's clock.
    ///
    /// `sources` begins with the source of the article: `id`, `name`, and `address` (null if unknown). Each appearance follows
    /// with the same members, its `title`, and its `key`; and with `format` and `body`, if it has a text of its own.
    ///
    /// If that clock shows a year that RFC 3339 does not support, the date is in UTC, and `publishedOffset` gives the
    /// minutes by which the clock was ahead. ``Article/extra`` is an object if reading it back gives the same text;
    /// otherwise it is a string.
    public static func object(_ article: Article) -> String { String(decoding: utf8(article), as: UTF8.self) }

    /// Returns the article with its body, and a user's marks as `marks`.
    package static func utf8(_ article: Article, marks: JSON? = nil) -> [UInt8] {
        var writer = JSONWriter()
        write(ArticleSummary(article), into: &writer)
        writer.raw(#","sourceID":"#)
        writer.string(article.source.uid.description)
        writer.raw(#","key":"#)
        writer.string(article.key.text)
        if let offset = RecordDate(article.published, offset: article.publishedOffset).offset {
            writer.raw(#","publishedOffset":"#)
            writer.raw(String(offset))
        }
        writer.raw(#","format":"#)
        writer.string(article.format.rawValue)
        writer.raw(#","url":"#)
        write(article.sourceURL, into: &writer)
        writer.raw(#","base":"#)
        write(article.baseURL, into: &writer)
        writer.raw(#","body":"#)
        writer.string(article.body)
        writer.raw(#","extra":"#)
        switch article.writtenExtra {
        case nil: writer.raw("{}")
        case .object: writer.raw(article.extra)
        case .some(let text): writer.value(text)
        }
        writer.raw(#","sources":"#)
        writer.value(sources(of: article))
        if let marks {
            writer.raw(#","marks":"#)
            writer.value(marks)
        }
        writer.raw("}")
        return writer.bytes
    }

    /// Returns the sources of an article, its own source first.
    package static func sources(of article: Article) -> JSON {
        func members(_ source: SourceReference, _ address: String?) -> [JSON.Member] {
            [
                .init("id", .string(source.uid.description)), .init("name", .string(source.name)),
                .init("address", JSON(address)),
            ]
        }
        return .array(
            [.object(members(article.source, article.sourceURL))]
                + article.appearances.map { appearance in
                    let text = appearance.text.map { text -> [JSON.Member] in
                        [.init("format", .string(text.format.rawValue)), .init("body", .string(text.body))]
                    }
                    return .object(
                        members(appearance.source, appearance.address) + [
                            .init("title", .string(appearance.title)), .init("key", .string(appearance.key.text)),
                        ] + (text ?? []))
                })
    }

    /// Returns an article of a list, with the keys of ``object(_:)-(Article)`` up to `source`. After a search, `found`
    /// explains the match: `score` (null if the list has another order), and `title` and `excerpt` as arrays of pieces
    /// with `text` and `marked` (null without a match in the text).
    public static func object(_ summary: ArticleSummary) -> String { String(decoding: utf8(summary), as: UTF8.self) }

    /// Returns an article of a list with other members at its end, such as the marks of a user.
    package static func utf8(_ summary: ArticleSummary, adding members: [JSON.Member] = []) -> [UInt8] {
        var writer = JSONWriter()
        write(summary, into: &writer)
        for member in members {
            writer.raw(",")
            writer.string(member.key)
            writer.raw(":")
            writer.value(member.value)
        }
        writer.raw("}")
        return writer.bytes
    }

    private static func write(_ summary: ArticleSummary, into writer: inout JSONWriter) {
        writer.raw(#"{"id":"#)
        writer.raw(String(summary.id))
        writer.raw(#","slug":"#)
        writer.string(summary.slug)
        writer.raw(#","title":"#)
        writer.string(summary.title)
        writer.raw(#","author":"#)
        writer.string(summary.author)
        writer.raw(#","authors":"#)
        writer.strings(summary.authors)
        writer.raw(#","published":"#)
        writer.string(RecordDate(summary.published, offset: summary.publishedOffset).text)
        writer.raw(#","updated":"#)
        writer.string(RFC3339.string(from: summary.updated))
        writer.raw(#","tags":"#)
        writer.strings(summary.tags)
        writer.raw(#","summary":"#)
        writer.string(summary.summary)
        writer.raw(#","language":"#)
        write(summary.language, into: &writer)
        writer.raw(#","readingMinutes":"#)
        writer.raw(String(summary.readingMinutes))
        writer.raw(#","source":"#)
        writer.string(summary.source)
        if let found = summary.found { write(found, into: &writer) }
    }

    private static func write(_ found: SearchHit, into writer: inout JSONWriter) {
        writer.raw(#","found":{"score":"#)
        writer.raw(found.score.map { String($0) } ?? "null")
        for (name, text) in [("title", found.title), ("excerpt", found.excerpt)] {
            writer.raw(#",""# + name + #"":"#)
            guard let text else {
                writer.raw("null")
                continue
            }
            writer.raw("[")
            for (index, piece) in text.pieces.enumerated() {
                writer.raw(index == 0 ? #"{"text":"# : #",{"text":"#)
                writer.string(piece.text)
                writer.raw(piece.isMarked ? #","marked":true}"# : #","marked":false}"#)
            }
            writer.raw("]")
        }
        writer.raw("}")
    }

    private static func write(_ text: String?, into writer: inout JSONWriter) {
        if let text { writer.string(text) } else { writer.raw("null") }
    }
}

extension Article {
    /// Returns the members of the article's front matter, which contains all but the body.
    ///
    /// `summary` and `readingMinutes` are omitted if they can be derived from the text, so that they change with it when
    /// the file is edited, and `sources` if the article has only one. The members of ``extra`` come last, or in one
    /// member `extra` if their keys have a meaning here.
    ///
    /// - Parameters:
    ///   - marks: the marks of a user.
    ///   - pictures: the files of the pictures by their addresses.
    package func frontMatter(marks: JSON? = nil, pictures: [String: String] = [:]) -> [JSON.Member] {
        var members: [JSON.Member] = []
        func add(_ key: LibraryKey, _ value: JSON?) {
            if let value { members.append(.init(key.rawValue, value)) }
        }
        func add(_ key: LibraryKey, _ text: String?) { add(key, text.map(JSON.string)) }
        func add(_ key: LibraryKey, _ texts: [String]) {
            if !texts.isEmpty { add(key, JSON(texts)) }
        }

        let made = ofTextAlone
        let published = RecordDate(published, offset: publishedOffset)
        add(.title, title)
        add(.slug, slug)
        add(.authors, authors)
        add(.published, published.text)
        add(.publishedOffset, published.offset.map { JSON($0) })
        add(.updated, RFC3339.string(from: updated))
        add(.tags, tags)
        add(.summary, givenSummary(besides: made))
        add(.language, language)
        if readingMinutes != made.readingMinutes { add(.readingMinutes, JSON(readingMinutes)) }
        add(.url, sourceURL)
        add(.base, baseURL)
        add(.format, format.rawValue)
        add(.source, source.name)
        add(.key, key.text)
        add(.sourceID, source.uid.description)
        if !appearances.isEmpty { add(.sources, ArticleJSON.sources(of: self)) }
        add(.marks, marks)
        if !pictures.isEmpty {
            let sorted = pictures.sorted { $0.key < $1.key }
            add(.pictures, .object(sorted.map { JSON.Member($0.key, .string($0.value)) }))
        }
        switch writtenExtra {
        case .object(let others):
            members += others.filter { !LibraryKey.isTaken($0.key) }
            let taken = others.filter { LibraryKey.isTaken($0.key) }
            if !taken.isEmpty { add(.extra, .object(taken)) }
        case let text: add(.extra, text)
        }
        return members
    }
}

/// A record that a library has written, as JSON or front matter. It states the source of the article and its key there.
///
/// It is read literally, without the rules for text by people: each property has the value in the record, only the keys
/// of `LibraryKey` are known, and all other members are kept.
package struct LibraryRecord {
    /// The ID of the article's source.
    package let sourceUID: SourceUID
    /// The name of the article's source.
    package let sourceName: String
    private let key: ExactText
    private var known: [LibraryKey: JSON] = [:]
    private var others: [JSON.Member] = []

    /// Nil if the record was not written by a library.
    package init?(_ members: [JSON.Member]) {
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
        (sourceUID, sourceName, self.key) = (uid, name, ExactText(key))
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

    /// Returns the article of the record.
    ///
    /// - Parameters:
    ///   - body: the text below front matter; nil if it is a member of the record.
    ///   - format: the format of the text if the record does not state one.
    /// - Throws: `RecordError` without a title or a body, or if the format or a date cannot be read.
    package func draft(
        body: String? = nil, format: Article.Format = .markdown
    ) throws(RecordError) -> ArticleDraft {
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
            exactly: key, slug: record.removeValue(.slug, \.text), title: title,
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
        return draft
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
            guard uid != sourceUID else { continue }
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

/// The names of an article's properties in JSON and in front matter.
package enum LibraryKey: String, CaseIterable {
    case id, slug, title, author, authors, published, publishedOffset, updated, tags, summary, language, readingMinutes
    case source, sourceID, key, format, url, base, body, extra, sources, marks, pictures

    /// Whether a key is one of these names, without regard to case.
    package static func isTaken(_ key: String) -> Bool { folded.contains(key.lowercased()) }

    private static let folded = Set(allCases.map { $0.rawValue.lowercased() })
}

/// A date in a record, by the publisher's clock if RFC 3339 can express that.
package struct RecordDate {
    /// The date in the form of RFC 3339.
    package let text: String
    /// The minutes by which the publisher's clock was ahead of UTC, if the text does not contain them. That happens
    /// near the ends of the years 1 to 9999, when the clock shows a year outside that range.
    package let offset: Int?

    package init(_ date: Date, offset: Int) {
        let local = date.wholeSeconds + Int64(offset) * 60
        let isSaid = DateParser.seconds.contains(local)
        text = RFC3339.string(from: date, offset: isSaid ? offset : 0)
        self.offset = isSaid ? nil : offset
    }
}

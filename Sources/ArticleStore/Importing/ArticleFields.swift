import Essentials
import Text

/// Makes an article of the keys and values that a source gives it, whatever notation they were in.
///
/// Keys count in any case. A key that is known and whose value can be used is taken; everything else, known or not, is
/// kept in ``Article/extra``. Where two keys say the same, the one that is named first in the code below is taken.
struct ArticleFields {
    /// What a source made.
    enum Outcome {
        case draft(ArticleDraft, claim: ExportedSource?)
        /// What an export of a library says of the sources in it.
        case sources([ExportedSource])
        /// An article that its source calls a draft, by `draft: true` or `published: false`.
        case skipped
    }

    private var members: [(name: String, member: JSON.Member)]

    private init(_ members: [JSON.Member]) {
        // The last of equal keys counts.
        self.members = members.reversed().map {
            ($0.key.utf8.contains { $0 < 0x5B } ? $0.key.lowercased() : $0.key, $0)
        }
    }

    /// An article from a file that is one: front matter and a body.
    static func outcome(
        of file: FrontMatter, format: Article.Format, name: FileNameFacts, options: ImportOptions
    ) throws(RecordError) -> Outcome {
        if let record = LibraryRecord(file.members) { return try record.outcome(body: file.body, format: format) }
        var fields = ArticleFields(file.members)
        if fields.isDraft(), !options.includesDrafts { return .skipped }
        var body = file.body
        var title = try fields.title()
        if title == nil {
            switch format {
            case .markdown:
                if let heading = Heading.first(inMarkdown: body) { (title, body) = (heading.title, heading.body) }
            case .html: title = Heading.first(inHTML: body)
            case .plain: break
            }
        }
        return try fields.article(title: title, body: body, format: format, name: name, options: options)
    }

    /// An article from a JSON object.
    static func outcome(of object: [JSON.Member], options: ImportOptions) throws(RecordError) -> Outcome {
        if let sources = SourceClaim.sources(in: object) { return .sources(sources) }
        if let record = LibraryRecord(object) { return try record.outcome() }
        var fields = ArticleFields(object)
        if fields.isDraft(), !options.includesDrafts { return .skipped }
        fields.dropWhatTheLibraryAdds()
        var title = try fields.title()
        var (body, format) = try fields.body()
        if let named = fields.take(["format"], { $0.text.flatMap(Article.Format.init) }) { format = named }
        if title == nil, format == .markdown, let heading = Heading.first(inMarkdown: body) {
            (title, body) = (heading.title, heading.body)
        }
        if let extra = fields.take(["extra"], \.members) { fields.members += extra.map { ("", $0) } }
        return try fields.article(title: title, body: body, format: format, name: .none, options: options)
    }

    private mutating func article(
        title: String?, body: String, format: Article.Format, name: FileNameFacts, options: ImportOptions
    ) throws(RecordError) -> Outcome {
        let key = name.name == nil ? key() : nil
        let saysSlug = members.contains { $0.name == "slug" && $0.member.value.text != nil }
        var draft = try draft(title: title, body: body, format: format, name: name, options: options)
        draft.key = key ?? draft.sourceURL ?? (saysSlug ? draft.slug : draft.titleAndDay)
        return .draft(draft, claim: nil)
    }

    /// What a record calls itself.
    private mutating func key() -> String? {
        guard let key = take(["id"], { $0.text.flatMap(Self.nonEmpty) }) else { return nil }
        return key.utf8.count <= Self.nameLimit ? key : nil
    }

    private mutating func draft(
        title: String?, body: String, format: Article.Format, name: FileNameFacts, options: ImportOptions
    ) throws(RecordError) -> ArticleDraft {
        guard let title = title ?? name.title else { throw RecordError("no title") }
        guard title.utf8.count <= Self.titleLimit else {
            throw RecordError("a title of more than \(Self.titleLimit) bytes")
        }
        // The time that the file's name or the source says; a source that says none leaves it to the library.
        var published = try date(["date", "published", "date_published"])
        if published == nil, let text = name.date { published = try Self.date(text) }
        let updated = try self.date(["updated", "lastmod", "modified", "date_modified"])
        var authors = try names(["authors", "author"])
        if authors.isEmpty, let author = options.author { authors = [author] }
        let tags = try names(["tags", "categories", "category"], splitsAtCommas: true)
        let slug =
            take(["slug"], { $0.text.flatMap(Self.nonEmpty) })
            ?? take(["path", "permalink"], { $0.text.flatMap(Self.lastComponent) }) ?? name.name
        guard slug?.utf8.count ?? 0 <= Self.nameLimit else {
            throw RecordError("a slug of more than \(Self.nameLimit) bytes")
        }
        return ArticleDraft(
            slug: slug, title: title, authors: authors,
            summary: take(["description", "summary", "excerpt"], { $0.text.flatMap(Self.nonEmpty) }),
            body: body, format: format,
            language: take(["lang", "language"], { $0.text.flatMap(Self.language) }),
            sourceURL: take(["url", "source", "link", "canonical"], { $0.text.flatMap(Self.webAddress) }),
            baseURL: take(["base"], { $0.text.flatMap(Self.webAddress) }), published: published, updated: updated,
            tags: tags, extra: extra()
        )
    }

    private static let titleLimit = 4096
    private static let nameLimit = 1000

    /// Takes the first of these keys whose value can be used; empty values go without being one.
    private mutating func take<T>(_ names: [String], _ use: (JSON) -> T?) -> T? {
        for name in names {
            while let index = members.firstIndex(where: { $0.name == name && Self.isEmpty($0.member.value) }) {
                members.remove(at: index)
            }
            guard let index = members.firstIndex(where: { $0.name == name }),
                let value = use(members[index].member.value)
            else { continue }
            members.removeAll { $0.name == name }
            return value
        }
        return nil
    }

    private static func isEmpty(_ value: JSON) -> Bool {
        value == .null || value == .string("") || value == .array([])
    }

    private mutating func title() throws(RecordError) -> String? {
        if let title = take(["title"], { $0.text }) { return Self.nonEmpty(title) }
        if members.contains(where: { $0.name == "title" }) { throw RecordError("a title that is no text") }
        return nil
    }

    /// The body of a JSON object, and what its key says of the format.
    private mutating func body() throws(RecordError) -> (String, Article.Format) {
        for (name, format) in Self.bodyKeys {
            guard let index = members.firstIndex(where: { $0.name == name }),
                case .string(let text) = members[index].member.value
            else { continue }
            members.removeAll { $0.name == name }
            return (text, format)
        }
        throw RecordError("no body: one of the keys body, content, content_html, content_text or text, with text")
    }

    private static let bodyKeys: [(String, Article.Format)] = [
        ("body", .markdown), ("content", .markdown), ("content_html", .html), ("content_text", .plain),
        ("text", .plain),
    ]

    private mutating func isDraft() -> Bool {
        let isDraft = take(["draft"], { Self.bool($0) })
        let isPublished = take(["published"], { Self.bool($0) })
        return isDraft == true || isPublished == false
    }

    private static func bool(_ value: JSON) -> Bool? {
        switch value.text?.lowercased() {
        case "true", "yes", "on": true
        case "false", "no", "off": false
        default: nil
        }
    }

    private mutating func date(_ names: [String]) throws(RecordError) -> Date? {
        guard let value = take(names, { $0 }) else { return nil }
        guard let text = value.text else { throw RecordError("a date that is no text") }
        guard case .number = value else { return try Self.date(text) }
        do {
            // Small numbers are years, or days as in 20151203, but not seconds.
            guard let seconds = Double(text), abs(seconds) >= 1e8 else { throw DateError.unknownShape(text) }
            return try DateParser.date(fromUnixSeconds: seconds)
        } catch {
            throw RecordError("\(error)")
        }
    }

    private static func date(_ text: String) throws(RecordError) -> Date {
        do { return try DateParser.date(from: text) } catch { throw RecordError("\(error)") }
    }

    /// The names in a text, a list of texts, or, as JSON Feed has it, a list of objects with a name; of all of these
    /// keys, but not the one line in which the library itself writes what another key lists.
    private mutating func names(_ keys: [String], splitsAtCommas: Bool = false) throws(RecordError) -> [String] {
        var names: [String] = []
        for key in keys {
            let found = take([key]) { value -> [String]? in
                guard case .array(let elements) = value else { return Self.name(value).map { [$0] } }
                let found = elements.compactMap(Self.name)
                return found.count == elements.count ? found : nil
            }
            guard let found else { continue }
            if !names.isEmpty, found == [names.joined(separator: ", ")] { continue }
            for name in found {
                let parts = splitsAtCommas ? name.split(separator: ",").map { $0.trimmed } : [name.trimmed]
                names += parts.map(String.init).filter { !$0.isEmpty }
            }
        }
        guard names.count <= Self.nameLimit, names.allSatisfy({ $0.utf8.count <= Self.nameLimit }) else {
            throw RecordError(
                "more than \(Self.nameLimit) authors or tags, or one of more than \(Self.nameLimit) bytes")
        }
        return names
    }

    private static func name(_ value: JSON) -> String? {
        value.text ?? value.members?.first { $0.key == "name" }?.value.text
    }

    /// Our own JSON has the number of the article in it and how long it takes to read; both belong to the library. A
    /// source that has only one of them means something else by it.
    private mutating func dropWhatTheLibraryAdds() {
        func isNumber(_ name: String) -> Bool {
            members.contains { if case .number = $0.member.value { $0.name == name } else { false } }
        }
        guard isNumber("id"), isNumber("readingminutes") else { return }
        members.removeAll { ["id", "readingminutes"].contains($0.name) }
    }

    private func extra() -> String {
        if members.isEmpty { return "{}" }
        var writer = JSONWriter()
        writer.value(.object(members.reversed().map(\.member)), isCanonical: true)
        return writer.text
    }

    private static func nonEmpty(_ text: String) -> String? {
        text.contains { !$0.isWhitespace } ? text : nil
    }

    /// `post` of `/blog/post.html` or `/blog/post/`; nil for a pattern such as `/:year/:title`.
    private static func lastComponent(_ path: String) -> String? {
        guard let last = path.split(separator: "/").last, !last.contains(":") else { return nil }
        for ending in [".html", ".htm", ".md"] where last.hasSuffix(ending) && last.count > ending.count {
            return String(last.dropLast(ending.count))
        }
        return String(last)
    }

    private static func language(_ tag: String) -> String? {
        let isTag =
            !tag.isEmpty && tag.utf8.count <= 35
            && tag.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || "-_".utf8.contains($0)
            }
        return isTag ? tag : nil
    }

    static func webAddress(_ text: String) -> String? {
        let start = text.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://"), text.utf8.count <= 2048,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        return text
    }
}

package import ArticleStore
package import Text

/// An article that a user writes by hand: optional front matter in YAML or TOML, and the text below it.
///
/// It is parsed like an imported file, but strictly: an unusable value is a ``Fault``, which the user can correct
/// immediately.
package struct WrittenArticle {
    /// An error in the text.
    package struct Fault: ExplainedError, Hashable {
        /// The line of the error, from 1; nil if it is the whole text.
        package let line: Int?
        /// The reason, in words for the user.
        package let reason: String

        /// The text below the front matter is empty.
        package static let noText = Fault("there is no text")

        init(line: Int? = nil, _ reason: String) {
            self.line = line
            self.reason = reason
        }

        /// A single line: `line 3: what is wrong`.
        package var description: String { (line.map { "line \($0): " } ?? "") + reason }
        package var errorKind: ErrorKind { .invalid }
    }

    /// Returns an empty template for the front matter of an article.
    ///
    /// - Parameter given: the names of the fields that are already known.
    package static func blank(without given: Set<String> = []) -> String {
        let lines = ["title:", "tags: []", "authors: []", "language:", "published:", "url:"].filter { line in
            !given.contains(String(line.prefix { $0 != ":" }))
        }
        return "---\n" + lines.map { $0 + "\n" }.joined() + "---\n\n"
    }

    private let text: String
    private let file: FrontMatter

    /// - Throws: ``Fault`` if the front matter cannot be read.
    package init(_ text: String) throws(Fault) {
        self.text = text
        do throws(RecordError) {
            file = try Array(text.utf8).withUnsafeBufferPointer { bytes throws(RecordError) in
                try FrontMatter.read(bytes)
            }
        } catch {
            throw Fault(line: error.line, error.reason)
        }
    }

    /// Returns a new article.
    ///
    /// - Parameters:
    ///   - title: the title, which replaces the one in the text.
    ///   - format: the format of the text if the text does not state one.
    /// - Throws: ``Fault``.
    package func draft(titled title: String? = nil, format: Article.Format = .markdown) throws(Fault) -> ArticleDraft {
        let draft = try draft(titled: title, body: file.body, format: format, keeping: [], tags: [])
        guard !draft.body.trimmed.isEmpty else { throw .noText }
        return draft
    }

    /// Returns the changed version of an article. If the text repeats the date of the last change, the draft does not
    /// have one.
    ///
    /// - Parameter keepsLineBreaks: whether the text comes from an editor that writes every line break as a line feed,
    ///   so that the original line breaks must be restored.
    /// - Throws: ``Fault``, also if the slug, source, or key was changed; ``Fault/noText`` if the text was removed.
    package func draft(editing article: Article, keepsLineBreaks: Bool = false) throws(Fault) -> ArticleDraft {
        // Without this check, the text would lose its metadata, or a part of it would become the text.
        guard !file.members.isEmpty else {
            throw Fault(
                line: 1, "the front matter at the start, between “---” and “---”, is missing")
        }
        let kept = article.extraKeys
        let fixed: [(key: String, value: String)] = [
            ("slug", article.slug), ("source", article.source.name), ("key", article.key.text),
            ("sourceID", article.source.uid.description),
        ]
        for (key, value) in fixed where !kept.contains(key) {
            guard let member = file.members.last(where: { $0.key == key }) else {
                // The slug may be omitted. The other lines identify a record of a library, so they must stay.
                if key == LibraryKey.slug.rawValue { continue }
                throw Fault("the line “\(key): \(value)” is missing; this value cannot be changed")
            }
            if member.value.text == value { continue }
            throw Fault(line: line(of: key), "“\(key)” cannot be changed: \(value)")
        }
        var body = file.body
        // Editors add a line feed at the end.
        if body.utf8.last == 0x0A, article.body.utf8.last != 0x0A { body.removeLast() }
        guard !body.trimmed.isEmpty || article.body.trimmed.isEmpty else { throw .noText }
        if keepsLineBreaks, article.body.hasOnlyPairs { body = body.replacing("\n", with: "\r\n") }
        var draft = try draft(titled: nil, body: body, format: article.format, keeping: kept, tags: article.tags)
        if draft.updated == article.updated { draft.updated = nil }
        return draft
    }

    private func draft(
        titled title: String?, body: String, format: Article.Format, keeping kept: [String], tags known: [String]
    ) throws(Fault) -> ArticleDraft {
        let isOfLibrary = LibraryRecord(file.members) != nil
        if isOfLibrary { try checkDates() }
        let outcome: ArticleFields.Outcome
        do throws(RecordError) {
            let given = title.map { [JSON.Member("title", .string($0))] } ?? []
            outcome = try ArticleFields.outcome(
                of: FrontMatter(members: file.members + given, body: body), format: format, in: .none,
                options: ImportOptions(includesDrafts: true))
        } catch {
            throw Fault(line: error.line, error.reason)
        }
        guard case .draft(let draft, _) = outcome else { throw Fault("this is not an article") }
        if draft.marks != nil {
            throw Fault(
                line: line(of: "marks"), "“marks” do not belong to an article; use mark, star, tag, and note")
        }
        if let written = draft.dateFallback?.written {
            let key = file.members.last { $0.value.text == written }?.key
            throw Fault(line: key.flatMap(line), "“\(written)” is not a date")
        }
        do throws(TagError) {
            _ = try TagName.checked(draft.tags, keeping: known)
        } catch {
            throw Fault(line: line(of: "tags"), "\(error)")
        }
        // Otherwise an import would use an invalid address as a slug.
        let url = file.members.last { $0.key == "url" }?.value.text ?? ""
        if !url.isEmpty, draft.sourceURL == nil {
            throw Fault(line: line(of: "url"), "“url” is not an http or https address")
        }
        for key in Article.keys(ofExtra: draft.extra) where !kept.contains(key) {
            if ["lang", "language"].contains(key.lowercased()) {
                throw Fault(line: line(of: key), "“\(key)” is not a language tag, such as en or pt-BR")
            }
            if isOfLibrary, let name = Self.name(of: key) {
                throw Fault(line: line(of: key), "“\(key)” is called “\(name)” here")
            }
            if Self.known.contains(key.lowercased()) {
                throw Fault(line: line(of: key), "“\(key)” has an invalid value")
            }
        }
        return draft
    }

    /// - Throws: ``Fault`` if a date in one of the library's own fields cannot be read.
    private func checkDates() throws(Fault) {
        for key in [LibraryKey.published, .updated].map(\.rawValue) {
            guard let value = file.members.last(where: { $0.key == key })?.value, value != .null else { continue }
            if value.text.map({ (try? DateParser.written(from: $0)) == nil }) ?? true {
                throw Fault(line: line(of: key), "“\(value.text ?? key)” is not a date")
            }
        }
    }

    /// Returns the line of a key in the front matter.
    private func line(of key: String) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let index = lines.firstIndex { line in
            let name = line.trimmed.drop { "\"'".contains($0) }
            guard name.hasPrefix(key) else { return false }
            return name.dropFirst(key.count).first.map { ":=\"' ".contains($0) } ?? false
        }
        return index.map { $0 + 1 }
    }

    /// Returns the library's name of a field that imports also know under other names; nil if the key is not such a
    /// name.
    private static func name(of key: String) -> String? {
        let form = ArticleField.form(of: key)
        if form == "keywords" { return LibraryKey.tags.rawValue }
        guard let use = ArticleField.uses[form]?.first else { return nil }
        let name: LibraryKey? =
            switch use.key {
            case .title: .title
            case .published: .published
            case .updated: .updated
            case .author: .authors
            case .tag: .tags
            case .summary: .summary
            case .slug: .slug
            case .sourceURL: .url
            case .baseURL: .base
            case .language: .language
            case .body, .path, .draft: nil
            }
        return name.flatMap { $0.rawValue == key ? nil : $0.rawValue }
    }

    /// The keys of handwritten front matter that have a meaning.
    private static let known: Set = [
        "title", "author", "authors", "tags", "date", "published", "updated", "summary", "lang", "language", "url",
        "base",
        "format", "slug",
    ]
}

extension String {
    /// Whether every line break is a carriage return and a line feed.
    fileprivate var hasOnlyPairs: Bool {
        let pairs = replacing("\r\n", with: "")
        return pairs.utf8.count < utf8.count && !pairs.utf8.contains { $0 == 0x0A || $0 == 0x0D }
    }
}

extension ArticleDraft {
    /// Returns the draft with these values, which replace its own; tags are added to its own.
    package func with(
        authors: [String], tags: [String], language: String?, url: String?, published: WrittenDate?
    ) -> ArticleDraft {
        changed { draft in
            if !authors.isEmpty { draft.authors = authors }
            draft.tags += tags
            if let language { draft.language = language }
            if let url { draft.sourceURL = url }
            if let published { (draft.published, draft.publishedOffset) = (published.date, published.offset) }
        }
    }
}

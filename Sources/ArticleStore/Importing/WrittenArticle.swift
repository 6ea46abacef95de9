package import Essentials
import Text

/// An article as somebody writes it by hand: front matter in YAML or TOML, or none, and the text below it.
///
/// It is read as an import reads such a file, but for what an import passes over: a value that cannot be used is a ``Fault`` here,
/// because whoever wrote it is there to mend it.
package struct WrittenArticle {
    /// What is wrong with it.
    package struct Fault: Error, Hashable, CustomStringConvertible {
        /// The line that is at fault, from 1; nil where it is the text as a whole.
        package let line: Int?
        /// What is wrong, for people.
        package let reason: String

        init(line: Int? = nil, _ reason: String) {
            self.line = line
            self.reason = reason
        }

        /// `line 3: what is wrong`.
        package var description: String { (line.map { "line \($0): " } ?? "") + reason }
    }

    private let text: String
    private let file: FrontMatter

    /// - Throws: ``Fault`` for front matter that cannot be read.
    package init(_ text: String) throws(Fault) {
        let bytes = Array(text.utf8)
        do throws(RecordError) {
            file = try bytes.withUnsafeBufferPointer { (bytes) throws(RecordError) in try FrontMatter.read(bytes) }
        } catch {
            throw Fault(line: error.line, error.reason)
        }
        self.text = text
    }

    /// A new article.
    ///
    /// - Parameters:
    ///   - title: its title, whatever the text says.
    ///   - format: how the text is to be read where it does not say.
    /// - Throws: ``Fault``.
    package func draft(titled title: String? = nil, format: Article.Format = .markdown) throws(Fault) -> ArticleDraft {
        let draft = try draft(titled: title, format: format, keeping: [])
        guard !draft.body.trimmed.isEmpty else { throw Fault("there is no text") }
        return draft
    }

    /// What an article is to be.
    ///
    /// - Throws: ``Fault``, for another slug, source or key too.
    package func draft(editing article: Article) throws(Fault) -> ArticleDraft {
        let fixed: [(key: String, value: String)] = [
            ("slug", article.slug), ("source", article.source.name), ("key", article.key),
            ("sourceID", article.source.uid.description),
        ]
        for (key, value) in fixed {
            guard let member = file.members.last(where: { $0.key == key }), member.value.text != value else { continue }
            throw Fault(line: line(of: key), "“\(key)” of an article stays what it is: \(value)")
        }
        var extra = article.extra
        let kept = extra.withUTF8 { try? JSONParser.value(of: $0) }?.members?.map(\.key) ?? []
        return try draft(titled: nil, format: article.format, keeping: kept)
    }

    private func draft(titled title: String?, format: Article.Format, keeping kept: [String]) throws(Fault)
        -> ArticleDraft
    {
        for member in file.members where Self.dates.contains(member.key.lowercased()) {
            guard case .string(let text) = member.value, !text.isEmpty else { continue }
            do { _ = try DateParser.date(from: text) } catch { throw Fault(line: line(of: member.key), "\(error)") }
        }
        let outcome: ArticleFields.Outcome
        do {
            let given = title.map { [JSON.Member("title", .string($0))] } ?? []
            outcome = try ArticleFields.outcome(
                of: FrontMatter(members: file.members + given, body: file.body), format: format, in: .none,
                options: ImportOptions(includesDrafts: true))
        } catch {
            throw Fault(line: error.line, error.reason)
        }
        guard case .draft(let draft, _) = outcome else { throw Fault("this is no article") }
        var extra = draft.extra
        let left = extra.withUTF8 { try? JSONParser.value(of: $0) }?.members ?? []
        for key in left.map(\.key) where Self.known.contains(key.lowercased()) && !kept.contains(key) {
            throw Fault(line: line(of: key), "“\(key)” has a value that cannot be used")
        }
        return draft
    }

    /// Where a key of the front matter is.
    private func line(of key: String) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let index = lines.firstIndex { line in
            let name = line.trimmed.drop { "\"'".contains($0) }
            guard name.hasPrefix(key) else { return false }
            return name.dropFirst(key.count).first.map { ":=\"' ".contains($0) } ?? false
        }
        return index.map { $0 + 1 }
    }

    /// The keys that have a date.
    private static let dates: Set = ["date", "published", "updated"]
    /// The keys that mean something, of those that somebody writes by hand.
    private static let known: Set = [
        "title", "author", "authors", "tags", "date", "published", "updated", "summary", "lang", "language", "url",
        "base",
        "format", "slug",
    ]
}

extension ArticleDraft {
    /// The draft with what was said of it elsewhere, which counts more than what it says itself; tags are added to its own.
    package func with(
        authors: [String], tags: [String], language: String?, url: String?, published: Date?
    ) -> ArticleDraft {
        ArticleDraft(
            key: key, slug: slug, title: title, authors: authors.isEmpty ? self.authors : authors, summary: summary,
            body: body, format: format, language: language ?? self.language, sourceURL: url ?? sourceURL,
            baseURL: baseURL, published: published ?? self.published,
            publishedOffset: published == nil ? publishedOffset : 0, updated: updated, tags: self.tags + tags,
            extra: extra)
    }
}

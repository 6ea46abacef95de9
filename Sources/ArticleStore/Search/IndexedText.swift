internal import CSearch
import Text

/// The text of an article for the search index.
///
/// It depends only on the stored article and on rules that stay the same for a ``SearchWords/version``. That matters
/// because FTS5 needs exactly the same text to remove an article from the index.
package struct IndexedText: Sendable {
    /// The columns of the index, those with the highest weight first.
    package enum Column: Int, CaseIterable {
        case title, authors, tags, summary, body
    }

    package private(set) var columns: [String]

    /// Creates the text from the properties of an article.
    /// - Parameter language: the article's language as a BCP 47 tag, if known.
    package init(
        title: String, authors: [String], tags: [String], summary: String, language: String?, body: String,
        format: Article.Format
    ) {
        let (title, summary, body) = (Self.plain(title), Self.plain(summary), Self.plain(body, format))
        let mark = WordStem.mark(language: language, texts: [title, summary, body])
        // Authors do not get stems, because these could confuse names of people.
        columns = [mark + title, Self.names(authors), mark + Self.names(tags), mark + summary, mark + body]
    }

    package init(_ article: Article) {
        self.init(
            title: article.title, authors: article.authors, tags: article.tags, summary: article.summary,
            language: article.language, body: article.body, format: article.format)
    }

    package subscript(_ column: Column) -> String { columns[column.rawValue] }

    /// Returns a whole name as a single word of the index.
    package static func label(_ name: String) -> String { "\u{2}\(SearchText.fold(plain(name)))\u{3}" }

    /// Returns a text without markup.
    static func plain(_ text: String, _ format: Article.Format = .plain) -> String {
        let kind =
            switch format {
            case .markdown: csearch_markdown
            case .html: csearch_html
            case .plain: csearch_text
            }
        var text = text
        return text.withUTF8 { utf8 in
            guard let start = utf8.baseAddress, !utf8.isEmpty else { return "" }
            return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) { start in
                String(unsafeUninitializedCapacity: utf8.count) { buffer in
                    guard let out = buffer.baseAddress else { return 0 }
                    return out.withMemoryRebound(to: CChar.self, capacity: utf8.count) { out in
                        csearch_plain(Int32(kind), start, utf8.count, out)
                    }
                }
            }
        }
    }

    private static func names(_ names: [String]) -> String {
        names.map { plain($0) + "\n" + label($0) }.joined(separator: "\n")
    }
}

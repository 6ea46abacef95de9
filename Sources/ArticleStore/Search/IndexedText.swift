internal import CSearch
import Text

/// An article as the index of words has it.
///
/// It follows from what is stored alone, by rules that stay the same as long as ``SearchWords/version`` does: what was put
/// in must be said again to take it out.
package struct IndexedText: Sendable {
    /// The columns of the index, in their order: that of how much a word in them counts.
    package enum Column: Int, CaseIterable {
        case title, authors, tags, summary, body
    }

    private(set) var columns: [String]

    /// - Parameter language: the article's language as a BCP 47 tag, where known.
    init(
        title: String, authors: [String], tags: [String], summary: String, language: String?, body: String,
        format: Article.Format
    ) {
        let (title, summary, body) = (Self.plain(title), Self.plain(summary), Self.plain(body, format))
        let mark = WordStem.mark(language: language, texts: [title, summary, body])
        // Stems would confuse names of people.
        columns = [mark + title, Self.names(authors), mark + Self.names(tags), mark + summary, mark + body]
    }

    package init(_ article: Article) {
        self.init(
            title: article.title, authors: article.authors, tags: article.tags, summary: article.summary,
            language: article.language, body: article.body, format: article.format)
    }

    package subscript(_ column: Column) -> String { columns[column.rawValue] }

    /// A whole name as one word, by which it is found as such.
    package static func label(_ name: String) -> String { "\u{2}\(SearchText.fold(plain(name)))\u{3}" }

    /// A text without markup.
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

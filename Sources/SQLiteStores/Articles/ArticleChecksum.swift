import ArticleStore
import Text

/// The hash of an article as it is stored, without its number and its source.
struct ArticleChecksum: Equatable {
    let value: Int64

    init(value: Int64) { self.value = value }

    init(_ article: Article) {
        var hash: UInt64 = 0
        func add(_ text: String?) {
            // A missing text must differ from an empty one, and each hash continues the previous one.
            hash = text.map { RecordHash($0, seed: hash).value } ?? ~hash
        }
        add(article.key.text)
        add(article.slug)
        add(article.title)
        add(ArticleRow.text(of: article.authors))
        add(ArticleRow.text(of: article.tags))
        add(article.summary)
        add(article.language)
        add(
            "\(article.published.timeIntervalSince1970.rounded(.down)) \(article.publishedOffset) "
                + "\(article.updated.timeIntervalSince1970.rounded(.down)) \(article.readingMinutes)")
        add(article.format.rawValue)
        add(article.sourceURL)
        add(article.baseURL)
        add(article.extra)
        add(article.body)
        value = Int64(bitPattern: hash)
    }
}

import Essentials

/// The first articles of a list as a feed, made while somebody waits.
package struct FeedPage {
    /// How a feed is written. The raw value is a word for an address.
    package enum Format: String, Sendable, CaseIterable {
        /// Atom 1.0.
        case atom
        /// JSON Feed 1.1.
        case jsonFeed = "json"
    }

    private let title: String
    private let format: Format
    private let count: Int
    private let place: FeedPlace

    /// - Parameters:
    ///   - count: how many articles it has at most.
    ///   - address: of the feed; nil where that is nobody's business.
    ///   - home: the address of the site.
    ///   - page: the address that the site has for an article.
    package init(
        title: String, format: Format, count: Int, address: String?, home: String?,
        page: @escaping (Article) -> String?
    ) {
        self.title = title
        self.format = format
        self.count = count
        place = FeedPlace(address: address, home: home, page: page)
    }

    /// The feed.
    ///
    /// - Throws: what the repository throws.
    package func text(of query: ArticleQuery, in repository: any ArticleRepository) async throws -> String {
        // As a list is read, in which a search ends after a while: nobody is to keep the library busy by an address.
        let page = try await repository.list(query, after: nil, limit: count)
        var articles: [Article] = []
        for summary in page.summaries {
            if let article = try await repository.article(id: summary.id) { articles.append(article) }
        }
        let export = Export(
            repository: repository, query: query, options: ExportOptions(title: title),
            sources: try await repository.sources(),
            latest: articles.map(\.updated).max() ?? Date(timeIntervalSince1970: 0))
        var bytes: [UInt8] = []
        let sink = ByteSink { bytes += $0 }
        var writer: any ExportWriter =
            switch format {
            case .atom: AtomExport(export: export, sink: sink, place: place)
            case .jsonFeed: JSONFeedExport(export: export, sink: sink, place: place)
            }
        try await writer.begin()
        for article in articles { try await writer.add(article, marks: nil) }
        try await writer.end {}
        try sink.flush()
        return String(decoding: bytes, as: UTF8.self)
    }
}

package import ArticleStore
import Markup
import Text

/// The first articles of a list as a feed, made in response to a request.
package struct FeedPage {
    /// The format of a feed. The raw value is used in addresses.
    package enum Format: String, Sendable, CaseIterable {
        /// Atom 1.0.
        case atom
        /// JSON Feed 1.1.
        case jsonFeed = "json"
    }

    private let title: String
    private let format: Format
    private let count: Int
    private let place: FeedAddresses

    /// - Parameters:
    ///   - count: the maximum number of articles.
    ///   - address: the address of the feed; nil if it is secret.
    ///   - home: the address of the site.
    ///   - page: returns the address of an article on the site.
    package init(
        title: String, format: Format, count: Int, address: String?, home: String?,
        page: @escaping (Article) -> String?, picture: @escaping (ArticlePicture) -> String? = { _ in nil }
    ) {
        self.title = title
        self.format = format
        self.count = count
        place = FeedAddresses(address: address, home: home, page: page, picture: picture)
    }

    /// Returns the feed.
    ///
    /// - Parameter pictures: the pictures of the articles; nil if their addresses stay as they are.
    /// - Throws: the errors of the repositories.
    package func text(
        of query: ArticleQuery, in repository: any ArticleRepository, pictures: (any PictureRepository)? = nil
    ) async throws -> String {
        // Use the method for lists because it limits the time of a search. Otherwise a client could keep the library
        // busy with one address.
        let page = try await repository.list(query, after: nil, limit: count)
        var articles: [Article] = []
        try await repository.forEachArticle(ids: page.summaries.map(\.id)) { articles.append($0) }
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
        let found = try await pictures?.pictures(of: articles.map(\.id)) ?? [:]
        for article in articles {
            try await writer.add(ExportedArticle(article: article, pictures: found[article.id] ?? [:]))
        }
        try await writer.end {}
        try sink.flush()
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The web addresses of a feed and of its articles, as far as they are known.
struct FeedAddresses {
    /// The address of the feed.
    let address: String?
    /// The address of the site to which the feed belongs.
    var home: String?
    /// Returns the address of an article on the site. If it returns nil, the feed uses the address of the original.
    var page: (Article) -> String? = { _ in nil }
    /// Returns the address of a picture on the site. If it returns nil, the feed uses the original address.
    var picture: (ArticlePicture) -> String? = { _ in nil }

    /// Returns the text of an article.
    func html(of exported: ExportedArticle) -> String {
        let addresses = exported.pictures.compactMapValues { picture($0) }
        return exported.article.resolvedDocument.replacingPictures(addresses).html()
    }
}

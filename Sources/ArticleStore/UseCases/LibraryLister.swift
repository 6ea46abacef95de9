package import Text

/// A source with its subscription and the numbers of its articles.
package struct ListedSource: Sendable {
    /// The source.
    package let source: Source
    /// The subscription; nil if the source is not fetched.
    package let subscription: Subscription?
    /// The number of its articles.
    package let articles: Int
    /// The number of its unread articles; nil without a user.
    package let unread: Int?

    package init(source: Source, subscription: Subscription?, articles: Int, unread: Int? = nil) {
        (self.source, self.subscription, self.articles, self.unread) = (source, subscription, articles, unread)
    }
}

extension ListedSource {
    /// The path of its icon on a server; nil if it has none.
    package var iconPath: String? { subscription?.hasIcon == true ? source.iconPath : nil }
}

/// An author or a tag, and the number of its unread articles.
package struct ListedLabel: Sendable {
    /// The author or the tag.
    package let label: ArticleLabel
    /// The number of its unread articles.
    package let unread: Int
}

/// The sources, authors, and tags of the library, and the numbers of articles that a user has marked.
package struct LibraryOverview: Sendable {
    /// The article whose author, tags, and source come first; nil if there is none.
    package var article: Article?
    /// The user's own tags of that article.
    package var ownTags: [TagName] = []
    /// All sources.
    package var sources: [Source] = []
    /// The number of articles in the list of all articles.
    package var total = 0
    /// The number of articles of each source. A story from several sources counts for each of them.
    package var counts: [Source.ID: Int] = [:]
    /// All authors.
    package var authors: [ArticleLabel] = []
    /// All tags of articles.
    package var tags: [ArticleLabel] = []
    /// The numbers of marked and of read articles; nil without a user.
    package var marks: (counts: MarkCounts, read: ReadCounts)?
    /// The user's saved searches.
    package var searches: [ListedSearch] = []
}

/// Lists the sources, authors, and tags of the library with the numbers of unread articles of a user. It uses stored
/// counts only, and counts no articles, except for ``statistics()`` and ``searches(at:)``.
package struct LibraryLister: Sendable {
    /// The time for the counts of all saved searches of a user.
    package static let countTime = Duration.seconds(2)

    private let articles: any ArticleRepository
    private let subscriptions: (any SubscriptionRepository)?
    private let user: (marks: any MarkRepository, id: Int64)?

    /// Creates a listing.
    /// - Parameters:
    ///   - articles: the library.
    ///   - subscriptions: the subscriptions of sources; nil if the caller does not need them.
    ///   - marks: the marks of users; nil if they are not stored.
    ///   - userID: the ID of the user; nil without a user.
    package init(
        articles: any ArticleRepository, subscriptions: (any SubscriptionRepository)? = nil,
        marks: (any MarkRepository)?, userID: Int64?
    ) {
        (self.articles, self.subscriptions) = (articles, subscriptions)
        if let marks, let userID { user = (marks, userID) } else { user = nil }
    }

    /// Returns all sources, ordered by their numbers.
    ///
    /// - Throws: the errors of the repositories.
    package func sources() async throws -> [ListedSource] {
        let sources = try await articles.sources()
        let counts = try await articles.articleCounts()
        let read = try await readCounts()?.sources
        let all = try await subscriptions?.subscriptions(for: user?.id) ?? []
        let subscriptions = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
        return sources.map { source in
            let count = counts[source.id] ?? 0
            return ListedSource(
                source: source, subscription: subscriptions[source.id], articles: count,
                unread: read.map { count - ($0[source.id] ?? 0) })
        }
    }

    /// Returns all authors or all tags, ordered by their keys. Without a user, all articles are unread.
    ///
    /// - Throws: the errors of the repositories.
    package func labels(_ kind: ArticleLabel.Kind) async throws -> [ListedLabel] {
        let labels = try await articles.labels(kind)
        let counts = try await readCounts()
        let read = (kind == .author ? counts?.authors : counts?.tags) ?? [:]
        return labels.map { ListedLabel(label: $0, unread: $0.articles - (read[$0.key] ?? 0)) }
    }

    /// Returns the user's own tags, ordered by their keys.
    ///
    /// - Throws: the errors of the repository.
    package func ownTags() async throws -> [MarkCounts.Tag] {
        if let user { try await user.marks.counts(of: user.id).tags } else { [] }
    }

    /// Returns the user's saved searches with their numbers of unread articles, ordered by their names.
    ///
    /// - Parameters:
    ///   - time: the present time, for relative dates.
    ///   - countTime: the time for all counts together.
    /// - Throws: the errors of the repositories.
    package func searches(at time: Date, within countTime: Duration = countTime) async throws -> [ListedSearch] {
        guard let user else { return [] }
        let searches = try await user.marks.savedSearches(of: user.id)
        if searches.isEmpty { return [] }
        let queries = searches.map { $0.query(at: time) }
        // The articles of a list of read articles are not counted.
        let unreadQueries = queries.filter { $0.marks.isRead != true }.map { query in
            var query = query
            query.marks.isRead = false
            return query.withMarks(ofUser: user.id)
        }
        var numbers = try await articles.numbers(
            ofEach: unreadQueries, latestFirst: true, limit: ListedSearch.mostUnread, within: countTime)[...]
        return zip(searches, queries).map { search, query in
            let unread = query.marks.isRead == true ? [] : numbers.removeFirst()
            return ListedSearch(search: search, query: query, unread: unread?.count, newest: unread?.first)
        }
    }

    /// Returns the size of the library, its authors, and the reading of the user.
    ///
    /// - Throws: the errors of the repositories.
    package func statistics() async throws -> LibraryStatistics {
        let size = try await articles.size()
        let authors = try await articles.labels(.author)
        guard let user else {
            return LibraryStatistics(size: size, authors: authors, daysRead: [:], unread: size.articles)
        }
        return LibraryStatistics(
            size: size, authors: authors, daysRead: try await user.marks.readDays(of: user.id),
            unread: try await user.marks.counts(of: user.id).unread)
    }

    /// Returns the overview of the library.
    ///
    /// - Parameters:
    ///   - reference: the article whose author, tags, and source come first; nil if there is none.
    ///   - time: the present time, for the relative dates of saved searches.
    /// - Throws: ``ArticleError/noArticle(_:)``, and the errors of the repositories.
    package func overview(about reference: ArticleReference?, at time: Date) async throws -> LibraryOverview {
        var overview = LibraryOverview()
        if let reference {
            let article = try await articles.existingArticle(reference)
            overview.article = article
            if let user {
                let marks = try await user.marks.marks(of: [article.id], by: user.id)[article.id]
                overview.ownTags = marks?.tags.map(\.value) ?? []
            }
        }
        overview.sources = try await articles.sources()
        overview.total = try await articles.count(ArticleQuery().withMarks(ofUser: user?.id))
        overview.counts = try await articles.articleCounts()
        overview.authors = try await articles.labels(.author)
        overview.tags = try await articles.labels(.tag)
        if let user, let read = try await readCounts() {
            overview.marks = (try await user.marks.counts(of: user.id), read)
            overview.searches = try await searches(at: time)
        }
        return overview
    }

    private func readCounts() async throws -> ReadCounts? {
        if let user { try await user.marks.readCounts(of: user.id) } else { nil }
    }
}

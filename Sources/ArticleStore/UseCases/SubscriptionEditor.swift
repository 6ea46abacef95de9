package import Text

/// Subscribes to feeds and ends subscriptions, and records each change in the audit log. ``LibraryEditor`` changes the
/// names and the tags of sources.
package struct SubscriptionEditor: Sendable {
    private let library: LibraryEditor
    private let subscriptions: any SubscriptionRepository
    private let feeds: (any FeedClient)?
    private let recording: FeedClient.Recording

    /// Creates the changes of a caller.
    ///
    /// - Parameters:
    ///   - articles: The library.
    ///   - subscriptions: The subscriptions of the library.
    ///   - feeds: The client for feeds; nil if this program does not send requests to other servers.
    ///   - recording: Records a change. Returns the library in which the change is made.
    package init(
        articles: any ArticleRepository, subscriptions: any SubscriptionRepository, feeds: (any FeedClient)?,
        recording: @escaping FeedClient.Recording
    ) {
        library = LibraryEditor(articles: articles, recording: recording)
        (self.subscriptions, self.feeds, self.recording) = (subscriptions, feeds, recording)
    }

    /// Subscribes to the feed at an address, or to the only feed of the page there, and imports its articles.
    ///
    /// - Parameters:
    ///   - address: The address; without a scheme, `https` is assumed.
    ///   - name: The name of the source; nil for the title of the feed. If the feed is subscribed already, this is its new
    ///     name.
    ///   - tags: The tags of the source. If the feed is subscribed already, they are added.
    ///   - settings: How the settings differ from the usual ones. If the feed is subscribed already, its settings change.
    ///   - login: The user name and the password for the server of the address. If the feed is subscribed already, this
    ///     replaces them.
    /// - Throws: ``SubscribeError``; ``SourceError`` if the name cannot be used or there are too many tags;
    ///   `CancellationError`; the errors of the library.
    package func subscribe(
        to address: String, name: String? = nil, tags: [TagName] = [],
        settings: SubscriptionChange = SubscriptionChange(), login: FeedLogin? = nil
    ) async throws -> SubscribeOutcome {
        guard !WebAddress.hasUser(String(address.trimmed)) else { throw SubscribeError.addressWithLogin }
        let name = try name.map { text throws(SourceError) in try SourceFacts.checkedName(text) }
        guard Set(tags).count <= SourceFacts.mostTags else { throw SourceError.tooManyTags }
        var new = Subscription.Settings()
        settings.apply(to: &new)
        let outcome = try await requireFeeds().subscribe(
            to: String(address.trimmed), name: name, tags: tags, settings: new, login: login, recording: recording)
        guard case .known(let source) = outcome else { return outcome }
        if !settings.isEmpty { try await change([source], as: settings) }
        return .known(
            try await library.changeSource(source, name: name, tags: .some(adding: tags, removing: [])).source)
    }

    /// Changes the settings of subscriptions, of all or none of them.
    ///
    /// - Returns: the sources whose settings differed.
    /// - Throws: ``SubscribeError/notSubscribed(_:)``; ``SubscribeError/hasEnded(_:_:)`` if a subscription that has ended should be
    ///   paused or resumed; the errors of the library.
    @discardableResult
    package func change(_ sources: [Source], as change: SubscriptionChange) async throws -> [Source] {
        let changed = try await self.sources(sources) { source, subscription in
            if change.paused != nil, subscription.state == .ended {
                throw SubscribeError.hasEnded(source.name, subscription.lastError ?? "")
            }
            var settings = subscription.settings
            change.apply(to: &settings)
            return settings != subscription.settings
        }
        guard !changed.isEmpty else { return [] }
        _ = try await recording("\(change): \(changed.map(\.uid.description).joined(separator: ", "))")
        try await subscriptions.change(changed.map(\.id), as: change)
        return changed
    }

    /// Removes the password of a feed.
    ///
    /// - Throws: ``SubscribeError/notSubscribed(_:)``; the errors of the library.
    package func removePassword(of source: Source) async throws {
        guard try await subscription(of: source).hasPassword else { return }
        _ = try await recording("password removed: \(source.uid)")
        try await subscriptions.setPassword(nil, of: source.id)
    }

    /// Imports a file from another feed reader. See ``FeedClient/importFile(_:recording:storeMarks:)``.
    @discardableResult
    package func importFile(
        _ file: [UInt8], storeMarks: @Sendable ([Int64: JSON]) async throws -> Int = { _ in 0 }
    ) async throws -> ReaderImport {
        try await requireFeeds().importFile(file, recording: recording, storeMarks: storeMarks)
    }

    /// Ends the subscriptions of sources, of all or none of them. The sources and their articles stay.
    ///
    /// - Throws: ``SubscribeError/notSubscribed(_:)``; the errors of the library.
    package func unsubscribe(from sources: [Source]) async throws {
        _ = try await self.sources(sources) { _, _ in true }
        _ = try await recording("unsubscribe: \(sources.map(\.uid.description).joined(separator: ", "))")
        try await subscriptions.remove(sources.map(\.id))
    }

    /// Fetches a source now, whether it is due or not.
    ///
    /// - Throws: ``SubscribeError``, `CancellationError`; the errors of the library.
    @discardableResult
    package func fetch(_ source: Source) async throws -> FetchResult {
        let feeds = try requireFeeds()
        _ = try await subscription(of: source)
        guard let result = try await feeds.fetch(source.id) else { throw SubscribeError.isBeingFetched(source.name) }
        return result
    }

    /// Fetches the page of an article, and stores its main text if it is longer. See ``FeedClient/fetchPage(of:recording:)``.
    ///
    /// - Throws: ``SubscribeError/fetchingIsOff``; ``ArticleError/noPage(_:)`` if the article does not have an address.
    @discardableResult
    package func fetchPage(of article: Article) async throws -> Bool {
        let feeds = try requireFeeds()
        guard article.webAddress != nil else { throw ArticleError.noPage(ArticleReference(article.slug)) }
        return try await feeds.fetchPage(of: article, recording: recording)
    }

    /// Saves the page at an address as an article. See ``FeedClient/savePage(at:tags:recording:)``.
    ///
    /// - Throws: ``SubscribeError/fetchingIsOff``; the errors of the client.
    package func savePage(at address: String, tags: [TagName] = []) async throws -> (article: Article, isNew: Bool) {
        try await requireFeeds().savePage(at: address, tags: tags, recording: recording)
    }

    /// Returns the subscription of a source.
    ///
    /// - Throws: ``SubscribeError/notSubscribed(_:)``; the errors of the library.
    package func subscription(of source: Source) async throws -> Subscription {
        guard let subscription = try await subscriptions.subscriptions().first(where: { $0.id == source.id }) else {
            throw SubscribeError.notSubscribed(source.name)
        }
        return subscription
    }

    /// Changes whether new articles of sources are read at once for a user. It is a choice of the user alone, so the audit
    /// log does not record it.
    ///
    /// - Returns: the sources for which that differed.
    /// - Throws: ``SubscribeError/notSubscribed(_:)``; the errors of the library.
    @discardableResult
    package func setQuiet(_ isQuiet: Bool, _ sources: [Source], by user: Int64) async throws -> [Source] {
        let changed = try await self.sources(sources, for: user) { $1.isQuiet != isQuiet }
        if !changed.isEmpty { try await subscriptions.setQuiet(isQuiet, changed.map(\.id), by: user) }
        return changed
    }

    /// Returns the sources whose subscriptions meet a condition.
    ///
    /// - Throws: ``SubscribeError/notSubscribed(_:)`` if one is not subscribed; the errors of the library.
    private func sources(
        _ sources: [Source], for user: Int64? = nil, where condition: (Source, Subscription) throws -> Bool
    ) async throws -> [Source] {
        let all = try await subscriptions.subscriptions(for: user).map { ($0.id, $0) }
        let known = Dictionary(uniqueKeysWithValues: all)
        return try sources.filter { source in
            guard let subscription = known[source.id] else { throw SubscribeError.notSubscribed(source.name) }
            return try condition(source, subscription)
        }
    }

    private func requireFeeds() throws(SubscribeError) -> any FeedClient {
        guard let feeds else { throw .fetchingIsOff }
        return feeds
    }
}

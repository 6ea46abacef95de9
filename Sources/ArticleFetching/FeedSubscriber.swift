internal import ArticleImporting
package import ArticleStore
internal import HTTPClient
internal import Synchronization
package import Text

/// Subscribes to the feeds of pages, and fetches them. All fronts and the schedule of a process share it.
package final class FeedSubscriber: FeedClient {
    /// The time in seconds in which the usual addresses of feeds are tried. Without it, a slow server could take
    /// minutes, and browsers do not wait that long.
    private static let patience: Double = 30

    private let makeFetcher: @Sendable () throws -> SourceFetcher
    private let made = Mutex<SourceFetcher?>(nil)
    private let executor: (any TaskExecutor)?

    /// - Parameters:
    ///   - executor: Runs the imports, so that other work does not wait for them; nil for the executor of the caller.
    ///   - makeFetcher: Returns the fetcher. It is called once, when a request is needed, because it loads libcurl.
    package init(
        on executor: (any TaskExecutor)? = nil, _ makeFetcher: @escaping @Sendable () throws -> SourceFetcher
    ) {
        (self.executor, self.makeFetcher) = (executor, makeFetcher)
    }

    /// Returns the fetcher.
    ///
    /// - Throws: the error of its creation.
    package func fetcher() throws -> SourceFetcher {
        try made.withLock { made in
            let fetcher = try made ?? makeFetcher()
            made = fetcher
            return fetcher
        }
    }

    package func subscribe(
        to address: String, name: String?, tags: [TagName], settings: Subscription.Settings, login: FeedLogin?,
        recording: Recording
    ) async throws -> SubscribeOutcome {
        try await withTaskExecutorPreference(executor) {
            do {
                return try await subscribeHere(
                    to: address, name: name, tags: tags, settings: settings, login: login, recording: recording)
            } catch let error as HTTPClientError {
                throw error.subscribeError
            }
        }
    }

    package func importFile(
        _ file: [UInt8], recording: Recording, storeMarks: @Sendable ([Int64: JSON]) async throws -> Int
    ) async throws -> ReaderImport {
        try await withTaskExecutorPreference(executor) {
            try await importHere(file, recording: recording, storeMarks: storeMarks)
        }
    }

    package func fetch(_ source: Source.ID) async throws -> FetchResult? {
        try await withTaskExecutorPreference(executor) { try await fetchHere(source) }
    }

    package func fetchPage(of article: Article, recording: Recording) async throws -> Bool {
        try await withTaskExecutorPreference(executor) {
            do {
                return try await fetchPageHere(of: article, recording: recording)
            } catch let error as any ExplainedError where error is PageError || error is HTTPClientError {
                throw SubscribeError.unreachable(error.description, error.errorKind)
            }
        }
    }

    package func savePage(
        at address: String, tags: [TagName], recording: @escaping Recording
    ) async throws -> (article: Article, isNew: Bool) {
        try await withTaskExecutorPreference(executor) {
            do {
                return try await savePageHere(at: address, tags: tags, recording: recording)
            } catch let error as HTTPClientError {
                throw error.subscribeError
            }
        }
    }

    // These methods are concurrent: otherwise they would run on the executor of the caller.

    @concurrent
    private func subscribeHere(
        to text: String, name: String?, tags: [TagName], settings: Subscription.Settings, login: FeedLogin?,
        recording: Recording
    ) async throws -> SubscribeOutcome {
        let fetcher = try fetcher()
        let url = try HTTPURL(typed: text)
        let password = login.map { FeedPassword($0, for: url.origin) }
        func known(_ addresses: [String]) async throws -> SubscribeOutcome? {
            guard let (source, address) = try await self.known(addresses, to: fetcher) else { return nil }
            if let password, try HTTPURL(address).origin == password.origin {
                _ = try await recording("password: \(source.uid)")
                try await fetcher.subscriptions.setPassword(password, of: source.id)
            }
            return .known(source)
        }
        if let outcome = try await known([url.text]) { return outcome }
        let found: Found
        switch try await find(at: url, password, by: fetcher) {
        case .several(let feeds): return .several(feeds)
        case .feed(let feed): found = feed
        }
        if let outcome = try await known(found.addresses) { return outcome }

        let source = try await recording("subscribe: \(found.addresses[0])").write(needing: WriteNeeds()) { writer in
            let sources = try writer.sources()
            let other = name.flatMap { sources.named($0) }
            var known = KnownFeeds(sources)
            var source = try writer.feed(
                at: found.addresses, title: name ?? found.facts.title,
                home: found.facts.home ?? found.response.url.text, tags: tags, among: &known)
            if let other, other.id != source.id { throw SourceError.nameTaken(other.name) }
            let before = source
            if let name { source.facts.name = name }
            // A feed that was imported before may state another address. Exports need the one that is fetched.
            source.facts.feedURL = found.addresses[0]
            if source.kind == .feed { source.facts.location = ExactText(found.addresses[0]) }
            if source != before { try writer.update(source) }
            return source
        }
        // Another process must not fetch the feed before its first response is imported.
        let end = fetcher.clock().addingTimeInterval(SourceFetcher.claimTime)
        var subscription = Subscription(source: source.id, address: found.addresses[0], nextFetch: end)
        subscription.settings = settings
        try await fetcher.subscriptions.insert([subscription])
        if let password, try HTTPURL(found.addresses[0]).origin == password.origin {
            try await fetcher.subscriptions.setPassword(password, of: source.id)
        }
        guard let result = try await fetcher.begin(subscription, of: source, with: found.response) else {
            return .known(source)
        }
        return .subscribed(result)
    }

    @concurrent
    private func importHere(
        _ file: [UInt8], recording: Recording, storeMarks: MarkStoring
    ) async throws -> ReaderImport {
        guard let format = ImportFormat(ofFeedReader: file) else { throw SubscribeError.unknownFile }
        let fetcher = try fetcher()
        var options = fetcher.importing
        options.format = format
        let importer = ArticleImporter(
            repository: try await recording("import: a file of another feed reader"),
            subscriptions: fetcher.subscriptions, options: options)
        var result = ReaderImport()
        let (report, _) = try await fetcher.report(
            of: file, named: "the file", importer,
            onRejection: { rejection in
                guard result.problems.count < ReaderImport.keptProblems else { return }
                result.problems.append(rejection.words)
            },
            storeMarks: { marks in
                let count = try await storeMarks(marks)
                result.marked += count
            })
        if report.isInterrupted { throw CancellationError() }
        (result.subscribed, result.knownFeeds) = (report.subscribed, report.feeds.count - report.subscribed)
        (result.new, result.known, result.rejected) = (report.inserted, report.unchanged, report.rejected)
        guard report.failure == nil, report.feeds.count + result.new + result.known + report.deleted > 0 else {
            throw SubscribeError.unknownFile
        }
        return result
    }

    @concurrent
    private func fetchHere(_ source: Source.ID) async throws -> FetchResult? {
        var result: FetchResult?
        _ = try await fetcher().fetch([source], onResult: { result = $0 }, onRemoval: { result?.removed = $0 })
        return result
    }

    @concurrent
    private func savePageHere(
        at address: String, tags: [TagName], recording: @escaping Recording
    ) async throws -> (article: Article, isNew: Bool) {
        let fetcher = try fetcher()
        let saver = PageSaver(
            PageFetcher(send: fetcher.send), articles: fetcher.articles,
            editor: LibraryEditor(articles: fetcher.articles, recording: recording))
        return switch try await saver.save(address, tags: tags.map(\.name)) {
        case .added(let article): (article, true)
        case .known(let article): (article, false)
        }
    }

    @concurrent
    private func fetchPageHere(of article: Article, recording: Recording) async throws -> Bool {
        try await fetcher().fullTexts.load(article) { try await recording("full text: \(article.id)") }
    }

    /// A feed that was found, with its response.
    private struct Found {
        let response: ClientResponse
        let facts: FeedFacts
        /// The address to fetch, and then the other addresses that led to the feed.
        let addresses: [String]

        init?(_ response: ClientResponse) {
            guard (200..<300).contains(response.status), let facts = FeedFacts(response.body) else { return nil }
            (self.response, self.facts) = (response, facts)
            let address = response.permanentTarget.text
            addresses =
                [address] + (response.redirects.map(\.from) + [response.url]).map(\.text).filter { $0 != address }
        }
    }

    private enum Finding {
        case feed(Found)
        case several([FoundFeed])
    }

    private func find(at url: HTTPURL, _ password: FeedPassword?, by fetcher: SourceFetcher) async throws -> Finding {
        let end = fetcher.clock().addingTimeInterval(Self.patience)
        if let rule = FeedFinder.byRule(url), let found = try await feed(at: rule.url, password, by: fetcher) {
            return .feed(found)
        }
        let page = try await fetcher.send(ClientRequest(url, password))
        guard (200..<300).contains(page.status) else { throw SubscribeError.status(page.status, url.text) }
        if let found = Found(page) { return .feed(found) }
        let links = FeedFinder.linked(in: String(decoding: page.body, as: UTF8.self), at: page.url)
        if links.count > 1 { return .several(links.map { FoundFeed(address: $0.url.text, title: $0.title) }) }
        for candidate in links.isEmpty ? FeedFinder.guesses(page.url) : links where fetcher.clock() < end {
            if let found = try await feed(at: candidate.url, password, by: fetcher) { return .feed(found) }
        }
        throw SubscribeError.noFeed(url.text)
    }

    /// Returns the feed at an address that was guessed or linked; nil if there is none.
    private func feed(
        at url: HTTPURL, _ password: FeedPassword?, by fetcher: SourceFetcher
    ) async throws -> Found? {
        do throws(HTTPClientError) {
            return Found(try await fetcher.send(ClientRequest(url, password)))
        } catch {
            guard case .canceled = error else { return nil }
            throw CancellationError()
        }
    }

    /// Returns the source of an active subscription that has or had one of these addresses, and its address.
    private func known(
        _ addresses: [String], to fetcher: SourceFetcher
    ) async throws -> (source: Source, address: String)? {
        let addresses = Set(addresses)
        let active = try await fetcher.subscriptions.subscriptions().filter { $0.state == .active }
        guard !active.isEmpty else { return nil }
        let sources = try await fetcher.articles.sources()
        let former = Set(sources.filter { $0.wasFeed(at: addresses) }.map(\.id))
        let found =
            active.first { subscription in
                addresses.contains(subscription.address)
                    || subscription.move.map { addresses.contains($0.address) } == true
            } ?? active.first { former.contains($0.id) }
        guard let subscription = found else { return nil }
        let source = sources.first { $0.id == subscription.id }
        return source.map { ($0, subscription.address) }
    }
}

extension ClientRequest {
    /// Creates a request with a password, unless that belongs to another host.
    fileprivate init(_ url: HTTPURL, _ password: FeedPassword?) {
        self.init(url)
        credentials = password?.credentials(for: url)
    }
}

extension HTTPClientError {
    /// The error for a user who gave the address. The operator's errors stay as they are.
    fileprivate var subscribeError: any Error {
        switch self {
        case .canceled: CancellationError()
        case .unavailable, .outOfMemory, .passwordInTheClear: self
        case .badAddress, .badScheme, .badField: SubscribeError.invalidAddress(description)
        case .forbiddenPort, .forbiddenHost: SubscribeError.addressNotAllowed(description)
        default: SubscribeError.unreachable(description, errorKind)
        }
    }
}

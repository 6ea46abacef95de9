internal import ArticleImporting
package import ArticleStore
internal import HTTPClient
package import Text

/// Subscribes to the feeds of pages.
package struct FeedSubscriber: Sendable {
    /// The result for an address.
    package enum Outcome: Sendable {
        /// The feed is subscribed now. The value is the result of its first fetch.
        case subscribed(FetchResult)
        /// The feed was subscribed already.
        case known(Source)
        /// The page has several feeds. The user must choose.
        case several([FeedFinder.Candidate])
    }

    private let fetcher: SourceFetcher
    private let recording: any ArticleRepository

    /// - Parameters:
    ///   - fetcher: The fetcher, whose repositories are used.
    ///   - recording: The library for the creation of sources, such as one that records it in the audit log.
    package init(_ fetcher: SourceFetcher, recording: any ArticleRepository) {
        (self.fetcher, self.recording) = (fetcher, recording)
    }

    /// Subscribes to the feed at an address, or to the only feed of the page there.
    ///
    /// - Parameters:
    ///   - text: The address; without a scheme, `https` is assumed.
    ///   - name: The name of the source; nil for the title of the feed.
    ///   - tags: The tags of the source.
    ///   - fullText: Whether the main texts of the pages replace the summaries of the feed. If the feed is subscribed
    ///     already, this changes it. Nil for no, and for no change.
    /// - Throws: ``SubscribeError``, `HTTPClientError`, `CancellationError`; the errors of the library.
    package func subscribe(
        to text: String, name: String? = nil, tags: [TagName] = [], fullText: Bool? = nil
    ) async throws -> Outcome {
        let outcome = try await outcome(for: text, name, tags, fullText)
        if case .known(let source) = outcome, let fullText {
            try await fetcher.subscriptions.setFullText(fullText, of: [source.id])
        }
        return outcome
    }

    private func outcome(
        for text: String, _ name: String?, _ tags: [TagName], _ fullText: Bool?
    ) async throws -> Outcome {
        let url = try HTTPURL(text.contains("://") ? text : "https://" + text)
        if let source = try await known([url.text]) { return .known(source) }
        let found: Found
        switch try await find(at: url) {
        case .several(let candidates): return .several(candidates)
        case .feed(let feed): found = feed
        }
        if let source = try await known(found.addresses) { return .known(source) }

        let source = try await recording.write(needing: WriteNeeds()) { writer in
            var sources = try writer.sources()
            var source = try writer.feed(
                at: found.addresses, title: name ?? found.facts.title,
                home: found.facts.home ?? found.response.url.text, tags: tags, among: &sources)
            let before = source
            // A feed that was imported before may state another address. Exports need the one that is fetched.
            source.facts.feedURL = found.addresses[0]
            if source.kind == .feed { source.facts.location = ExactText(found.addresses[0]) }
            if source != before { try writer.update(source) }
            return source
        }
        // Another process must not fetch the feed before its first response is imported.
        let end = fetcher.clock().addingTimeInterval(SourceFetcher.claimTime)
        var subscription = Subscription(source: source.id, address: found.addresses[0], nextFetch: end)
        subscription.hasFullText = fullText ?? false
        try await fetcher.subscriptions.insert([subscription])
        guard let result = try await fetcher.begin(subscription, of: source, with: found.response) else {
            return .known(source)
        }
        return .subscribed(result)
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
        case several([FeedFinder.Candidate])
    }

    private func find(at url: HTTPURL) async throws -> Finding {
        if let rule = FeedFinder.byRule(url), let found = try await feed(at: rule.url) { return .feed(found) }
        let page = try await fetcher.send(ClientRequest(url))
        guard (200..<300).contains(page.status) else { throw SubscribeError.status(page.status, url.text) }
        if let found = Found(page) { return .feed(found) }
        let links = FeedFinder.linked(in: String(decoding: page.body, as: UTF8.self), at: page.url)
        if links.count > 1 { return .several(links) }
        for candidate in links.isEmpty ? FeedFinder.guesses(page.url) : links {
            if let found = try await feed(at: candidate.url) { return .feed(found) }
        }
        throw SubscribeError.noFeed(url.text)
    }

    /// Returns the feed at an address that was guessed or linked; nil if there is none.
    private func feed(at url: HTTPURL) async throws -> Found? {
        do throws(HTTPClientError) {
            return Found(try await fetcher.send(ClientRequest(url)))
        } catch {
            guard case .canceled = error else { return nil }
            throw CancellationError()
        }
    }

    /// Returns the source of an active subscription that has or had one of these addresses.
    private func known(_ addresses: [String]) async throws -> Source? {
        let addresses = Set(addresses)
        let subscriptions = try await fetcher.subscriptions.subscriptions().filter { subscription in
            subscription.state == .active
                && (addresses.contains(subscription.address)
                    || subscription.move.map { addresses.contains($0.address) } == true)
        }
        guard let id = subscriptions.first?.id else { return nil }
        return try await fetcher.articles.sources().first { $0.id == id }
    }
}

/// The reason why an address cannot be subscribed.
package enum SubscribeError: Error, Hashable, ExplainedError {
    /// The page does not lead to a feed.
    case noFeed(String)
    /// The server responded with this status.
    case status(Int, String)

    package var description: String {
        switch self {
        case .noFeed(let address): "there is no feed at \(address.sanitized())"
        case .status(let status, let address): "the server responded with status \(status) for \(address.sanitized())"
        }
    }

    package var errorKind: ErrorKind {
        switch self {
        case .noFeed, .status(404, _), .status(410, _): .notFound
        case .status(401, _), .status(403, _): .notAllowed
        case .status: .busy
        }
    }

    package var hint: String? {
        switch self {
        case .noFeed: "open the page in a browser, and give the address of its feed (RSS, Atom, or JSON Feed)"
        case .status(404, _), .status(410, _): "check the address"
        case .status(401, _), .status(403, _): "feeds behind a login are not supported"
        case .status: "try again later"
        }
    }
}

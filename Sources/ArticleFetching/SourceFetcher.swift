package import ArticleImporting
package import ArticleStore
package import HTTPClient
internal import Platform
package import Text

/// Fetches subscribed sources, and imports their articles.
///
/// Processes share the work by claims, so none fetches what another one fetches. A process that ends in the middle
/// leaves claims, which end by themselves.
package struct SourceFetcher: Sendable {
    /// Sends a request. Tests pass a server in memory.
    package typealias Send = @Sendable (ClientRequest) async throws(HTTPClientError) -> ClientResponse

    /// The time in seconds that a process may take for what it has claimed. It must suffice for slow hosts with several
    /// sources, because a host gets one request at a time.
    package static let claimTime: Double = 30 * 60
    /// The number of subscriptions to claim at once. Their results are stored in one transaction.
    package static let claimCount = 64
    /// The number of sources to fetch at the same time. It limits the memory for responses.
    private static let width = 16
    /// The time in seconds for which a permanent redirect must last before it replaces the address.
    private static let moveTime: Double = 24 * 3_600

    let send: Send
    let articles: any ArticleRepository
    let subscriptions: any SubscriptionRepository
    private let schedule: FetchSchedule
    let clock: @Sendable () -> Date
    let importing: ImportOptions
    /// The name of this process in claims.
    private let holder: String

    /// - Parameters:
    ///   - articles: The library.
    ///   - subscriptions: The subscriptions of the library.
    ///   - importing: The options of imports, such as the folder for temporary files.
    ///   - holder: A name that no other process has.
    ///   - clock: The present time.
    ///   - random: A number from 0 to 1.
    ///   - send: Sends a request.
    package init(
        articles: any ArticleRepository, subscriptions: any SubscriptionRepository, importing: ImportOptions,
        holder: String, clock: @escaping @Sendable () -> Date,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }, send: @escaping Send
    ) {
        (self.articles, self.subscriptions, self.importing, self.holder) = (articles, subscriptions, importing, holder)
        (self.clock, self.send) = (clock, send)
        schedule = FetchSchedule(random: random)
    }

    /// Fetches subscriptions that are due, up to ``claimCount``.
    ///
    /// - Parameter onResult: Called after each fetch.
    /// - Returns: The number of fetched sources. It is 0 if none was due.
    /// - Throws: `CancellationError`; the errors of the library.
    package func fetchDue(onResult: (FetchResult) -> Void = { _ in }) async throws -> Int {
        let claimed = try await subscriptions.claimDue(upTo: Self.claimCount, by: claim())
        try await fetch(claimed, onResult)
        return claimed.count
    }

    /// Fetches sources now, whether they are due or not.
    ///
    /// - Returns: The sources that were left out, because another process fetches them or they are not subscribed.
    /// - Throws: `CancellationError`; the errors of the library.
    package func fetch(
        _ sources: [Source.ID], onResult: (FetchResult) -> Void = { _ in }
    ) async throws -> Set<Source.ID> {
        let claimed = try await subscriptions.claim(sources, by: claim())
        try await fetch(claimed, onResult)
        return Set(sources).subtracting(claimed.map(\.id))
    }

    /// Imports the response to a first request, and stores the result.
    ///
    /// - Parameter subscription: A subscription that is stored and not claimed.
    package func begin(
        _ subscription: Subscription, of source: Source, with response: ClientResponse
    ) async throws -> FetchResult? {
        guard let claimed = try await subscriptions.claim([subscription.id], by: claim()).first else { return nil }
        do {
            let result = try await result(of: response, for: claimed, of: source)
            try await subscriptions.finish([result.subscription], holder: holder)
            return result
        } catch {
            await release([claimed])
            throw error
        }
    }

    private func claim() -> FetchClaim {
        let now = clock()
        return FetchClaim(holder: holder, start: now, end: now.addingTimeInterval(Self.claimTime))
    }

    private func fetch(_ claimed: [Subscription], _ onResult: (FetchResult) -> Void) async throws {
        guard !claimed.isEmpty else { return }
        var open = Dictionary(uniqueKeysWithValues: claimed.map { ($0.id, $0) })
        var finished: [Subscription] = []
        do {
            let sources = Dictionary(uniqueKeysWithValues: try await articles.sources().map { ($0.id, $0) })
            try await withThrowingTaskGroup(of: FetchResult.self) { group in
                var rest = claimed.compactMap { subscription in sources[subscription.id].map { (subscription, $0) } }[
                    ...]
                func startNext() {
                    guard let (subscription, source) = rest.popFirst() else { return }
                    group.addTask { try await fetch(subscription, of: source) }
                }
                for _ in 0..<Self.width { startNext() }
                while let result = try await group.next() {
                    open[result.source.id] = nil
                    finished.append(result.subscription)
                    onResult(result)
                    startNext()
                }
            }
        } catch {
            await release(Array(open.values), after: finished)
            throw error
        }
        try await subscriptions.finish(finished, holder: holder)
    }

    /// Stores results, and makes the other claimed subscriptions due again. Works in a canceled task too.
    private func release(_ claimed: [Subscription], after finished: [Subscription] = []) async {
        let released = claimed.map { subscription in
            var subscription = subscription
            subscription.nextFetch = clock()
            return subscription
        }
        // If this fails, the claims end by themselves.
        await Task { [subscriptions, holder] in
            try? await subscriptions.finish(finished + released, holder: holder)
        }.value
    }

    private func fetch(_ subscription: Subscription, of source: Source) async throws -> FetchResult {
        let response: ClientResponse
        do throws(HTTPClientError) {
            var request = ClientRequest(try HTTPURL(subscription.address))
            request.fields = subscription.validators.fields
            response = try await send(request)
        } catch {
            switch error {
            case .canceled: throw CancellationError()
            case .unavailable, .outOfMemory: return postponed(subscription, of: source, error.description)
            default:
                return failed(subscription, of: source, error.description, at: clock(), notBefore: nil)
            }
        }
        return try await result(of: response, for: subscription, of: source)
    }

    private func result(
        of response: ClientResponse, for subscription: Subscription, of source: Source
    ) async throws -> FetchResult {
        let now = clock()
        switch response.status {
        case 200..<300:
            do {
                return try await imported(response, for: subscription, of: source, at: now)
            } catch let error as StoreError where error.kind != .interrupted {
                return postponed(subscription, of: source, error.description)
            } catch let error as ImportError {
                return postponed(subscription, of: source, error.description)
            } catch let error as SourceError {
                // The source was removed while it was fetched, and its subscription with it.
                return postponed(subscription, of: source, error.description)
            }
        case 304 where !subscription.validators.isEmpty:
            return try await fetched(subscription, of: source, response, at: now, .unchanged)
        case 410 where response.redirects.allSatisfy(\.isPermanent):
            var ended = subscription
            (ended.state, ended.lastFetch) = (.ended, now)
            ended.lastError = "the server has removed the feed permanently (status 410)"
            return FetchResult(source: source, subscription: ended, outcome: .ended(ended.lastError ?? ""))
        case let status:
            return failed(
                subscription, of: source, "the server responded with status \(status)", at: now,
                notBefore: status == 429 || status == 503 ? response.retryTime(at: now) : nil)
        }
    }

    /// Imports the body of a response.
    private func imported(
        _ response: ClientResponse, for subscription: Subscription, of source: Source, at now: Date
    ) async throws -> FetchResult {
        var subscription = subscription
        let content = response.body.withUnsafeBufferPointer { Int64(bitPattern: RecordHash($0, seed: 0).value) }
        guard subscription.content != content else {
            subscription.validators = response.validators
            return try await fetched(subscription, of: source, response, at: now, .unchanged)
        }
        // Without validators, the server sends the feed again.
        (subscription.validators, subscription.content) = (Subscription.Validators(), nil)
        guard let facts = FeedFacts(response.body) else {
            return failed(subscription, of: source, "the response is not a feed", at: now, notBefore: nil)
        }
        let report = try await report(of: response.body, facts, into: source)
        // A part of the feed may be missing, so its validators must not be stored.
        if report.isInterrupted { throw CancellationError() }
        guard report.failure == nil, report.rejected == 0 || report.count > 0 else {
            let reason = "the feed cannot be read; for details: articlesctl sources show"
            return failed(subscription, of: source, reason, at: now, notBefore: nil)
        }
        (subscription.validators, subscription.content) = (response.validators, content)
        subscription.wishes = facts.wishes
        if report.inserted > 0 || subscription.latest.isEmpty {
            var query = ArticleQuery()
            query.source = source.name
            let page = try await articles.list(query, after: nil, limit: Subscription.keptDates)
            subscription.latest = page.summaries.map(\.published)
        }
        return try await fetched(
            subscription, of: source, response, at: now, .imported(new: report.inserted, changed: report.updated))
    }

    private func report(of body: [UInt8], _ facts: FeedFacts, into source: Source) async throws -> ImportReport {
        var options = importing
        (options.source, options.existingSource, options.format) = (source.name, source.id, facts.format)
        return try await report(of: body, named: source.name, ArticleImporter(repository: articles, options: options))
    }

    /// Imports a document.
    ///
    /// - Parameter name: The name of the document, for errors.
    func report(of document: [UInt8], named name: String, _ importer: ArticleImporter) async throws -> ImportReport {
        let file: TemporaryFile
        do throws(SystemError) {
            file = try TemporaryFile(in: importing.temporaryFolder)
            try file.append(document)
            try file.rewind()
        } catch {
            throw ImportError.cannotKeep(name, folder: importing.temporaryFolder, reason: error.description)
        }
        defer { withExtendedLifetime(file) {} }
        return try await importer.run([.descriptor(file.descriptor, name: name)])
    }

    /// Returns the result of a fetch that found the feed, new or unchanged.
    private func fetched(
        _ subscription: Subscription, of source: Source, _ response: ClientResponse, at now: Date,
        _ outcome: FetchResult.Outcome
    ) async throws -> FetchResult {
        var subscription = subscription
        (subscription.state, subscription.lastFetch, subscription.lastSuccess) = (.active, now, now)
        (subscription.failures, subscription.lastError) = (0, nil)
        subscription.nextFetch = schedule.next(
            after: now, .fetched(freshness: response.freshness(at: now)), published: subscription.latest,
            wishes: subscription.wishes)
        var hasMoved = false
        let target = response.permanentTarget.text
        if target == subscription.address || response.redirects.isEmpty {
            subscription.move = nil
        } else if let move = subscription.move, move.address == target {
            if now.timeIntervalSince(move.since) >= Self.moveTime {
                (subscription.address, subscription.move, hasMoved) = (target, nil, true)
                try await storeMove(of: source, to: target)
            }
        } else {
            subscription.move = Subscription.Move(to: target, since: now)
        }
        return FetchResult(source: source, subscription: subscription, outcome: outcome, hasMoved: hasMoved)
    }

    /// Stores a new address in the source, for exports.
    private func storeMove(of source: Source, to address: String) async throws {
        try await articles.write(needing: WriteNeeds()) { writer in
            guard var source = try writer.sources().first(where: { $0.id == source.id }) else { return }
            (source.facts.location, source.facts.feedURL) = (ExactText(address), address)
            try writer.update(source)
        }
    }

    private func failed(
        _ subscription: Subscription, of source: Source, _ reason: String, at now: Date, notBefore: Date?
    ) -> FetchResult {
        var subscription = subscription
        subscription.failures += 1
        (subscription.lastFetch, subscription.lastError) = (now, reason)
        subscription.nextFetch = schedule.next(
            after: now, .failed(count: subscription.failures, notBefore: notBefore), published: subscription.latest,
            wishes: subscription.wishes)
        return FetchResult(source: source, subscription: subscription, outcome: .failed(reason))
    }

    /// Returns the result of a fetch that could not be done for a reason that the source is not to blame for.
    private func postponed(_ subscription: Subscription, of source: Source, _ reason: String) -> FetchResult {
        var subscription = subscription
        subscription.nextFetch = clock().addingTimeInterval(FetchSchedule.intervals.lowerBound)
        return FetchResult(source: source, subscription: subscription, outcome: .postponed(reason))
    }
}

extension ImportReport {
    /// The number of articles that were read.
    fileprivate var count: Int { inserted + updated + renamed + unchanged + kept + deleted }
}

extension Subscription.Validators {
    /// The fields of a conditional request.
    fileprivate var fields: [HTTPClientField] {
        (entityTag.map { [HTTPClientField("If-None-Match", $0)] } ?? [])
            + (lastModified.map { [HTTPClientField("If-Modified-Since", $0)] } ?? [])
    }
}

extension ClientResponse.Redirect {
    /// Whether the address has changed permanently (RFC 9110, sections 15.4.2 and 15.4.9).
    var isPermanent: Bool { status == 301 || status == 308 }
}

extension ClientResponse {
    fileprivate var validators: Subscription.Validators {
        Subscription.Validators(entityTag: value(of: "etag"), lastModified: value(of: "last-modified"))
    }

    /// The address to which the permanent redirects at the beginning lead.
    var permanentTarget: HTTPURL {
        redirects.first { !$0.isPermanent }?.from ?? url
    }
}

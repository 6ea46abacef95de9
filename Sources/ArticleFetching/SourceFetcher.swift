package import ArticleImporting
package import ArticleStore
package import HTTPClient
internal import Platform
package import Text

/// Fetches subscribed sources, and imports their articles.
///
/// Processes share the work by claims, so none fetches what another one fetches. A process renews its claims until it
/// has the results. The claims of a process that was killed end by themselves.
package struct SourceFetcher: Sendable {
    /// Sends a request. Tests pass a server in memory.
    package typealias Send = @Sendable (ClientRequest) async throws(HTTPClientError) -> ClientResponse

    /// The time in seconds for which a claim lasts. After a crash, other processes wait that long.
    package static let claimTime: Double = 90
    /// The time between two renewals of claims. Several may fail before a claim ends, such as while the library is busy.
    package static let renewalPause = Duration.seconds(20)
    /// The number of subscriptions to claim at once. Their results are stored in one transaction.
    package static let claimCount = 64
    /// The number of sources to fetch at the same time. It limits the memory for responses.
    private static let width = 16
    /// The time in seconds for which a permanent redirect must last before it replaces the address.
    private static let moveTime: Double = 24 * 3_600

    /// Sends a request.
    package let send: Send
    let articles: any ArticleRepository
    let subscriptions: any SubscriptionRepository
    private let schedule: FetchSchedule
    let clock: @Sendable () -> Date
    let importing: ImportOptions
    /// The name of this process in claims.
    private let holder: String
    /// Returns when claims must be renewed.
    private let pause: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - articles: The library.
    ///   - subscriptions: The subscriptions of the library.
    ///   - importing: The options of imports, such as the folder for temporary files.
    ///   - holder: A name that no other process has.
    ///   - clock: The present time.
    ///   - random: A number from 0 to 1.
    ///   - pause: Returns when claims must be renewed, and throws if the task is canceled.
    ///   - send: Sends a request.
    package init(
        articles: any ArticleRepository, subscriptions: any SubscriptionRepository, importing: ImportOptions,
        holder: String, clock: @escaping @Sendable () -> Date,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: SourceFetcher.renewalPause) },
        send: @escaping Send
    ) {
        self.pause = pause
        (self.articles, self.subscriptions, self.importing, self.holder) = (articles, subscriptions, importing, holder)
        (self.clock, self.send) = (clock, send)
        schedule = FetchSchedule(random: random)
    }

    /// Fetches subscriptions until none is due.
    ///
    /// - Parameters:
    ///   - onResult: Called after each fetch.
    ///   - onRemoval: Called with the number of articles that were removed because their sources do not keep them.
    /// - Returns: The number of fetched sources. It is 0 if none was due.
    /// - Throws: `CancellationError`; the errors of the library.
    package func fetchDue(
        onResult: (FetchResult) -> Void = { _ in }, onRemoval: (Int) -> Void = { _ in }
    ) async throws -> Int {
        _ = try await subscriptions.makePingedSourcesDue(at: clock())
        return try await fetch(onResult, onRemoval) {
            try await claimDue()
        }
    }

    /// Claims due sources, and postpones those whose feeds skip the present hour: this run may be late. An announcement of a
    /// hub counts more than the hour.
    private func claimDue() async throws -> [Subscription] {
        while true {
            let claimed = try await subscriptions.claimDue(upTo: Self.claimCount, by: claim())
            let now = clock()
            let postponed = claimed.compactMap { subscription -> Subscription? in
                var subscription = subscription
                subscription.nextFetch = FetchSchedule.skipping(subscription.wishes, from: now)
                return subscription.nextFetch > now && subscription.announcementEnd == nil ? subscription : nil
            }
            if postponed.isEmpty { return claimed }
            try await subscriptions.finish(postponed, holder: holder)
            let left = Set(postponed.map(\.id))
            let wanted = claimed.filter { !left.contains($0.id) }
            if !wanted.isEmpty { return wanted }
        }
    }

    /// Fetches sources now, whether they are due or not.
    ///
    /// - Returns: The sources that were left out, because another process fetches them or they are not subscribed.
    /// - Throws: `CancellationError`; the errors of the library.
    package func fetch(
        _ sources: [Source.ID], onResult: (FetchResult) -> Void = { _ in }, onRemoval: (Int) -> Void = { _ in }
    ) async throws -> Set<Source.ID> {
        let claimed = try await subscriptions.claim(sources, by: claim())
        var batches = [claimed]
        _ = try await fetch(onResult, onRemoval) { batches.popLast() ?? [] }
        return Set(sources).subtracting(claimed.map(\.id))
    }

    /// Fetches all sources of the schedule now, whether they are due or not. It leaves out a source whose server has asked
    /// to wait, until it is due.
    ///
    /// - Parameters:
    ///   - onResult: Called after each fetch.
    ///   - onRemoval: Called with the number of articles that were removed because their sources do not keep them.
    /// - Returns: The number of sources that were left out because of their server, or because another process fetches
    ///   them.
    /// - Throws: `CancellationError`; the errors of the library.
    package func fetchAll(
        onResult: (FetchResult) -> Void = { _ in }, onRemoval: (Int) -> Void = { _ in }
    ) async throws -> Int {
        let scheduled = try await subscriptions.subscriptions().filter(\.isScheduled)
        let now = clock()
        let sources = scheduled.filter { !$0.waitsForServer || $0.nextFetch <= now }.map(\.id)
        let leftOut = try await fetch(sources, onResult: onResult, onRemoval: onRemoval)
        return scheduled.count - sources.count + leftOut.count
    }

    /// Imports the response to a first request, and stores the result.
    ///
    /// - Parameter subscription: A subscription that is stored and not claimed.
    package func begin(
        _ subscription: Subscription, of source: Source, with response: ClientResponse
    ) async throws -> FetchResult? {
        guard let claimed = try await subscriptions.claim([subscription.id], by: claim()).first else { return nil }
        // It is canceled at the end of this function.
        async let _ = renewUntilCanceled([claimed.id])
        do {
            let result = try await result(of: response, for: claimed, of: source)
            try await subscriptions.finish([result.subscription], holder: holder)
            return result
        } catch {
            await release([claimed])
            throw error
        }
    }

    var fullTexts: FullTextLoader { FullTextLoader(pages: PageFetcher(send: send), articles: articles, clock: clock) }

    private func claim() -> FetchClaim {
        let now = clock()
        return FetchClaim(holder: holder, start: now, end: now.addingTimeInterval(Self.claimTime))
    }

    private func untilRenewal() async throws -> FetchResult? {
        try await pause()
        return nil
    }

    private func renewUntilCanceled(_ sources: [Source.ID]) async {
        while (try? await pause()) != nil { await renew(sources) }
    }

    /// Renews claims. If this fails, such as while the library is busy, the next renewal may still be in time.
    private func renew(_ sources: [Source.ID]) async { try? await subscriptions.renew(sources, by: claim()) }

    /// The state of fetches that run at the same time.
    private struct Round {
        /// The subscriptions whose results are not stored yet.
        var open: [Source.ID: Subscription] = [:]
        /// The results that are not stored yet.
        var results: [FetchResult] = []
        /// The number of all results.
        var count = 0
        /// Whether a server has responded.
        var hasResponse = false

        mutating func add(_ result: FetchResult) {
            results.append(result)
            count += 1
            if !result.isUnreachable { hasResponse = true }
        }
    }

    /// Fetches the subscriptions that `claim` returns, until it returns none. It is called again as soon as few are left, so
    /// that a slow host delays no other.
    ///
    /// - Returns: The number of fetched sources.
    private func fetch(
        _ onResult: (FetchResult) -> Void, _ onRemoval: (Int) -> Void, claim: () async throws -> [Subscription]
    ) async throws -> Int {
        var round = Round()
        do {
            // A task without a result waits for the next renewal of the claims.
            try await withThrowingTaskGroup(of: FetchResult?.self) { group in
                group.addTask { try await untilRenewal() }
                var sources: [Source.ID: Source] = [:]
                var passwords: [Source.ID: FeedPassword] = [:]
                var waiting: ArraySlice<Subscription> = []
                var (running, isDone) = (0, false)
                while true {
                    while running < Self.width, !isDone || !waiting.isEmpty {
                        if waiting.isEmpty {
                            // A claim of this process that has ended is taken again, although its fetch may still run.
                            let claimed = try await claim().filter { round.open[$0.id] == nil }
                            isDone = claimed.isEmpty
                            for subscription in claimed { round.open[subscription.id] = subscription }
                            waiting = claimed[...]
                            let protected = claimed.filter(\.hasPassword).map(\.id)
                            if !protected.isEmpty {
                                passwords.merge(try await subscriptions.passwords(of: protected)) { $1 }
                            }
                            if claimed.contains(where: { sources[$0.id] == nil }) {
                                sources = Dictionary(
                                    uniqueKeysWithValues: try await articles.sources().map { ($0.id, $0) })
                            }
                        }
                        guard let subscription = waiting.popFirst(), let source = sources[subscription.id] else {
                            continue
                        }
                        let password = passwords[subscription.id]
                        group.addTask { try await fetch(subscription, of: source, password) }
                        running += 1
                    }
                    guard running > 0, let finished = try await group.next() else { return group.cancelAll() }
                    guard let result = finished else {
                        await renew(Array(round.open.keys))
                        group.addTask { try await untilRenewal() }
                        continue
                    }
                    running -= 1
                    round.add(result)
                    if !result.isUnreachable { onResult(result) }
                    if round.results.count >= Self.claimCount { try await store(&round, onResult, onRemoval) }
                }
            }
            try await store(&round, onResult, onRemoval)
        } catch {
            await release(Array(round.open.values), after: round.results)
            throw error
        }
        return round.count
    }

    /// Stores the results in one transaction.
    private func store(
        _ round: inout Round, _ onResult: (FetchResult) -> Void, _ onRemoval: (Int) -> Void
    ) async throws {
        let results = try await judged(round.results, before: round.open, hasResponse: round.hasResponse)
        try await subscriptions.finish(results.map(\.subscription), holder: holder)
        for result in results {
            round.open[result.source.id] = nil
            if result.isUnreachable { onResult(result) }
        }
        round.results = []
        let removed = try await removeExpiredArticles(after: results)
        if removed > 0 { onRemoval(removed) }
    }

    /// Removes the articles that the fetched sources do not keep, also if the feeds have not changed: users may have read
    /// articles since. Returns the number of removed articles.
    private func removeExpiredArticles(after results: [FetchResult]) async throws -> Int {
        let fetched = results.filter { $0.problem == nil && $0.subscription.settings.retention != .all }.map(
            \.source.id)
        guard !fetched.isEmpty else { return 0 }
        // A user may have changed the settings since the claim, and a removal cannot be undone.
        let present = try await subscriptions.subscriptions().filter { fetched.contains($0.id) }
        return try await articles.removeExpiredArticles(
            of: Dictionary(present.map { ($0.id, $0.settings.retention) }) { $1 })
    }

    /// Returns the results of fetches after a look at all of them. If none of the sources has responded since the last attempt,
    /// the network is down, and the failure does not count again: a network that is down for a day must not delay every
    /// source by two days.
    ///
    /// - Parameters:
    ///   - before: The subscriptions before the fetches.
    ///   - hasResponse: Whether another source of this round has responded.
    private func judged(
        _ results: [FetchResult], before: [Source.ID: Subscription], hasResponse: Bool
    ) async throws -> [FetchResult] {
        guard !hasResponse, results.contains(where: { $0.subscription.failures > 1 }) else { return results }
        let active = try await subscriptions.subscriptions().filter { $0.state == .active }
        guard active.count > 1, let latest = active.compactMap(\.lastSuccess).max() else { return results }
        return results.map { result in
            guard result.isUnreachable, case .failed(let reason) = result.outcome,
                var subscription = before[result.source.id],
                subscription.failures > 0, let last = subscription.lastFetch, latest <= last
            else { return result }
            subscription.failures -= 1
            return unreachable(subscription, of: result.source, reason)
        }
    }

    /// Stores results, and makes the other open subscriptions due again. Works in a canceled task too.
    private func release(_ open: [Subscription], after results: [FetchResult] = []) async {
        let finished = results.map(\.subscription)
        let ids = Set(finished.map(\.id))
        let released = open.filter { !ids.contains($0.id) }.map { subscription in
            var subscription = subscription
            subscription.nextFetch = clock()
            return subscription
        }
        // If this fails, the claims end by themselves.
        await Task { [subscriptions, holder] in
            try? await subscriptions.finish(finished + released, holder: holder)
        }.value
    }

    private func fetch(
        _ subscription: Subscription, of source: Source, _ password: FeedPassword?
    ) async throws -> FetchResult {
        let response: ClientResponse
        do throws(HTTPClientError) {
            var request = ClientRequest(try HTTPURL(subscription.address))
            request.credentials = password?.credentials(for: request.url)
            request.fields = subscription.validators.fields
            response = try await send(request)
        } catch {
            switch error {
            case .canceled: throw CancellationError()
            case .unavailable, .outOfMemory: return postponed(subscription, of: source, error.description)
            case .unknownHost, .noConnection, .timedOut:
                return unreachable(subscription, of: source, error.description)
            default:
                let reason = error.hint.map { "\(error.description); \($0)" } ?? error.description
                return failed(subscription, of: source, reason, at: clock(), notBefore: nil)
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
        case 401:
            let reason =
                subscription.hasPassword
                ? "the server refuses the user name or the password (status 401); to replace them"
                : "the server asks for a user name and a password (status 401); to store them"
            return failed(
                subscription, of: source,
                "\(reason): articlesctl subscribe --user NAME --password-stdin \(subscription.address)", at: now,
                notBefore: nil)
        case let status:
            return failed(
                subscription, of: source, Subscription.problem(ofStatus: status), at: now,
                notBefore: status == 429 || status == 503 ? response.retryTime(at: now) : nil)
        }
    }

    /// Imports the body of a response.
    private func imported(
        _ response: ClientResponse, for subscription: Subscription, of source: Source, at now: Date
    ) async throws -> FetchResult {
        var (source, subscription) = (source, subscription)
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
        source = try await named(source, after: facts.title)
        var rejection: Rejection?
        let (report, changed) = try await report(
            of: response.body, facts, into: source, marksChangedUnread: subscription.settings.marksChangedUnread,
            onRejection: { rejection = rejection ?? $0 })
        // A part of the feed may be missing, so its validators must not be stored.
        if report.isInterrupted { throw CancellationError() }
        guard report.failure == nil, report.rejected == 0 || report.count > 0 else {
            let reason = rejection.map { "the feed cannot be read: \($0.words)" } ?? "the feed cannot be read"
            return failed(subscription, of: source, reason, at: now, notBefore: nil)
        }
        (subscription.validators, subscription.content) = (response.validators, content)
        (subscription.wishes, subscription.iconAddress) = (facts.wishes, facts.icon)
        subscription.hub = Hub(of: response, facts)
        if subscription.settings.hasFullText {
            try await fullTexts.load(changed)
        }
        if report.inserted > 0 || subscription.latest.isEmpty {
            var query = ArticleQuery()
            query.source = source.name
            let page = try await articles.list(query, after: nil, limit: Subscription.keptDates)
            subscription.latest = page.summaries.map(\.published)
        }
        return try await fetched(
            subscription, of: source, response, at: now, .imported(new: report.inserted, changed: report.updated))
    }

    /// Returns the source with the title of its feed as its name, if it had only its address.
    private func named(_ source: Source, after title: String?) async throws -> Source {
        guard let title, source.isNamedAfterAddress else { return source }
        return try await articles.write(needing: WriteNeeds()) { try $0.nameFeed(source.id, after: title) } ?? source
    }

    /// The maximum number of entries of a response. The largest feeds contain all articles of a site.
    package static let mostEntries = 10_000

    /// Imports a feed, and returns the report with the slugs of the new and the changed articles.
    private func report(
        of body: [UInt8], _ facts: FeedFacts, into source: Source, marksChangedUnread: Bool,
        onRejection: @escaping (Rejection) -> Void
    ) async throws -> (ImportReport, changed: [String]) {
        var options = importing
        (options.marksChangedUnread, options.mergesStories) = (marksChangedUnread, true)
        (options.source, options.existingSource, options.format) = (source.name, source.id, facts.format)
        (options.replacesInvalidText, options.countLimit) = (true, Self.mostEntries)
        return try await report(
            of: body, named: source.name, ArticleImporter(repository: articles, options: options),
            onRejection: onRejection)
    }

    /// Imports a document, and returns the report with the slugs of the new and the changed articles.
    ///
    /// - Parameters:
    ///   - name: The name of the document, for errors.
    ///   - onRejection: Called for each record that was rejected.
    ///   - storeMarks: Called with the marks in an export of another program, by article ID.
    func report(
        of document: [UInt8], named name: String, _ importer: ArticleImporter,
        onRejection: @escaping (Rejection) -> Void = { _ in },
        storeMarks: ([Int64: JSON]) async throws -> Void = { _ in }
    ) async throws -> (ImportReport, changed: [String]) {
        let file: TemporaryFile
        do throws(SystemError) {
            file = try TemporaryFile(in: importing.temporaryFolder)
            try file.append(document)
            try file.rewind()
        } catch {
            throw ImportError.cannotKeep(name, folder: importing.temporaryFolder, reason: error.description)
        }
        defer { withExtendedLifetime(file) {} }
        var changed: [String] = []
        let report = try await importer.run(
            [.descriptor(file.descriptor, name: name)], reportsArticles: true,
            onEvent: { event in
                switch event {
                case .article(let article) where [.inserted, .updated].contains(article.outcome):
                    changed.append(article.slug)
                case .rejected(let rejection): onRejection(rejection)
                default: break
                }
            }, storeMarks: storeMarks)
        return (report, changed)
    }

    /// Returns the result of a fetch that found the feed, new or unchanged.
    private func fetched(
        _ subscription: Subscription, of source: Source, _ response: ClientResponse, at now: Date,
        _ outcome: FetchResult.Outcome
    ) async throws -> FetchResult {
        var subscription = subscription
        if outcome == .unchanged, let hub = Hub(of: response, nil) { subscription.hub = hub }
        subscription.isHubSilent = isHubSilent(subscription, after: outcome, at: now)
        (subscription.state, subscription.lastFetch, subscription.lastSuccess) = (.active, now, now)
        (subscription.failures, subscription.lastError) = (0, nil)
        subscription.nextFetch = schedule.next(
            after: now, .fetched(freshness: response.freshness(at: now)), published: subscription.latest,
            wishes: subscription.wishes, announcementEnd: subscription.announcementEnd)
        var hasMoved = false
        let target = response.permanentTarget.text
        if target == subscription.address || response.redirects.isEmpty {
            subscription.move = nil
        } else if let move = subscription.move, move.address == target {
            if now.timeIntervalSince(move.since) >= Self.moveTime {
                try await storeMove(of: source, from: subscription.address, to: target)
                (subscription.address, subscription.move, hasMoved) = (target, nil, true)
            }
        } else {
            subscription.move = Subscription.Move(to: target, since: now)
        }
        return FetchResult(source: source, subscription: subscription, outcome: outcome, hasMoved: hasMoved)
    }

    /// Returns whether a hub has left out new articles since the last fetch. Then the schedule does not rely on it, until it
    /// announces something again.
    private func isHubSilent(_ before: Subscription, after outcome: FetchResult.Outcome, at now: Date) -> Bool {
        guard let push = before.push, let end = push.end, end > now, let lastFetch = before.lastFetch else {
            return before.isHubSilent
        }
        if let ping = push.lastPing, ping >= lastFetch { return false }
        if case .imported(let new, _) = outcome, new > 0 { return true }
        return before.isHubSilent
    }

    /// Stores a new address in the source, for exports and for later imports of the old one.
    private func storeMove(of source: Source, from old: String, to address: String) async throws {
        try await articles.write(needing: WriteNeeds()) { writer in
            guard var source = try writer.sources().first(where: { $0.id == source.id }) else { return }
            source.facts.moveFeed(from: old, to: address)
            try writer.update(source)
        }
    }

    /// Returns the result of a fetch to which no server responded.
    private func unreachable(_ subscription: Subscription, of source: Source, _ reason: String) -> FetchResult {
        var result = failed(subscription, of: source, reason, at: clock(), notBefore: nil)
        result.isUnreachable = true
        return result
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
    /// The fields of a conditional request. Earlier versions have stored values with line breaks, which cannot be sent.
    fileprivate var fields: [HTTPClientField] {
        let fields =
            (entityTag.map { [HTTPClientField("If-None-Match", $0)] } ?? [])
            + (lastModified.map { [HTTPClientField("If-Modified-Since", $0)] } ?? [])
        return fields.filter(\.canBeSent)
    }
}

extension FeedPassword {
    /// Returns the login for a request; nil if it goes to another host, such as after the feed has moved.
    func credentials(for url: HTTPURL) -> (user: String, password: String)? {
        origin == url.origin ? (login.username, login.password) : nil
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

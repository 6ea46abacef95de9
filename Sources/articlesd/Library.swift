import LibraryServices
import LibraryStores
import ArticleFetching
import Arguments
import ArticleStore
import AuthService
import Text
import FlowCoordinators
import HTTPServer
import Platform

/// The library of the server, and the services on it.
struct Library: Sendable {
    let services: Services
    /// The client for feeds; nil if the server does not fetch.
    let feeds: FeedSubscriber?
    /// The visits of browsers.
    var visits: any VisitRepository { stores.visits }
    let stores: Stores

    /// The time in seconds that a request waits for another writer, in this process or another.
    static let patience = 5.0
    /// The maximum number of requests that may wait for it, so that other requests still make progress.
    private static let waitingWrites = 256

    /// Opens a library, and creates it if the file does not exist or the database of the server is empty. A library of an
    /// earlier version is not changed.
    ///
    /// - Parameters:
    ///   - patience: the time in seconds that a request waits for another writer.
    ///   - fetch: the settings of fetches; nil if the server does not fetch.
    ///   - keepsImages: whether pages show the pictures in the library, and new ones are fetched.
    ///   - warn: prints warnings for the operator.
    /// - Throws: `ServerError` and `StoreError`.
    init(
        at place: StorePlace, patience: Double = patience, fetch: FetchSettings? = nil, keepsImages: Bool = false,
        clock: @escaping @Sendable () -> Date,
        warn: (String) -> Void
    ) async throws {
        var options = Stores.Options()
        (options.busyTimeout, options.waitingWrites, options.clock) = (patience, Self.waitingWrites, clock)
        options.keepsLists = true
        if try await !Stores.exists(at: place, options: options) {
            if case .file(let path) = place { try Self.makeFolder(of: path) }
            try await Stores.migrate(place, clock: clock)
        }
        // Even reading writes: sessions, marks, and reading positions.
        if case .file(let path) = place, access(path, W_OK) != 0 {
            throw ServerError(
                "cannot write \(path): \(SystemError.current)",
                hint: "run the server as the owner of the file, or change the owner", code: .cannotCreate)
        }
        stores = try await Stores.open(place, options: options) {
            warn("other users had access to \($0); it is now restricted to you")
        }
        feeds = fetch.map { [stores] in Self.subscriber($0, stores, clock: clock) }
        services = Services(
            auth: AuthService(
                store: stores.accounts, hasher: PasswordHasher(on: FewThreads(2, called: "passwords")),
                passwordPolicy: PasswordPolicy(contextWords: ["articlesctl", "articlesd"]),
                throttlePolicy: ThrottlePolicy(patience: 0), clock: clock),
            articles: stores.articles, subscriptions: stores.subscriptions,
            pictures: keepsImages ? stores.pictures : nil, feeds: feeds, marks: stores.marks,
            reading: stores.reading, versions: stores.versions, clock: clock)
    }

    /// The reason why the server should not get requests now, in words; nil if there is none.
    func reasonNotReady() async -> String? {
        guard (try? await services.auth.registration()) != nil else { return "cannot read the library" }
        guard stores.hasRoom(forBytes: Self.requiredRoom) else { return "the disk is full" }
        return nil
    }

    /// The free space that is required for the next writes. Most requests have less than 1 MiB; a larger one can still fail.
    private static let requiredRoom = 1 << 20

    /// Whether the next new account becomes the operator, because none exists yet.
    func awaitsOperator() async -> Bool {
        guard let policy = try? await services.auth.registration(), policy != .closed else { return false }
        return (try? await stores.accounts.users().isEmpty) ?? false
    }

    /// Adds other processes' imports to the search index in small steps until it is canceled.
    func index(log: RequestLog) async {
        await work("use the library", log: log) { try await stores.articles.advanceSearch(briefly: true) > 0 }
    }

    /// Applies rules to new articles until it is canceled.
    func applyRules(log: RequestLog) async {
        let rules = RuleApplier(articles: stores.articles, marks: stores.marks, clock: services.clock)
        await work("apply the rules", log: log) {
            try await rules.apply()
            return false
        }
    }

    /// Repeats a step until the task is canceled. It pauses after a step that has nothing left to do.
    ///
    /// Responses do not say why the library cannot be used, so the log does.
    ///
    /// - Parameters:
    ///   - purpose: the purpose of the step in the log.
    ///   - step: returns whether there is more to do.
    private func work(_ purpose: String, log: RequestLog, _ step: () async throws -> Bool) async {
        var lastProblem: String?
        while !Task.isCancelled {
            var goesOn = false
            var problem: String?
            do {
                goesOn = try await step()
            } catch let error as StoreError where error.kind == .busy || error.kind == .interrupted {
                problem = lastProblem
            } catch {
                problem = "\(error)"
            }
            if problem != lastProblem, !Task.isCancelled {
                if let problem {
                    log.warn("cannot \(purpose): \(problem)")
                } else {
                    log.info("can \(purpose) again")
                }
                lastProblem = problem
            }
            if !goesOn { try? await Task.sleep(for: .seconds(2)) }
        }
    }

    /// Exchanges the counts of requests with other servers of the library until it is canceled. A library in a file needs
    /// only one server, so this returns at once.
    func shareCounts(of limiter: RateLimiter) async {
        guard let counts = stores.requestCounts else { return }
        while !Task.isCancelled {
            // Ignore an error: the next exchange sends the same counts, and the pages say what is wrong.
            try? await limiter.exchange(at: services.clock()) { new, minute, half in
                try await counts.exchange(new.map(RequestCount.init), in: minute, reporting: half)
                    .map { RateLimiter.Count(client: $0.client, minute: $0.minute, count: $0.count) }
            }
            try? await Task.sleep(for: Self.exchangePause)
        }
    }

    /// A count reaches another server after an exchange of each, so in less than 1 s.
    private static let exchangePause = Duration.milliseconds(450)

    private static func makeFolder(of path: String) throws {
        guard let end = path.lastIndex(of: "/") else { return }
        var partial = path.hasPrefix("/") ? "/" : ""
        for component in path[..<end].split(separator: "/") {
            partial += component + "/"
            guard mkdir(partial, 0o700) == 0 || errno == EEXIST else {
                throw ServerError("cannot create the folder \(partial): \(SystemError.current)", code: .cannotCreate)
            }
        }
    }
}

extension RequestCount {
    fileprivate init(_ count: RateLimiter.Count) {
        self.init(client: count.client, minute: count.minute, count: count.count)
    }
}

import ArticleFetching
import ArticleImporting
import ArticleStore
import Arguments
import AuthService
import HTTPClient
import LibraryServices
import LibraryStores
import Platform
import Text
import WebAPI

extension Library {
    /// The time between two looks for sources that are due.
    private static let fetchPause = Duration.seconds(30)

    /// Fetches subscribed sources by their schedule until it is canceled. libcurl is loaded when there is a subscription.
    ///
    /// - Parameters:
    ///   - hubAddress: the address of this server for hubs; nil without WebSub.
    ///   - pause: the pause before the next look for sources that are due.
    func fetch(hubAddress: String?, pause: Pause, log: RequestLog) async {
        guard let feeds else { return }
        // Failures are tried again without a message: icons are not important, and problems of hubs are stored.
        async let _ = repeatForFeeds { _ = try await feeds.fetcher().fetchIcons() }
        async let _ = fetchPictures(feeds)
        async let _ = repeatForFeeds {
            guard let hubAddress else { return }
            let hubs = HubSubscriber(try feeds.fetcher(), randomBytes: Sodium.randomBytes) {
                hubAddress + HubFront.path(token: $0)
            }
            while try await hubs.askHubs() > 0 {}
        }
        var fetcher: SourceFetcher?
        var lastProblem: String?
        while !Task.isCancelled {
            do {
                if fetcher == nil, try await !services.subscriptions.subscriptions().isEmpty {
                    fetcher = try feeds.fetcher()
                }
                var (changes, problems) = (0, 0)
                let count = try await fetcher?.fetchDue(
                    onResult: { result in
                        changes += result.changes.new + result.changes.changed
                        problems += result.problem == nil ? 0 : 1
                        guard case .ended(let reason) = result.outcome else { return }
                        log.warn("\(result.source.name.sanitized()) is not fetched any more: \(reason)")
                    },
                    onRemoval: { log.info("removed \($0.quantity(of: "article")) that the sources do not keep") })
                lastProblem = nil
                if let count, changes + problems > 0 {
                    let articles = changes.quantity(of: "article is", "articles are")
                    log.info("fetched \(count.quantity(of: "source")): \(articles) new or changed, \(problems) failed")
                }
            } catch is CancellationError {
                return
            } catch {
                let problem = ServerError(error).message
                if problem != lastProblem { log.warn("cannot fetch sources: \(problem)") }
                lastProblem = problem
            }
            await pause.wait(for: Self.fetchPause)
        }
    }

    /// Fetches the pictures of articles that arrive or change until it is canceled. Failures are tried again without a message:
    /// a page shows a link instead of a picture.
    private func fetchPictures(_ feeds: FeedSubscriber) async {
        guard let pictures = services.pictures else { return }
        let fetcher = PictureFetcher(
            articles: stores.articles, pictures: pictures, clock: services.clock, sender: { try feeds.fetcher().send })
        while !Task.isCancelled {
            do {
                try await fetcher.findPictures()
                while try await fetcher.fetchPictures() > 0 { try await fetcher.findPictures() }
            } catch {}
            try? await Task.sleep(for: Self.picturePause)
        }
    }

    /// The time between two looks for pictures. An article that has just arrived should soon have its pictures.
    private static let picturePause = Duration.seconds(5)

    /// Does work for subscribed sources again and again until it is canceled.
    private func repeatForFeeds(_ work: () async throws -> Void) async {
        var hasFeeds = false
        while !Task.isCancelled {
            // Do not load libcurl before a subscription is fetched.
            if !hasFeeds, let subscriptions = try? await services.subscriptions.subscriptions() {
                hasFeeds = subscriptions.contains { $0.lastSuccess != nil }
            }
            if hasFeeds { try? await work() }
            try? await Task.sleep(for: Self.fetchPause)
        }
    }

    /// Returns the client for feeds. Imports run on a thread of its own, so that other requests do not wait for them.
    static func subscriber(
        _ settings: FetchSettings, _ stores: Stores, clock: @escaping @Sendable () -> Date
    ) -> FeedSubscriber {
        var importing = ImportOptions()
        if let folder = ProcessInfo.processInfo.environment["TMPDIR"], !folder.isEmpty {
            importing.temporaryFolder = folder
        }
        return FeedSubscriber(on: FewThreads(1, called: "feeds")) { [importing] in
            let client = try HTTPClient(settings.client(for: "articlesd/" + ProgramVersion.number))
            return SourceFetcher(
                articles: stores.articles, subscriptions: stores.subscriptions, importing: importing,
                holder: "articlesd \(getpid()) \(UInt64.random(in: .min ... .max))", clock: clock,
                send: { request throws(HTTPClientError) in try await client.send(request) })
        }
    }
}

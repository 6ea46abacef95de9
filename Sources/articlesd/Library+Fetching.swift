import ArticleFetching
import ArticleImporting
import ArticleStore
import Arguments
import HTTPClient
import LibraryServices
import Platform
import Text

extension Library {
    /// The time between two looks for sources that are due.
    private static let fetchPause = Duration.seconds(30)

    /// Fetches subscribed sources by their schedule until it is canceled. libcurl is loaded when there is a subscription.
    func fetch(_ settings: FetchSettings, clock: @escaping @Sendable () -> Date, log: RequestLog) async {
        var fetcher: SourceFetcher?
        var lastProblem: String?
        while !Task.isCancelled {
            do {
                if fetcher == nil, try await !subscriptions.subscriptions().isEmpty {
                    fetcher = try makeFetcher(settings, clock: clock)
                }
                var (changes, problems) = (0, 0)
                let count = try await fetcher?.fetchDue { result in
                    changes += result.changes.new + result.changes.changed
                    problems += result.problem == nil ? 0 : 1
                    guard case .ended(let reason) = result.outcome else { return }
                    log.warn("\(result.source.name.sanitized()) is not fetched any more: \(reason)")
                }
                lastProblem = nil
                if let count, count > 0 {
                    if changes + problems > 0 {
                        let articles = changes.quantity(of: "article is", "articles are")
                        log.info(
                            "fetched \(count.quantity(of: "source")): \(articles) new or changed, \(problems) failed")
                    }
                    continue
                }
            } catch is CancellationError {
                return
            } catch {
                let problem = ServerError(error).message
                if problem != lastProblem { log.warn("cannot fetch sources: \(problem)") }
                lastProblem = problem
            }
            try? await Task.sleep(for: Self.fetchPause)
        }
    }

    private func makeFetcher(_ settings: FetchSettings, clock: @escaping @Sendable () -> Date) throws -> SourceFetcher {
        let client = try HTTPClient(settings.client(for: "articlesd/" + ProgramVersion.number))
        var importing = ImportOptions()
        if let folder = ProcessInfo.processInfo.environment["TMPDIR"], !folder.isEmpty {
            importing.temporaryFolder = folder
        }
        return SourceFetcher(
            articles: services.articles, subscriptions: subscriptions, importing: importing,
            holder: "articlesd \(getpid()) \(UInt64.random(in: .min ... .max))", clock: clock,
            send: { request throws(HTTPClientError) in try await client.send(request) })
    }
}

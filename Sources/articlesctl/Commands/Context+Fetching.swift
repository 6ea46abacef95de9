import ArticleFetching
import Arguments
import ArticleImporting
import ArticleStore
import HTTPClient
import LibraryStores
import Platform
import Terminal
import Text

extension Context {
    /// The options of commands that send requests to other servers.
    static let fetchOptions = [
        OptionSpec(
            name: "allow-host",
            summary:
                "a host that may be fetched from even if it is in a private network or on another port; may be repeated",
            value: "HOST", isRepeating: true),
        OptionSpec(
            name: "keep-images",
            summary: "fetch the images of the new and changed articles, and keep them in the library"),
    ]

    /// Returns a fetcher for this run. It loads libcurl.
    ///
    /// - Throws: `CommandError` if the configuration or the library cannot be used; `HTTPClientError.unavailable`.
    func fetcher(_ parsed: ParsedCommand) async throws -> SourceFetcher {
        Self.fetcher(try await stores(), importing(), clock: clock, send: try sender(parsed))
    }

    /// Returns a function that sends requests. It loads libcurl.
    ///
    /// - Throws: `CommandError` if the configuration cannot be used; `HTTPClientError.unavailable`.
    func sender(_ parsed: ParsedCommand) throws -> SourceFetcher.Send {
        try checkResources()
        var settings = try configuration().fetch
        for text in parsed.values("allow-host") {
            guard let host = FetchSettings.host(text) else {
                throw parsed.error(.invalidValue(of: "--allow-host", value: text, expected: "a name or an IP address"))
            }
            settings.trustedHosts.insert(host)
        }
        let client = try Self.client(settings)
        return { request throws(HTTPClientError) in try await client.send(request) }
    }

    /// Returns the fetcher of pictures, which finds those of articles that arrive or change from now on; nil unless the user
    /// keeps images.
    ///
    /// - Throws: `CommandError` if the configuration or the library cannot be used; `HTTPClientError.unavailable`.
    func pictureFetcher(_ parsed: ParsedCommand) async throws -> PictureFetcher? {
        guard try parsed.flag("keep-images") || configuration().fetch.keepsImages else { return nil }
        let (stores, send) = (try await stores(), try sender(parsed))
        let fetcher = PictureFetcher(
            articles: stores.articles, pictures: stores.pictures, clock: clock, sender: { send })
        try await fetcher.begin()
        return fetcher
    }

    /// Fetches the pictures of the articles that have arrived or changed. A failure does not matter: a later command tries
    /// again.
    ///
    /// - Throws: `CancellationError`.
    func fetchPictures(by fetcher: PictureFetcher?) async throws {
        guard let fetcher else { return }
        do {
            try await fetcher.findPictures()
            while try await fetcher.fetchPictures() > 0 {}
        } catch let error as CancellationError {
            throw error
        } catch {}
    }

    /// Returns the client for feeds of the reader. It loads libcurl when the user first subscribes or fetches.
    ///
    /// - Throws: `CommandError` if the configuration cannot be used.
    func feeds(_ stores: Stores) throws -> FeedSubscriber {
        let (settings, importing, clock) = (try configuration().fetch, importing(), clock)
        return FeedSubscriber {
            let client = try Self.client(settings)
            return Self.fetcher(stores, importing, clock: clock) { request throws(HTTPClientError) in
                try await client.send(request)
            }
        }
    }

    private static func client(_ settings: FetchSettings) throws(HTTPClientError) -> HTTPClient {
        var configuration = settings.client(for: "articlesctl/" + ProgramVersion.number)
        configuration.isInterrupted = { InterruptWatch.noted != nil }
        return try HTTPClient(configuration)
    }

    private static func fetcher(
        _ stores: Stores, _ importing: ImportOptions, clock: @escaping @Sendable () -> Date,
        send: @escaping SourceFetcher.Send
    ) -> SourceFetcher {
        SourceFetcher(
            articles: stores.articles, subscriptions: stores.subscriptions, importing: importing,
            holder: "articlesctl \(getpid()) \(UInt64.random(in: .min ... .max))", clock: clock, send: send)
    }

    /// Runs work that Ctrl-C can end.
    ///
    /// - Parameter done: Says what was done before.
    func interruptible<T>(done: () -> String, _ work: () async throws -> T) async throws -> T {
        let watch = InterruptWatch()
        do {
            return try await work()
        } catch  where error is CancellationError || error as? HTTPClientError == .canceled {
            throw CommandError(
                "interrupted", hint: done(), code: watch.signal.flatMap(ExitCode.init(signal:)) ?? .interrupted)
        }
    }
}

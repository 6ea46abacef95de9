internal import ArticleStore
internal import HTTPClient
internal import Text

extension SourceFetcher {
    /// The time in seconds after which an icon is fetched again.
    package static let iconLifetime: Double = 90 * 24 * 3_600
    /// The time in seconds after which a source without an icon is asked again.
    package static let iconRetryTime: Double = 7 * 24 * 3_600
    /// The number of icons to fetch at the same time.
    private static let iconCount = 16
    /// The maximum size in bytes of a page whose icons are used.
    private static let pageBytes = 2 << 20

    /// Fetches some of the icons that are due. Fetches of articles do not depend on it, and a source without an icon is not an
    /// error.
    ///
    /// An attempt counts before it begins. Other processes do not repeat it, even if this one is killed.
    ///
    /// - Returns: The number of sources that were asked. It is 0 if no icon was due.
    /// - Throws: `CancellationError`; the errors of the library.
    package func fetchIcons() async throws -> Int {
        let now = clock()
        let due = try await subscriptions.claimIcons(
            upTo: Self.iconCount, at: now, until: now.addingTimeInterval(Self.iconRetryTime))
        guard !due.isEmpty else { return 0 }
        let homes = Dictionary(try await articles.sources().map { ($0.id, $0.facts.home) }) { $1 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for subscription in due {
                group.addTask {
                    guard let icon = try await icon(of: subscription, home: homes[subscription.id] ?? nil) else {
                        return
                    }
                    try await subscriptions.setIcon(
                        icon, of: subscription.id, until: clock().addingTimeInterval(Self.iconLifetime))
                }
            }
            try await group.waitForAll()
        }
        return due.count
    }

    /// Returns the icon that the feed states, else the one of its site, else the one at the usual address.
    private func icon(of subscription: Subscription, home: String?) async throws -> SourceIcon? {
        if let url = subscription.iconAddress.flatMap({ try? HTTPURL($0) }), let icon = try await icon(at: url) {
            return icon
        }
        // A feed that names no page of its site has its own address as the home.
        let home = home == subscription.address ? nil : home
        guard let feed = try? HTTPURL(subscription.address),
            var page = home.flatMap({ try? HTTPURL($0) }) ?? (try? HTTPURL("/", relativeTo: feed))
        else { return nil }
        if let response = try await response(at: page, limit: Self.pageBytes) {
            page = response.url
            for url in FeedFinder.icons(in: String(decoding: response.body, as: UTF8.self), at: page) {
                if let icon = try await icon(at: url) { return icon }
            }
        }
        guard let url = try? HTTPURL("/favicon.ico", relativeTo: page) else { return nil }
        return try await icon(at: url)
    }

    private func icon(at url: HTTPURL) async throws -> SourceIcon? {
        try await response(at: url, limit: SourceIcon.largest).flatMap { SourceIcon($0.body) }
    }

    /// Returns a successful response; nil if there is none, or if its body is longer than `limit`.
    private func response(at url: HTTPURL, limit: Int) async throws -> ClientResponse? {
        var request = ClientRequest(url)
        request.bodyBytes = limit
        do throws(HTTPClientError) {
            let response = try await send(request)
            return (200..<300).contains(response.status) ? response : nil
        } catch {
            if case .canceled = error { throw CancellationError() }
            return nil
        }
    }
}

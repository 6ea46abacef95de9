package import ArticleStore
internal import HTTPClient
package import Text

/// Fetches the pictures of articles that arrive or change.
///
/// The addresses come from the log of changes, so the articles of every import, form, and API get pictures. Articles that
/// arrived before ``begin()`` was first called do not. Pictures do not delay imports, and a picture that is missing is not an
/// error.
package struct PictureFetcher: Sendable {
    /// The time in seconds after which a search for addresses begins again at the end of the log of changes. Otherwise it
    /// would find all articles that arrived while pictures were not fetched.
    package static let longestPause: Double = 24 * 3_600
    /// The time in seconds after which the time of the last search is stored, although nothing has changed.
    private static let noticeTime: Double = 3_600
    /// The number of changes to read at once.
    private static let changeCount = 100
    /// The number of pictures to claim at once.
    private static let claimCount = 32
    /// The time after which no further request goes to a host, for the pictures that were claimed at once.
    private static let hostTime = Duration.seconds(20)

    private let articles: any ArticleRepository & ArticleLog
    private let pictures: any PictureRepository
    private let limits: PictureLimits
    private let clock: @Sendable () -> Date
    private let sender: @Sendable () throws -> SourceFetcher.Send

    /// - Parameters:
    ///   - articles: The library.
    ///   - pictures: The pictures of the library.
    ///   - limits: The limits of the pictures.
    ///   - clock: The present time.
    ///   - sender: Returns a function that sends requests. It is called when a picture is due, because it loads libcurl.
    package init(
        articles: any ArticleRepository & ArticleLog, pictures: any PictureRepository,
        limits: PictureLimits = PictureLimits(), clock: @escaping @Sendable () -> Date,
        sender: @escaping @Sendable () throws -> SourceFetcher.Send
    ) {
        (self.articles, self.pictures, self.limits) = (articles, pictures, limits)
        (self.clock, self.sender) = (clock, sender)
    }

    /// Begins to find the pictures of articles that arrive or change from now on, unless it has begun before.
    ///
    /// - Throws: The errors of the library.
    @discardableResult
    package func begin() async throws -> PictureProgress {
        let progress = try await pictures.progress()
        if let progress, now.timeIntervalSince(progress.date) < Self.longestPause { return progress }
        return try await begin(from: progress)
    }

    private func begin(from old: PictureProgress?) async throws -> PictureProgress {
        let start = try await articles.changes(after: nil, limit: 1).position
        let last = try await articles.numbers(of: ArticleQuery(), latestFirst: true, limit: 1).first ?? 0
        let new = PictureProgress(
            position: LogPosition(copy: start.copy, article: last, change: start.change), start: last, date: now)
        // If another process was faster, its progress counts.
        guard try await !pictures.setAddresses([:], from: old, to: new, limits: limits, at: now) else { return new }
        return try await pictures.progress() ?? new
    }

    /// Finds the pictures of articles that have arrived or changed since the last call. They are due now.
    ///
    /// - Throws: The errors of the library.
    package func findPictures() async throws {
        var progress = try await begin()
        while true {
            let changes: ArticleChanges
            do {
                changes = try await articles.changes(after: progress.position, limit: Self.changeCount)
            } catch is ArticleLogError {
                _ = try await begin(from: progress)
                return
            }
            let now = now
            let isOld = now.timeIntervalSince(progress.date) >= Self.noticeTime
            guard changes.position != progress.position || isOld else { return }
            var addresses: [Int64: [String]] = [:]
            for article in changes.articles {
                addresses[article.id] = article.pictureAddresses(upTo: limits.articleCount)
            }
            let next = PictureProgress(position: changes.position, start: progress.start, date: now)
            // If another process was faster, it has found these pictures.
            guard try await pictures.setAddresses(addresses, from: progress, to: next, limits: limits, at: now),
                changes.goesOn
            else { return }
            progress = next
        }
    }

    /// Fetches some of the pictures that are due.
    ///
    /// An attempt counts before it begins. Other processes do not repeat it, even if this one is killed.
    ///
    /// - Returns: The number of pictures that were due. It is 0 if none was.
    /// - Throws: `CancellationError`; the errors of the library; `HTTPClientError.unavailable`.
    package func fetchPictures() async throws -> Int {
        let claims = try await pictures.claimPictures(upTo: Self.claimCount, at: clock())
        guard !claims.isEmpty else { return 0 }
        let send = try sender()
        try await withThrowingTaskGroup(of: Void.self) { group in
            // A host gets one request at a time.
            for claims in Dictionary(grouping: claims, by: { (try? HTTPURL($0.address))?.host }).values {
                group.addTask {
                    let start = ContinuousClock.now
                    for (address, claims) in Dictionary(grouping: claims, by: \.address) {
                        // The next attempt fetches the rest. Otherwise a slow host would delay all others.
                        guard ContinuousClock.now - start < Self.hostTime else { return }
                        try await fetch(address, for: claims, send)
                    }
                }
            }
            try await group.waitForAll()
        }
        return claims.count
    }

    private func fetch(_ address: String, for claims: [PictureClaim], _ send: SourceFetcher.Send) async throws {
        let picture: Picture?
        switch try await result(at: address, send) {
        case .picture(let found): picture = found
        case .never: picture = nil
        case .later: return
        }
        for claim in claims { _ = try await pictures.finish(claim, with: picture, limits: limits) }
    }

    private enum Result {
        case picture(Picture)
        /// The address has nothing that can be stored.
        case never
        case later
    }

    private func result(at address: String, _ send: SourceFetcher.Send) async throws -> Result {
        do throws(HTTPClientError) {
            var request = ClientRequest(try HTTPURL(address))
            request.bodyBytes = Picture.largest
            let response = try await send(request)
            switch response.status {
            case 200..<300: return Picture(response.body).map { .picture($0) } ?? .never
            case 404, 410: return .never
            default: return .later
            }
        } catch {
            switch error {
            case .canceled: throw CancellationError()
            case .badAddress, .badScheme, .forbiddenHost, .forbiddenPort, .bodyTooLarge: return .never
            default: return .later
            }
        }
    }

    /// The present time in whole seconds, as a library stores it.
    private var now: Date { Date(timeIntervalSince1970: clock().timeIntervalSince1970.rounded(.down)) }
}

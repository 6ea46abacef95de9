/// The articles of a source that stay after a fetch. Articles that a user needs stay in any case.
public enum Retention: Sendable, Hashable {
    /// All articles.
    case all
    /// The newest articles, up to this number.
    case newest(Int)
    /// The articles that were published in the last days, up to this number of days.
    case days(Int)

    /// The highest number of articles and of days.
    private static let limit = 1_000_000

    /// The texts from which ``init(_:)`` creates a retention, in words for an error.
    package static let expected =
        "“all”, a number of articles such as 500, or a number of days such as 30d, from 1 to 1,000,000"

    /// Creates a retention from `all`, from a number of articles such as `500`, or from a number of days such as `30d`.
    /// Returns nil for another text.
    public init?(_ text: String) {
        let hasDays = text.utf8.last == UInt8(ascii: "d")
        let digits = hasDays ? text.dropLast() : text[...]
        if text == "all" {
            self = .all
        } else if digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(digits), (1...Self.limit).contains(number)
        {
            self = hasDays ? .days(number) : .newest(number)
        } else {
            return nil
        }
    }
}

extension Retention: CustomStringConvertible {
    /// The text from which ``init(_:)`` creates it.
    public var description: String {
        switch self {
        case .all: "all"
        case .newest(let count): "\(count)"
        case .days(let count): "\(count)d"
        }
    }
}

extension Retention {
    /// The kept articles in words; empty for all.
    package var words: String {
        switch self {
        case .all: ""
        case .newest(1): "the newest article"
        case .newest(let count): "the newest \(count) articles"
        case .days(1): "the articles of the last day"
        case .days(let count): "the articles of the last \(count) days"
        }
    }
}

extension ArticleRepository {
    /// Removes the articles that their sources do not keep, for good, so that a feed that still contains them does not add
    /// them again. An article that also appears in another source moves there. Articles that a user needs stay: see ``ArticleWriter/expiredArticles(of:keeping:limit:)``.
    ///
    /// - Returns: the number of removed articles.
    @discardableResult
    public func removeExpiredArticles(of sources: [Source.ID: Retention]) async throws -> Int {
        // Other writers wait for a transaction, so it must not be long.
        let limit = 500
        var (sources, removed) = (sources, 0)
        while !sources.isEmpty {
            let counts = try await write(needing: WriteNeeds()) { [sources] writer in
                // Find all of them before the first one is removed: a writer may begin again after a question.
                let expired = try sources.sorted { $0.key < $1.key }.map {
                    ($0.key, try writer.expiredArticles(of: $0.key, keeping: $0.value, limit: limit))
                }
                return try expired.map { source, articles in
                    let removed = try articles.count { try writer.removeFromSource($0, forGood: true) }
                    return (source: source, removed: removed, isFinished: articles.count < limit)
                }
            }
            removed += counts.reduce(0) { $0 + $1.removed }
            let unfinished = Set(counts.filter { !$0.isFinished }.map(\.source))
            sources = sources.filter { unfinished.contains($0.key) }
        }
        return removed
    }
}

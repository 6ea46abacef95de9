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
    /// them again. Articles that a user needs stay: see ``ArticleWriter/expiredArticles(of:keeping:)``.
    ///
    /// - Returns: the number of removed articles.
    @discardableResult
    public func removeExpiredArticles(of sources: [Source.ID: Retention]) async throws -> Int {
        try await write(needing: WriteNeeds()) { writer in
            let expired = try sources.sorted { $0.key < $1.key }.flatMap {
                try writer.expiredArticles(of: $0.key, keeping: $0.value)
            }
            return try expired.count { try writer.delete(id: $0, forGood: true) }
        }
    }
}

/// What has become of articles, for programs that keep a copy of the library or ask again and again what is new.
public protocol ArticleLog: Sendable {
    /// When articles came.
    ///
    /// - Parameter articles: their numbers.
    /// - Returns: by their numbers; none for what came unnoticed, such as by another program.
    func arrivals(of articles: [Int64]) async throws -> [Int64: Arrival]

    /// The number from which on articles came at a time or after it. There need be no article of that number.
    func firstArticle(since time: Arrival) async throws -> Int64

    /// What came, was changed or is gone since somebody looked last.
    ///
    /// - Parameters:
    ///   - position: ``ArticleChanges/position`` of the answer before; nil for the first.
    ///   - limit: how many articles there are at most, counted as one below 1 and as 1,000 above 1,000. Where they are large there
    ///     are fewer.
    /// - Throws: ``ArticleLogError`` where the position is none of this library.
    func changes(after position: LogPosition?, limit: Int) async throws -> ArticleChanges
}

/// Up to where somebody has followed what became of articles.
public struct LogPosition: Sendable, Hashable {
    /// What tells the library from what comes back from a backup.
    public let copy: String
    /// The number of the last article that came.
    public let article: Int64
    /// The number of the last change of one that was there.
    public let change: Int64

    /// A position that was told before.
    public init(copy: String, article: Int64, change: Int64) {
        (self.copy, self.article, self.change) = (copy, article, change)
    }
}

/// What became of articles, up to a position.
public struct ArticleChanges: Sendable, Hashable {
    /// Those that came or were changed, as they are now.
    public var articles: [Article] = []
    /// The numbers of those that are gone.
    public var gone: [Int64] = []
    /// Up to where this is.
    public var position: LogPosition
    /// Whether there is more behind that.
    public var goesOn = false

    /// Nothing became of any.
    public init(position: LogPosition) { self.position = position }
}

/// Why nobody can say what became of articles.
public enum ArticleLogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The library is not the one in which the position was told: it came back from a backup. Everything has to be read anew.
    case anotherLibrary

    /// A sentence for people.
    public var description: String {
        "the library came back from a backup since; read everything anew"
    }
}

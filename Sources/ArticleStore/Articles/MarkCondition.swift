import Text

/// The marks that a list requires of its articles. Every condition that is set must hold.
///
/// The library does not know readers: it takes the number of one and compares what was marked under it.
public struct MarkCondition: Sendable, Hashable {
    /// Whose marks are looked at. Under nil nothing is marked: everything is unread, and nothing else.
    public var reader: Int64?
    /// Whether the reader has read it.
    public var isRead: Bool?
    /// Whether the reader has given it a star.
    public var isStarred: Bool?
    /// Whether the reader has put it aside for later.
    public var isLater: Bool?
    /// Whether the reader has written a note on it.
    public var isNoted: Bool?
    /// A tag that the reader has given it, without regard to case and to accents on Latin letters.
    public var tag: String?

    /// A condition; without anything set it holds of every article.
    public init(
        reader: Int64? = nil, isRead: Bool? = nil, isStarred: Bool? = nil, isLater: Bool? = nil, isNoted: Bool? = nil,
        tag: String? = nil
    ) {
        self.reader = reader
        self.isRead = isRead
        self.isStarred = isStarred
        self.isLater = isLater
        self.isNoted = isNoted
        self.tag = tag
    }

    /// Whether it holds of every article.
    public var isEmpty: Bool {
        isRead == nil && isStarred == nil && isLater == nil && isNoted == nil && tag == nil
    }

    /// The same of the marks of a reader.
    public func of(_ reader: Int64?) -> MarkCondition {
        var condition = self
        condition.reader = reader
        return condition
    }

    /// The identity of the condition, regardless of the reader; empty if every article meets it.
    var fingerprint: String {
        let states = [isRead, isStarred, isLater, isNoted].map { $0.map { $0 ? "+" : "-" } ?? "?" }
        return isEmpty ? "" : "!" + states.joined() + (tag.map { SearchText.fold($0) } ?? "")
    }
}

import Text

/// The marks that a list requires of its articles. An article must meet all conditions that are set.
///
/// This module does not know users. It compares marks by the number of a user.
public struct MarkCondition: Sendable, Hashable {
    /// The number of the user whose marks count. If nil, all articles are unread and without other marks.
    public var userID: Int64?
    /// Whether the user has read the article.
    public var isRead: Bool?
    /// Whether the user has starred the article.
    public var isStarred: Bool?
    /// Whether the user has saved the article for later.
    public var isReadLater: Bool?
    /// Whether the user has written a note on the article.
    public var isNoted: Bool?
    /// Whether the article is hidden from the user's lists. Unless it is set, a list with a ``userID`` omits hidden articles,
    /// except for a list of unread articles.
    public var isHidden: Bool?
    /// A tag that the user has given the article, without regard to case and to accents on Latin letters.
    public var tag: String?

    /// Creates a condition. If nothing is set, every article meets it.
    public init(
        userID: Int64? = nil, isRead: Bool? = nil, isStarred: Bool? = nil, isReadLater: Bool? = nil,
        isNoted: Bool? = nil, isHidden: Bool? = nil, tag: String? = nil
    ) {
        self.userID = userID
        self.isRead = isRead
        self.isStarred = isStarred
        self.isReadLater = isReadLater
        self.isNoted = isNoted
        self.isHidden = isHidden
        self.tag = tag
    }

    /// Whether every article meets the condition.
    public var isEmpty: Bool {
        isRead == nil && isStarred == nil && isReadLater == nil && isNoted == nil && isHidden == nil
            && tag == nil
    }

    /// Returns the same condition on the marks of another user.
    public func of(_ user: Int64?) -> MarkCondition {
        var condition = self
        condition.userID = user
        return condition
    }

    /// The identity of the condition, independent of the user; empty if every article meets it.
    package var fingerprint: String {
        let states = [isRead, isStarred, isReadLater, isNoted].map { $0.map { $0 ? "+" : "-" } ?? "?" }
        // Omit this mark if it is not set, so that older cursors stay valid.
        let hidden = isHidden.map { $0 ? "+" : "-" } ?? ""
        return isEmpty ? "" : "!" + states.joined() + hidden + (tag.map { SearchText.fold($0) } ?? "")
    }
}

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

/// A condition on the marks of a user, from the settings of a list or from its search.
package struct SingleMarkCondition: Hashable, Sendable {
    package let userID: Int64?
    package let mark: SearchQuery.Mark
    package let isSet: Bool

    package init(userID: Int64?, mark: SearchQuery.Mark, isSet: Bool) {
        (self.userID, self.mark, self.isSet) = (userID, mark, isSet)
    }
}

extension ArticleQuery {
    /// The conditions on marks, one by one. They include the condition that hides articles from the lists of a user.
    package var markConditions: [SingleMarkCondition] {
        let said = saidMarkConditions
        guard marks.userID != nil, marks.isRead != false, !mentionsHidden else { return said }
        return said + [SingleMarkCondition(userID: marks.userID, mark: .hidden, isSet: false)]
    }

    /// The conditions on marks that were set.
    private var saidMarkConditions: [SingleMarkCondition] {
        let states: [(SearchQuery.Mark, Bool?)] = [
            (.read, marks.isRead), (.starred, marks.isStarred), (.later, marks.isReadLater), (.noted, marks.isNoted),
            (.hidden, marks.isHidden),
        ]
        let said =
            states.compactMap { mark, isSet in isSet.map { (mark, $0) } } + (marks.tag.map { [(.tag($0), true)] } ?? [])
        let searched = (search?.filters ?? []).compactMap { filter in
            if case .mark(let mark) = filter.condition { (mark, !filter.isExcluded) } else { nil }
        }
        return (said + searched).map { SingleMarkCondition(userID: marks.userID, mark: $0, isSet: $1) }
    }

    /// Whether the list depends on the marks of a user.
    package var dependsOnMarks: Bool {
        !saidMarkConditions.isEmpty || search?.choices.contains { $0.hasMark { _ in true } } == true
    }

    /// Whether the list is about hidden articles, also in a part of its search.
    private var mentionsHidden: Bool {
        saidMarkConditions.contains { $0.mark == .hidden }
            || search?.choices.contains { $0.hasMark { $0 == .hidden } } == true
    }
}

extension SearchQuery.Clause {
    /// Whether the clause has a condition on a mark that meets `condition`.
    fileprivate func hasMark(_ condition: (SearchQuery.Mark) -> Bool) -> Bool {
        switch self {
        case .filter(let filter): if case .mark(let mark) = filter.condition { condition(mark) } else { false }
        case .term: false
        case .all(let clauses), .any(let clauses): clauses.contains { $0.hasMark(condition) }
        }
    }
}

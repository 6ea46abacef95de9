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

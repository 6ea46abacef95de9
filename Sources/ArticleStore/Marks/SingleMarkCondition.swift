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
    /// The conditions on marks, one by one.
    package var markConditions: [SingleMarkCondition] {
        let states: [(SearchQuery.Mark, Bool?)] = [
            (.read, marks.isRead), (.starred, marks.isStarred), (.later, marks.isReadLater), (.noted, marks.isNoted),
        ]
        let said =
            states.compactMap { mark, isSet in isSet.map { (mark, $0) } } + (marks.tag.map { [(.tag($0), true)] } ?? [])
        let searched = (search?.filters ?? []).compactMap { filter in
            if case .mark(let mark) = filter.condition { (mark, !filter.isExcluded) } else { nil }
        }
        return (said + searched).map { SingleMarkCondition(userID: marks.userID, mark: $0, isSet: $1) }
    }

    /// Whether the list depends on the marks of a user.
    package var dependsOnMarks: Bool { !markConditions.isEmpty || search?.choices.contains(where: \.hasMarks) == true }
}

extension SearchQuery.Clause {
    fileprivate var hasMarks: Bool {
        switch self {
        case .filter(let filter): if case .mark = filter.condition { true } else { false }
        case .term: false
        case .all(let clauses), .any(let clauses): clauses.contains(where: \.hasMarks)
        }
    }
}

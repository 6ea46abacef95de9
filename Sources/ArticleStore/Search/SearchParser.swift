/// Combines the parts of a search. No part is an error.
struct SearchParser {
    /// A search, or a part of it in parentheses.
    private struct Group {
        let isExcluded: Bool
        /// Clauses that must all hold, each with its alternatives.
        var clauses: [[SearchQuery.Clause]] = []
        /// An `OR` whose second part was not read yet.
        var separator: SearchReader.Part?

        mutating func add(_ clause: SearchQuery.Clause) {
            if separator != nil, let last = clauses.indices.last {
                clauses[last].append(clause)
            } else {
                clauses.append([clause])
            }
            separator = nil
        }
    }

    /// All words, in order.
    private(set) var terms: [SearchQuery.Term] = []
    /// The invalid parts, and the parts beyond the limit.
    private(set) var ignored: [String] = []
    /// The groups that were not closed. The first one is the whole search.
    private var groups = [Group(isExcluded: false)]
    private var count = 0

    /// Adds the next part.
    mutating func add(_ part: SearchReader.Part) {
        let last = groups.count - 1
        switch part.meaning {
        case .open(let isExcluded): groups.append(Group(isExcluded: isExcluded))
        case .close: close()
        case .term where part.written == "OR" && groups[last].separator == nil && !groups[last].clauses.isEmpty:
            groups[last].separator = part
        case .term(var term) where !term.words.isEmpty && count < SearchQuery.limit:
            // In an excluded group, an excluded term is wanted.
            if isNegated { term.isExcluded.toggle() }
            terms.append(term)
            add(.term(term), to: last)
        case .filter(var filter) where count < SearchQuery.limit:
            if isNegated { filter.isExcluded.toggle() }
            add(.filter(filter), to: last)
        case .term, .filter, .nothing: ignored.append(part.written)
        }
    }

    /// Closes all groups, and returns the clauses that must hold.
    mutating func finish() -> [SearchQuery.Clause] {
        while groups.count > 1 { close() }
        guard let search = clause(of: groups[0], isNegated: false) else { return [] }
        return if case .all(let clauses) = search { clauses } else { [search] }
    }

    private var isNegated: Bool { groups.count { $0.isExcluded } % 2 == 1 }

    private mutating func add(_ clause: SearchQuery.Clause, to group: Int) {
        count += 1
        groups[group].add(clause)
    }

    private mutating func close() {
        guard groups.count > 1 else { return }
        let isNegated = isNegated
        let group = groups.removeLast()
        guard let clause = clause(of: group, isNegated: isNegated) else { return }
        groups[groups.count - 1].add(clause)
    }

    private mutating func clause(of group: Group, isNegated: Bool) -> SearchQuery.Clause? {
        if let separator = group.separator { ignored.append(separator.written) }
        // The parts are negated already. “Not all of them” is “any of their opposites”.
        let clauses = group.clauses.map { SearchQuery.Clause($0, isAny: !isNegated) }
        return clauses.isEmpty ? nil : SearchQuery.Clause(clauses, isAny: isNegated)
    }
}

extension SearchQuery.Clause {
    /// Creates a clause without clauses of the same kind inside.
    fileprivate init(_ clauses: [SearchQuery.Clause], isAny: Bool) {
        let parts = clauses.flatMap { clause in
            switch clause {
            case .all(let parts) where !isAny: parts
            case .any(let parts) where isAny: parts
            case .all, .any, .term, .filter: [clause]
            }
        }
        self = parts.count == 1 ? parts[0] : isAny ? .any(parts) : .all(parts)
    }
}

import FlowCoordinators

extension List.Column.Role {
    /// Whether a table that is printed for a person has such a column.
    var isPrinted: Bool {
        switch self {
        case .identity, .primary, .fact, .detail: true
        case .alias, .labels, .estimate: false
        }
    }

    /// Whether lines for another program have such a column. What was reckoned, a program can reckon too.
    var isExported: Bool { self != .estimate }
}

import FlowCoordinators

extension List.Column.Role {
    /// Whether a table that is printed for a person has such a column.
    var isPrinted: Bool {
        switch self {
        case .identity, .primary, .fact, .detail, .mark: true
        case .alias, .labels, .estimate: false
        }
    }

    /// Whether lines for another program have such a column. What was reckoned, a program can reckon too, and signs are for
    /// people: what they say is in JSON.
    var isExported: Bool { self != .estimate && self != .mark }
}

import FlowCoordinators
import Terminal

extension List.Column.Role {
    /// Whether a printed table for a person has this column.
    var isPrinted: Bool {
        switch self {
        case .identity, .primary, .fact, .detail, .origin, .mark: true
        case .alias, .labels, .estimate: false
        }
    }

    /// The way in which the column shrinks in a narrow terminal.
    var printedUse: ColumnShape.Use {
        switch self {
        case .primary: .main
        case .identity, .mark, .estimate: .exact
        case .detail, .origin, .labels: .optional
        case .fact, .alias: .shared
        }
    }

    /// Whether tab-separated lines (`list` into a pipe) contain the column. Programs can compute estimates, and `--json`
    /// contains the marks and the origin.
    var isInPlainLines: Bool { self != .estimate && self != .mark && self != .origin }
}

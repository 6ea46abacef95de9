public import Navigation

/// The recorded entries differ from the expected ones.
public struct JournalMismatch: Error, Hashable, Sendable {
    /// The expected entries, oldest first.
    public let expected: [Journal.Entry]
    /// The recorded entries, oldest first.
    public let actual: [Journal.Entry]
}

extension JournalMismatch: CustomStringConvertible {
    /// The entries, one line each. `-` marks an expected entry that is missing, and `+` an unexpected entry.
    public var description: String {
        let difference = actual.difference(from: expected)
        var lines = expected.map { "  \($0)" }
        for case .remove(let offset, let entry, _) in difference.removals { lines[offset] = "- \(entry)" }
        // Missing entries still have their lines, so skip them when counting the position of an insertion.
        for case .insert(let offset, let entry, _) in difference.insertions {
            var index = 0
            var kept = 0
            while index < lines.count, kept < offset || lines[index].hasPrefix("-") {
                if !lines[index].hasPrefix("-") { kept += 1 }
                index += 1
            }
            lines.insert("+ \(entry)", at: index)
        }
        return "What happened is not what was expected:\n" + lines.joined(separator: "\n")
    }
}

public import Navigation

/// A coordinator outlives its flow, or a flow that the test expected to close did not close.
public struct NotReleased: Error, Hashable, Sendable {
    /// The kinds and identities of flows that have ended but whose coordinators are still alive.
    public let leaked: [String]
    /// The expected flows that are still open or were never opened.
    public let notClosed: [FlowKind]
}

extension NotReleased: CustomStringConvertible {
    /// The error and its likely causes.
    public var description: String {
        var sentences: [String] = []
        if !leaked.isEmpty {
            sentences.append(
                "Still alive after their flows have ended: the coordinators of \(leaked.joined(separator: ", ")). "
                    + "Something holds them, such as a closure that captures self.")
        }
        if !notClosed.isEmpty {
            let kinds = notClosed.map(\.name).joined(separator: ", ")
            sentences.append("Open still, or never opened while this was recorded: \(kinds).")
        }
        return sentences.joined(separator: " ")
    }
}

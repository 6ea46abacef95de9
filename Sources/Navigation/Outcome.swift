/// How a flow ended, as told to who declared it.
public enum Outcome<Output> {
    /// The flow did what it was for.
    case finished(Output)

    /// The flow was left: by going back past its first screen, by a move to elsewhere, or because the gate closed.
    case cancelled
}

extension Outcome: Sendable where Output: Sendable {}
extension Outcome: Equatable where Output: Equatable {}
extension Outcome: Hashable where Output: Hashable {}

/// How a flow ended, as told to who declared it.
public enum Outcome<Output> {
    /// The flow did what it was for.
    case finished(Output)

    /// The flow ended without a result.
    case cancelled(Cancellation)
}

/// The reason why a flow ended without a result.
public enum Cancellation: Sendable, Hashable {
    /// The flow said so with ``Flow/cancel()``.
    case byItself
    /// A move left it: going back past its first screen, a link, a move of another flow.
    case left
    /// The ``Gate`` does not admit it any longer, as when a session has expired.
    case barred
}

extension Outcome: Sendable where Output: Sendable {}
extension Outcome: Equatable where Output: Equatable {}
extension Outcome: Hashable where Output: Hashable {}

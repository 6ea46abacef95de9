/// How a flow ended, for the declaration of the flow.
public enum Outcome<Output> {
    /// The flow finished with a result.
    case finished(Output)

    /// The flow ended without a result.
    case cancelled(Cancellation)
}

/// The reason why a flow ended without a result.
public enum Cancellation: Sendable, Hashable {
    /// The flow ended itself with ``Flow/cancel()``.
    case byItself
    /// A move removed it: going back past its first screen, a link, or a move of another flow.
    case left
    /// The ``Gate`` no longer admits it, for example because a session has expired.
    case barred
}

extension Outcome: Sendable where Output: Sendable {}
extension Outcome: Equatable where Output: Equatable {}
extension Outcome: Hashable where Output: Hashable {}

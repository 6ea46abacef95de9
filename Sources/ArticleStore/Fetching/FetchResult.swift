/// The result of the fetch of a source.
package struct FetchResult: Sendable {
    /// The effect of a fetch.
    package enum Outcome: Sendable, Hashable {
        /// The feed has not changed since the last fetch.
        case unchanged
        /// The feed was imported. The values are the numbers of new and of changed articles.
        case imported(new: Int, changed: Int)
        /// The fetch failed, and the next one is delayed. The value is the reason.
        case failed(String)
        /// The server has removed the feed permanently, so it is not fetched again.
        case ended(String)
        /// The feed was not fetched or not stored, for a reason on this side, such as a full disk. The value is the reason.
        case postponed(String)
    }

    /// The source.
    package let source: Source
    /// The new state of the subscription.
    package let subscription: Subscription
    /// The effect.
    package let outcome: Outcome
    /// Whether the subscription has a new address because of permanent redirects.
    package let hasMoved: Bool
    /// Whether no server responded.
    package var isUnreachable = false
    /// The number of articles that were removed afterwards, because the source does not keep them.
    package var removed = 0

    package init(source: Source, subscription: Subscription, outcome: Outcome, hasMoved: Bool = false) {
        (self.source, self.subscription, self.outcome) = (source, subscription, outcome)
        self.hasMoved = hasMoved
    }

    /// The number of new and of changed articles.
    package var changes: (new: Int, changed: Int) {
        guard case .imported(let new, let changed) = outcome else { return (0, 0) }
        return (new, changed)
    }

    /// The reason why the source was not fetched; nil if it was.
    package var problem: String? {
        switch outcome {
        case .unchanged, .imported: nil
        case .failed(let reason), .ended(let reason), .postponed(let reason): reason
        }
    }
}

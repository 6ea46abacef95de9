/// What became of a draft.
public struct Upsert: Sendable, Hashable {
    /// What was done.
    public enum Outcome: Sendable, Hashable {
        /// The slug was new.
        case inserted
        /// The article of that slug was another.
        case updated
        /// The article of that slug was the same already.
        case unchanged
    }

    /// The number of the article.
    public var id: Int64
    /// What was done.
    public var outcome: Outcome

    /// An outcome for an article.
    public init(id: Int64, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}

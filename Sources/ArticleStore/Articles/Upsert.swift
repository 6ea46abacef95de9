/// What became of a draft.
public struct Upsert: Sendable, Hashable {
    /// What was done.
    public enum Outcome: Sendable, Hashable {
        /// The key was new to its source.
        case inserted
        /// The article of that key was another.
        case updated
        /// The article had another key, and is the same else.
        case renamed
        /// The article of that key was the same already, or what it was made from was.
        case unchanged
        /// The article was changed here, and what it was made from has changed too. It is left as it is.
        case kept
        /// The article was deleted here for good, and was not brought back. It has no number.
        case deleted
    }

    /// The number of the article; 0 where there is none.
    public var id: Int64
    /// What was done.
    public var outcome: Outcome

    /// An outcome for an article.
    public init(id: Int64, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}

/// The outcome of adding or replacing an article.
public struct Upsert: Sendable, Hashable {
    /// The kinds of outcomes.
    public enum Outcome: Sendable, Hashable {
        /// The key was new in its source, and the article was added.
        case inserted
        /// The article with that key was replaced.
        case updated
        /// The article has a new key and is otherwise unchanged.
        case renamed
        /// The article with that key was the same already, or its record was.
        case unchanged
        /// The article was edited in the library, and its record has changed too. The edited article stays.
        case kept
        /// The article was deleted in the library for good, and was not added again. It does not have a number.
        case deleted
    }

    /// The number of the article; 0 if the article was deleted.
    public var id: Int64
    /// The kind of the outcome.
    public var outcome: Outcome

    /// Creates an outcome.
    public init(id: Int64, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}

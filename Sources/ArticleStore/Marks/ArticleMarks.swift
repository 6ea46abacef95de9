public import Text

/// The marks that a user gave an article. Each mark has the time of its last change, even if it was removed; nil if it
/// never changed.
public struct ArticleMarks: Sendable, Hashable {
    /// A mark and the time of its last change.
    public struct Mark<Value: Sendable>: Sendable {
        /// The value of the mark.
        public var value: Value
        /// The time of the last change; nil if the mark never changed.
        public var changed: Date?

        // Inlined, so that the generic type is resolved at compile time.
        /// Creates a mark.
        @inlinable
        public init(_ value: Value, changed: Date? = nil) {
            self.value = value
            self.changed = changed
        }
    }

    /// Whether the user has read the article.
    public var read = Mark(false)
    /// Whether the user has starred the article.
    public var starred = Mark(false)
    /// Whether the user has saved the article for later.
    public var later = Mark(false)
    /// Whether the article is hidden from the user's lists.
    public var hidden = Mark(false)
    /// The user's position in the article, in thousandths of the text; nil for the beginning.
    public var readingPosition = Mark<Int?>(nil)
    /// The user's note on the article.
    public var note = Mark<String?>(nil)
    /// The tags that the user has given the article, ordered by their keys.
    public var tags: [Mark<TagName>] = []
    /// The tags that the user has removed from the article, ordered by their keys.
    public var removedTags: [Mark<TagName>] = []

    /// Creates an empty set of marks.
    public init() {}

    /// Whether no mark was ever changed.
    public var isEmpty: Bool { self == ArticleMarks() }
}

extension ArticleMarks.Mark: Equatable where Value: Equatable {}
extension ArticleMarks.Mark: Hashable where Value: Hashable {}

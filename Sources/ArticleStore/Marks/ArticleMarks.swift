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

/// A change of the marks of articles.
public enum MarkChange: Sendable, Hashable {
    /// Marks the articles as read or unread.
    case read(Bool)
    /// Adds or removes the star.
    case starred(Bool)
    /// Adds the articles to those saved for later, or removes them.
    case later(Bool)
    /// Hides the articles from the lists of the user and marks them as read, or shows them again. Lists of unread articles
    /// also contain hidden ones, which someone has marked as unread again.
    case hidden(Bool)
    /// Adds or removes one of the user's own tags.
    case tag(TagName, Bool)
    /// Replaces the note; nil removes it.
    case note(String?)
    /// Sets the position in the text, in thousandths of the text; nil for the beginning.
    case readingPosition(Int?)

    /// The tag that the change adds; nil for other changes.
    package var givenTag: TagName? { if case .tag(let tag, true) = self { tag } else { nil } }
}

extension [MarkChange] {
    /// The changes, and those that follow from them: a hidden article is read, unless the changes say something else.
    /// Those are not counted, because the user did not ask for them.
    package var steps: [(change: MarkChange, counts: Bool)] {
        let steps = map { (change: $0, counts: true) }
        let isAboutReading = contains { if case .read = $0 { true } else { false } }
        return contains(.hidden(true)) && !isAboutReading ? steps + [(.read(true), false)] : steps
    }
}

public import Essentials

/// The marks that a user gave an article. Each mark has the time of its last change, also if it was removed; nil
/// if it never changed.
public struct ArticleMarks: Sendable, Hashable {
    /// A mark, and when it changed last.
    public struct Mark<Value: Sendable & Hashable>: Sendable, Hashable {
        /// The value of the mark.
        public var value: Value
        /// When it changed last; nil where nobody said anything.
        public var changed: Date?

        /// A mark.
        public init(_ value: Value, changed: Date? = nil) {
            self.value = value
            self.changed = changed
        }
    }

    /// Whether it was read.
    public var read = Mark(false)
    /// Whether it has a star.
    public var starred = Mark(false)
    /// Whether it was put aside for later.
    public var later = Mark(false)
    /// How far the reader has come, in thousandths of the text.
    public var place = Mark<Int?>(nil)
    /// A note on it.
    public var note = Mark<String?>(nil)
    /// The tags that the reader has given it, in the order of their keys.
    public var tags: [Mark<OwnTag>] = []
    /// The tags that the reader has taken away from it, in the order of their keys.
    public var removedTags: [Mark<OwnTag>] = []

    /// No marks.
    public init() {}

    /// Whether nobody ever said anything.
    public var isEmpty: Bool { self == ArticleMarks() }
}

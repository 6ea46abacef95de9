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

/// A change of the marks of articles.
public enum MarkChange: Sendable, Hashable {
    /// Marks the articles as read or unread.
    case read(Bool)
    /// Adds or removes the star.
    case starred(Bool)
    /// Adds the articles to those saved for later, or removes them.
    case later(Bool)
    /// Hides the articles from the lists of the user, or shows them again. They stay in lists of unread articles.
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

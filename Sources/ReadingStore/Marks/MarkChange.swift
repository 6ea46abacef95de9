/// A change of the marks of articles.
public enum MarkChange: Sendable, Hashable {
    /// To have read it, or not.
    case read(Bool)
    /// To give it a star, or take it away.
    case starred(Bool)
    /// To put it aside for later, or not any more.
    case later(Bool)
    /// To give it a tag of one's own, or take it away.
    case tag(OwnTag, Bool)
    /// To write a note on it, over the one before, or take it away.
    case note(String?)
    /// To have come so far in it, in thousandths of the text; nil for the beginning.
    case place(Int?)

    /// The tag that it gives; nil where it gives none.
    package var givenTag: OwnTag? { if case .tag(let tag, true) = self { tag } else { nil } }
}

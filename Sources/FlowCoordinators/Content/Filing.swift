internal import Navigation

/// By what articles are filed together, so that a word of it leads to the list of all that have it.
public enum Filing: String, Hashable, Sendable {
    /// By who wrote them.
    case author
    /// By their tags.
    case tag

    /// The path of the list of all that have a word of it. A page has hundreds of them, so that it is put together without a route.
    public func path(of word: String) -> String { "/articles?" + rawValue + "=" + RoutePath.encoded(word) }
}

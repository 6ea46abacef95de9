internal import Navigation

/// By what articles are filed together, so that a word of it leads to the list of all that have it.
public enum Filing: String, Hashable, Sendable {
    /// By who wrote them.
    case author
    /// By their tags.
    case tag

    /// The path of the list of all that have a word of it.
    public func path(of word: String) -> String { pathStart + RoutePath.encoded(word) }

    /// The part of such a path before the word. A page has hundreds of these paths, so they are made without a route.
    package var pathStart: String {
        switch self {
        case .author: "/articles?author="
        case .tag: "/articles?tag="
        }
    }
}

internal import Navigation

/// A property that groups articles. Each of its words links to the list of all articles that have the word.
public enum Filing: String, Hashable, Sendable {
    /// The author.
    case author
    /// The tag.
    case tag

    /// Returns the path of the list of all articles that have the word.
    public func path(of word: String) -> String { pathStart + RoutePath.encoded(word) }

    /// The part of that path before the word. A page has hundreds of these paths, so they are made without an
    /// `AppRoute`.
    package var pathStart: String {
        switch self {
        case .author: "/articles?author="
        case .tag: "/articles?tag="
        }
    }
}

public import Text

/// A list of articles that a user saved with a name.
public struct SavedSearch: Sendable, Hashable {
    /// The maximum number of saved searches of a user.
    public static let most = 100

    /// The name. It follows the rule of tags, because feed readers show saved searches beside tags.
    public var name: TagName
    /// The filters and the order as they were saved. Relative dates, such as `after:7d` in the words of a search, are
    /// kept; ``query(at:)`` replaces them.
    public private(set) var saved: ArticleQuery

    /// Creates a saved search.
    public init(name: TagName, query: ArticleQuery) {
        self.name = name
        // Only the settings of a list are saved, not the user or a range of numbers.
        saved = Self.query(from: ArticleList(query: query).parameterText) ?? ArticleQuery()
    }

    /// Returns the filters and the order of the list at a time.
    public func query(at time: Date) -> ArticleQuery {
        var query = saved
        query.text = query.text.map { SearchQuery.dated($0, now: time) }
        return query
    }
}

extension SavedSearch {
    /// Creates a saved search from its stored form; nil if this version does not know all of its settings.
    /// - Parameter source: the present name of the source of the list. It may have been renamed since the list was saved.
    package init?(storedName: String, text: String, source: String? = nil) {
        guard let query = Self.query(from: text) else { return nil }
        (name, saved) = (TagName(stored: storedName), query)
        if let source { saved.source = source }
    }

    /// The stored form: the parameters of the list's path.
    package var text: String { ArticleList(query: saved).parameterText }

    private static func query(from text: String) -> ArticleQuery? {
        var parameters: [String: String] = [:]
        for part in text.split(separator: "&") {
            let (name, value) = (part.prefix { $0 != "=" }, part.drop { $0 != "=" }.dropFirst())
            parameters[name.percentDecoded] = value.percentDecoded
        }
        let list = ArticleList(&parameters)
        return parameters.isEmpty ? list?.query : nil
    }
}

/// A saved search with the number of its unread articles.
package struct ListedSearch: Sendable {
    /// The number at which the count ends: it stands for so many articles or more.
    package static let mostUnread = 1_000

    /// The search.
    package let search: SavedSearch
    /// Its filters and its order at the time of the count.
    package let query: ArticleQuery
    /// The number of its unread articles, at most ``mostUnread``; nil if the count took too long.
    package let unread: Int?
    /// The unread article that arrived last; nil if there is none, or if it is not known.
    package let newest: Int64?

    /// The number for a table, such as `12` or `1000+`.
    package var unreadText: String {
        guard let unread else { return "?" }
        return unread < Self.mostUnread ? String(unread) : "\(Self.mostUnread)+"
    }
}

/// The reason why a search cannot be saved, renamed, or found. ``TagError`` reports an invalid name.
public enum SavedSearchError: Error, Hashable, Sendable {
    /// The user's saved search with this name does not exist.
    case noSearch(String)
    /// The user has another saved search with this name.
    case nameIsTaken(TagName)
    /// The user has the maximum number of saved searches.
    case tooMany
}

extension SavedSearchError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .noSearch(let name): "you have no saved search “\(name.shortened())”"
        case .nameIsTaken(let name): "you have another saved search “\(name.name)”"
        case .tooMany: "you have the maximum of \(SavedSearch.most) saved searches; remove one first"
        }
    }
}

extension SavedSearchError: ExplainedError {
    package var errorKind: ErrorKind {
        switch self {
        case .noSearch: .notFound
        case .nameIsTaken, .tooMany: .conflict
        }
    }

    package var problemCode: String {
        switch self {
        case .noSearch: "notFound"
        case .nameIsTaken: "nameIsTaken"
        case .tooMany: "tooManySearches"
        }
    }

    package var hint: String? {
        switch self {
        case .noSearch: "list them with: articlesctl searches"
        case .nameIsTaken, .tooMany: nil
        }
    }
}

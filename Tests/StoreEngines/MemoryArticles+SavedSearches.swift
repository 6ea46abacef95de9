public import ArticleStore
import Synchronization

extension MemoryArticles {
    /// Returns the saved searches of a user. See `MarkRepository`.
    public func savedSearches(of user: Int64) async throws -> [SavedSearch] {
        guard isReader(user) else { return [] }
        return searches.withLock { $0[user] ?? [] }.sorted { $0.name < $1.name }
    }

    /// Saves a search. See `MarkRepository`.
    public func save(_ search: SavedSearch, of user: Int64) async throws -> Bool {
        guard isReader(user) else { return false }
        return try searches.withLock { searches in
            let others = searches[user, default: []].filter { $0.name != search.name }
            let isNew = others.count == searches[user, default: []].count
            guard others.count < SavedSearch.most else { throw SavedSearchError.tooMany }
            searches[user] = others + [search]
            return isNew
        }
    }

    /// Gives a saved search another name. See `MarkRepository`.
    public func renameSavedSearch(_ old: TagName, to new: TagName, of user: Int64) async throws -> Bool {
        try searches.withLock { searches in
            guard let index = searches[user]?.firstIndex(where: { $0.name == old }) else { return false }
            if old != new, searches[user]?.contains(where: { $0.name == new }) == true {
                throw SavedSearchError.nameIsTaken(new)
            }
            searches[user]?[index].name = new
            return true
        }
    }

    /// Removes a saved search. See `MarkRepository`.
    public func removeSavedSearch(_ name: TagName, of user: Int64) async throws -> Bool {
        searches.withLock { searches in
            let others = searches[user, default: []].filter { $0.name != name }
            defer { searches[user] = others }
            return others.count < searches[user, default: []].count
        }
    }
}

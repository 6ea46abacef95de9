public import ArticleStore
import Synchronization

extension MemoryArticles {
    /// Returns the saved searches of a user. See `MarkRepository`.
    public func savedSearches(of user: Int64) async throws -> [SavedSearch] {
        guard isReader(user) else { return [] }
        let names = Dictionary(uniqueKeysWithValues: currentSources().map { ($0.id, $0.name) })
        return searches.withLock { $0[user] ?? [] }
            .compactMap { search, source in
                SavedSearch(
                    storedName: search.name.name, text: search.text, source: source.flatMap { names[$0] })
            }
            .sorted { $0.name < $1.name }
    }

    /// Saves a search. See `MarkRepository`.
    public func save(_ search: SavedSearch, of user: Int64) async throws -> Bool {
        guard isReader(user) else { return false }
        let source = search.saved.source.flatMap { currentSources().named($0)?.id }
        return try searches.withLock { searches in
            let others = searches[user, default: []].filter { $0.search.name != search.name }
            let isNew = others.count == searches[user, default: []].count
            guard others.count < SavedSearch.most else { throw SavedSearchError.tooMany }
            searches[user] = others + [(search, source)]
            return isNew
        }
    }

    /// Gives a saved search another name. See `MarkRepository`.
    public func renameSavedSearch(_ old: TagName, to new: TagName, of user: Int64) async throws -> Bool {
        try searches.withLock { searches in
            guard let index = searches[user]?.firstIndex(where: { $0.search.name == old }) else { return false }
            if old != new, searches[user]?.contains(where: { $0.search.name == new }) == true {
                throw SavedSearchError.nameIsTaken(new)
            }
            searches[user]?[index].search.name = new
            return true
        }
    }

    /// Removes a saved search. See `MarkRepository`.
    public func removeSavedSearch(_ name: TagName, of user: Int64) async throws -> Bool {
        searches.withLock { searches in
            let others = searches[user, default: []].filter { $0.search.name != name }
            defer { searches[user] = others }
            return others.count < searches[user, default: []].count
        }
    }
}

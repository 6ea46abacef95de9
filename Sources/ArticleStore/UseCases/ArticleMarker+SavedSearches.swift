import Text

/// The saved searches of the user.
extension ArticleMarker {
    /// Returns the saved searches, ordered by their names.
    ///
    /// - Throws: the errors of the repository.
    package func savedSearches() async throws -> [SavedSearch] { try await marks.savedSearches(of: userID) }

    /// Returns the saved search with a name.
    ///
    /// - Throws: ``SavedSearchError/noSearch(_:)``, and the errors of the repository.
    package func savedSearch(named name: String) async throws -> SavedSearch {
        try await marks.savedSearch(named: name, of: userID)
    }

    /// Returns the saved searches with these names, in this order.
    ///
    /// - Throws: ``SavedSearchError/noSearch(_:)`` if one does not exist, and the errors of the repository.
    package func savedSearches(named names: [String]) async throws -> [SavedSearch] {
        let searches = try await savedSearches()
        return try names.map { name throws(SavedSearchError) in try searches.existing(named: name) }
    }

    /// Returns the filters and the order of the saved search with a name, at the present time.
    ///
    /// - Throws: ``SavedSearchError/noSearch(_:)``, and the errors of the repository.
    package func query(ofSavedSearch name: String) async throws -> ArticleQuery {
        try await savedSearch(named: name).query(at: clock()).withMarks(ofUser: userID)
    }

    /// Returns the saved search whose list is now that of a query; nil if there is none.
    ///
    /// - Throws: the errors of the repository.
    package func savedSearch(for query: ArticleQuery) async throws -> SavedSearch? {
        try await savedSearches().first { $0.query(at: clock()) == query }
    }

    /// Saves a search. A saved search with the same name is replaced.
    ///
    /// - Returns: whether the name is new.
    /// - Throws: the refusal, ``SourceError/noSource(_:similar:)``, ``SavedSearchError/tooMany``, and the errors of the
    ///   repository.
    @discardableResult
    package func save(_ search: SavedSearch) async throws -> Bool {
        if let refusal { throw refusal }
        if let source = search.saved.source { _ = try await articles.existingSource(named: source) }
        return try await marks.save(search, of: userID)
    }

    /// Gives a saved search another name.
    ///
    /// - Throws: the refusal, ``SavedSearchError/noSearch(_:)``, ``SavedSearchError/nameIsTaken(_:)``, and the errors of
    ///   the repository.
    package func renameSavedSearch(_ old: String, to new: TagName) async throws {
        if let refusal { throw refusal }
        guard let name = try? TagName(old), try await marks.renameSavedSearch(name, to: new, of: userID) else {
            throw SavedSearchError.noSearch(old)
        }
    }

    /// Removes a saved search. Its articles do not change.
    ///
    /// - Throws: the refusal, ``SavedSearchError/noSearch(_:)``, and the errors of the repository.
    package func removeSavedSearch(_ text: String) async throws {
        if let refusal { throw refusal }
        guard let name = try? TagName(text), try await marks.removeSavedSearch(name, of: userID) else {
            throw SavedSearchError.noSearch(text)
        }
    }
}

extension MarkRepository {
    /// Returns the saved search of a user with a name.
    ///
    /// - Throws: ``SavedSearchError/noSearch(_:)``, and the errors of the repository.
    package func savedSearch(named text: String, of user: Int64) async throws -> SavedSearch {
        try await savedSearches(of: user).existing(named: text)
    }
}

extension [SavedSearch] {
    /// Returns the saved search with a name.
    ///
    /// - Throws: ``SavedSearchError/noSearch(_:)``.
    fileprivate func existing(named text: String) throws(SavedSearchError) -> SavedSearch {
        let name = try? TagName(text)
        guard let search = first(where: { $0.name == name }) else { throw .noSearch(text) }
        return search
    }
}

internal import ArticleStore
internal import AuthService
internal import Text

extension ArticleMarker {
    /// Saves a list with the name of a form. If the list was saved already, it gets the name.
    ///
    /// - Throws: `TagError`, `SavedSearchError`, `AuthError.outOfScope`, and the errors of the repository.
    func saveSearch(_ text: String, for query: ArticleQuery) async throws -> Notice {
        let search = SavedSearch(name: try TagName(text, for: .search), query: query)
        if let known = try await savedSearch(for: query) {
            if known.name.name == search.name.name { return .nothingChanged }
            try await renameSavedSearch(known.name.name, to: search.name)
            return Notice("Renamed the search to “\(search.name.name)”.")
        }
        // A form must not replace a list that the user does not see.
        guard try await !savedSearches().contains(where: { $0.name == search.name }) else {
            throw SavedSearchError.nameIsTaken(search.name)
        }
        try await save(search)
        return Notice("Saved the search “\(search.name.name)”.")
    }
}

extension Screen {
    /// The form that saves a list, or renames or removes the saved one.
    static func savingSearch(_ query: ArticleQuery, as saved: SavedSearch?) -> Screen {
        let words = query.words
        return Screen(
            title: words.isEmpty ? "Save this list" : "Save the list \(words)",
            content: .form(
                Form(
                    [
                        .init(
                            .name, "Name", value: saved?.name.name ?? "",
                            hint: "the name of the list in your library and in feed readers",
                            check: { answers in
                                .init(on: answers[.name]) { _ = try TagName($0, for: .search) }
                            })
                    ], submitLabel: saved == nil ? "Save" : "Rename")),
            actions: saved.map { saved in
                [
                    Action(
                        "Remove", .savedSearchRemovalChosen(saved.name.name),
                        confirmation: "Remove the search “\(saved.name.name)”?")
                ]
            } ?? [])
    }
}

extension AppRoute {
    /// Returns the form for a page that another app shares. Apps put the address into the field for addresses, or among the
    /// words of the text or of the title.
    static func savingPage(sharedAs url: String?, text: String?, title: String?) -> AppRoute {
        let words = [text, title].compactMap(\.self).flatMap { $0.split(whereSeparator: \.isWhitespace) }
        let found = words.first { $0.hasPrefix("https://") || $0.hasPrefix("http://") }
        return .savingPage(address: url ?? found.map { String($0) })
    }
}

extension Screen {
    /// The form that saves a page.
    static func savingPage(at address: String) -> Screen {
        Screen(
            title: "Save a page",
            content: .form(
                Form(
                    [
                        .init(
                            .address, "Address", value: address,
                            hint: "The address of a page on the web. The library stores the page's main text."),
                        .init(.tags, "Tags", hint: "Separated by commas."),
                    ], submitLabel: "Save")))
    }
}

import ArticleStore
import HTTPServer
import LibraryServices
import Text

/// Operations on the caller's saved searches.
extension Operation {
    private static let tag = "marks"
    private static let name = Schema.string(.init(length: 1...TagName.longest, isVisible: true))

    static let searches: [Operation] = [
        Operation(
            "listSearches", .get, "searches", "Lists the saved searches", tag: tag, access: .anyUser,
            answer: .init(.ok, "all saved searches", .object([.init("searches", .array(.listedSearch))])),
            isExpensive: { _ in true }
        ) { call in
            let searches = try await call.listing.searches(at: call.services.clock())
            return HTTPResponse(json: ["searches": .array(searches.map { JSON($0) })])
        },
        Operation(
            "saveSearch", .put, "searches/{search}", "Saves a search, or replaces the one with this name", tag: tag,
            access: .userWithWriteScope, body: .object([.init("filters", .object(ListParameters.filters))]),
            answer: .init(.ok, "the saved search", .savedSearch), refusals: [.conflict, .unprocessableContent]
        ) { call in
            let search = SavedSearch(
                name: try TagName(call.path["search"] ?? "", for: .search),
                query: try ListParameters.query(filters: call.body["filters"] ?? .null))
            try await call.marking.save(search)
            return HTTPResponse(json: JSON(search))
        },
        Operation(
            "renameSearch", .patch, "searches/{search}", "Gives a saved search another name", tag: tag,
            access: .userWithWriteScope, body: .object([.init("name", name, isRequired: false)]),
            answer: .init(.ok, "the saved search", .savedSearch), refusals: [.conflict, .unprocessableContent]
        ) { call in
            var search = try await call.marking.savedSearch(named: call.path["search"] ?? "")
            if let text = call.body["name"]?.string {
                let name = try TagName(text, for: .search)
                try await call.marking.renameSavedSearch(search.name.name, to: name)
                search.name = name
            }
            return HTTPResponse(json: JSON(search))
        },
        Operation(
            "removeSearch", .delete, "searches/{search}", "Removes a saved search; its articles do not change",
            tag: tag, access: .userWithWriteScope, answer: .init(.noContent, "the saved search was removed")
        ) { call in
            try await call.marking.removeSavedSearch(call.path["search"] ?? "")
            return .done
        },
    ]
}

import Arguments
import ArticleStore
import FlowCoordinators
import Text

extension ArticleListSetting {
    /// Those that say which articles are meant and in which order, not how many of them.
    static let query = all.filter { setting in
        switch setting.value {
        case .text, .date, .flag, .sort: true
        case .limit, .cursor: false
        }
    }

    /// Those that say which articles are meant.
    static let conditions = query.filter { $0.name != "sort" }

    /// The options that have a short form.
    private static let letters: [String: Character] = ["author": "a", "tag": "t", "sort": "s", "limit": "n"]

    /// As an option of a command.
    var option: OptionSpec {
        OptionSpec(
            name: name, short: Self.letters[name], summary: summary, value: noun.isEmpty ? nil : noun.uppercased(),
            values: choices.map(Values.choices) ?? Self.kinds[name].map(Values.names) ?? .any,
            defaultValue: defaultValue)
    }

    /// Those whose values are names of the library.
    private static let kinds: [String: NameKind] = [
        "source": .source, "source-tag": .sourceTag, "author": .author, "tag": .tag,
    ]
}

extension ParsedCommand {
    /// The list that the options describe, of those of these settings that were given.
    ///
    /// - Throws: `UsageError`, and `CursorError`.
    func list(_ settings: [ArticleListSetting]) throws -> ArticleList {
        var list = ArticleList()
        for setting in settings {
            if case .flag(_, let set) = setting.value {
                // Apply only flags that were given: `--read` and `--unread` set the same field.
                if flag(setting.name) { set(&list.query, true) }
                continue
            }
            guard let text = try filled(setting.name) else { continue }
            switch setting.value {
            case .flag: break
            case .text(_, let set):
                let isSearch = setting.name == "search"
                if isSearch { try checkLength(ofSearch: text) }
                set(&list.query, isSearch ? SearchQuery.dated(text, now: now) : text)
                // As a tag of one's own without its name is.
                if list.query.marks.tag?.isEmpty == true { throw error(.emptyValue(of: "--" + setting.name)) }
            case .date(_, let set):
                set(&list.query, try date(setting.name)?.date)
            case .sort:
                list.query.sort = ArticleQuery.Sort(rawValue: text) ?? list.query.sort
            case .limit:
                list.limit = try integer(setting.name, in: ArticleList.limits) ?? list.limit
            case .cursor:
                list.cursor = try Cursor(text)
            }
        }
        if settings.contains(where: { $0.name == "unread" }), flag("unread"), flag("read") {
            throw error(.other("no article is both --read and --unread"))
        }
        if let since = list.query.since, let until = list.query.until, since >= until {
            throw error(.other("no article is published --since a date and before it: --until is not after --since"))
        }
        return list
    }

    /// The list of something that is done to all of its articles: it is not done to more because a part of the search was not
    /// understood.
    ///
    /// - Throws: `UsageError`, and `CursorError`.
    func whole(_ settings: [ArticleListSetting]) throws -> ArticleQuery {
        let query = try list(settings).query
        if let part = query.search?.ignored.first {
            throw error(.other("“\(part)” says nothing in --search: leave it out, or write what it is to say"))
        }
        return query
    }

    /// Throws where a search is too long to be looked at as a whole.
    func checkLength(ofSearch text: String) throws(UsageError) {
        guard text.unicodeScalars.dropFirst(SearchQuery.length).isEmpty else {
            throw error(.other("a search has at most \(SearchQuery.length) characters"))
        }
    }
}

extension Context {
    /// Waits until searches find every article, where the query is one.
    ///
    /// - Throws: as ``completeSearch()``.
    func completeSearch(for query: ArticleQuery) async throws {
        if query.search != nil { try await completeSearch() }
    }
}

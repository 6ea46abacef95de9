import Arguments
import ArticleStore
import FlowCoordinators
import Text

extension OptionSpec {
    /// The option for a saved search.
    static let saved = OptionSpec(
        name: "saved", summary: "the list of your saved search with this name; other options replace its settings",
        value: "NAME", values: .names(.savedSearch))
}

extension ArticleListSetting {
    /// The settings that select and sort articles, but do not limit their number.
    static let query = all.filter { setting in
        switch setting.value {
        case .text, .date, .flag, .sort: true
        case .limit, .cursor: false
        }
    }

    /// The settings that select articles.
    static let conditions = query.filter { $0.name != "sort" }

    /// The options that have a short form.
    private static let letters: [String: Character] = ["author": "a", "tag": "t", "sort": "s", "limit": "n"]

    /// The setting as an option of a command.
    var option: OptionSpec {
        OptionSpec(
            name: name, short: Self.letters[name], summary: summary, value: noun.isEmpty ? nil : noun.uppercased(),
            values: choices.map(Values.choices) ?? Self.kinds[name].map(Values.names) ?? .any,
            defaultValue: defaultValue)
    }

    /// The settings whose values are names in the library.
    private static let kinds: [String: NameKind] = [
        "source": .source, "source-tag": .sourceTag, "author": .author, "tag": .tag,
    ]
}

extension ParsedCommand {
    /// Returns the list that the given options describe.
    ///
    /// - Parameters:
    ///   - settings: the settings that the command supports.
    ///   - saved: the list whose settings apply unless an option replaces them.
    /// - Throws: `UsageError`, and `CursorError`.
    func list(_ settings: [ArticleListSetting], from saved: ArticleQuery = ArticleQuery()) throws -> ArticleList {
        var list = ArticleList(query: saved)
        for setting in settings {
            let isFlag = if case .flag = setting.value { true } else { false }
            // The default of an option does not replace the order of the saved search.
            if case .sort = setting.value, values(setting.name).isEmpty { continue }
            guard var text = isFlag ? (flag(setting.name) ? "yes" : nil) : try filled(setting.name) else { continue }
            if setting.name == "search" {
                try checkLength(ofSearch: text)
                text = SearchQuery.dated(text, now: now)
            }
            // These methods throw errors that name the option.
            if case .limit = setting.value { _ = try integer(setting.name, in: ArticleList.limits) }
            do {
                try setting.set(text, in: &list, as: .init(flag: "yes") { _ in try date(setting.name)?.date })
            } catch let flags as ArticleListSetting.Contradiction {
                throw error(.other("--\(flags.first) and --\(flags.second) cannot be combined"))
            }
            // An empty name of the user's own tag.
            if list.query.marks.tag?.isEmpty == true { throw error(.emptyValue(of: "--" + setting.name)) }
        }
        if let since = list.query.since, let until = list.query.until, since >= until {
            throw error(.other("--until must be later than --since"))
        }
        return list
    }

    /// Returns the list for a command that changes all of its articles. It rejects a search that was only partly
    /// understood, because the command would then change more articles than intended.
    ///
    /// - Throws: `UsageError`, and `CursorError`.
    func whole(_ settings: [ArticleListSetting], from saved: ArticleQuery = ArticleQuery()) throws -> ArticleQuery {
        let query = try list(settings, from: saved).query
        if let part = query.search?.ignored.first {
            throw error(.other("“\(part)” in --search has no value: remove it, or add one"))
        }
        return query
    }

    /// Throws if a search is too long to be used in full.
    func checkLength(ofSearch text: String) throws(UsageError) {
        guard text.unicodeScalars.dropFirst(SearchQuery.length).isEmpty else {
            throw error(.other("--search is longer than \(SearchQuery.length) characters"))
        }
    }
}

extension Context {
    /// Returns the query of the saved search that `--saved` names; the query of the whole library without this option.
    ///
    /// - Throws: `SavedSearchError.noSearch`, and the error of a failed login.
    func savedQuery(_ parsed: ParsedCommand) async throws -> ArticleQuery {
        guard let name = parsed.value("saved") else { return ArticleQuery() }
        var query = try await marker().query(ofSavedSearch: name)
        query.marks.userID = nil
        return query
    }

    /// Waits until the search index is complete, if the query contains a search.
    ///
    /// - Throws: like ``completeSearch()``.
    func completeSearch(for query: ArticleQuery) async throws {
        if query.search != nil { try await completeSearch() }
    }
}

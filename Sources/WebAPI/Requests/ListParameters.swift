import ArticleStore
import LibraryServices
import Text

/// The settings of a list in an address. They are the same in all operations.
enum ListParameters {
    /// A saved search and the settings that select articles.
    static let conditions =
        [saved]
        + ArticleListSetting.all.filter {
            switch $0.value {
            case .text, .date, .flag: true
            case .sort, .limit, .cursor: false
            }
        }.map(parameter)

    /// A saved search and all settings, including those of a page.
    static let page = [saved] + ArticleListSetting.all.map(parameter)

    /// The filters and the order of a saved search in the body of a request.
    static let filters = filters { setting in
        if case .flag = setting.value { .boolean } else { parameter(setting).schema }
    }

    /// The filters and the order of a saved search in a response. Other fronts have other limits for the values.
    static let savedFilters = filters { setting in
        switch setting.value {
        case .flag: .boolean
        case .date: .time
        case .text, .sort, .limit, .cursor: .text
        }
    }

    private static func filters(_ schema: (ArticleListSetting) -> Schema) -> [Schema.Member] {
        ArticleListSetting.all.compactMap { setting in
            switch setting.value {
            case .limit, .cursor: nil
            case .text, .date, .flag, .sort:
                Schema.Member(setting.name, schema(setting), isRequired: false, setting.summary)
            }
        }
    }

    private static let saved = Operation.Parameter(
        name: "saved", schema: .string(.init(length: 1...1000, place: .query)),
        words: "the list of the saved search with this name; other parameters replace its settings")

    private static func parameter(_ setting: ArticleListSetting) -> Operation.Parameter {
        let schema: Schema =
            switch setting.value {
            case .text: .string(.init(length: 1...SearchQuery.length, place: .query))
            case .date: .dayOrTime
            // A flag can only be "true": "false" would not be a condition, so the list would contain everything.
            case .flag: .choice(["true"])
            case .sort: .choice(setting.choices ?? [])
            case .limit:
                .integer(Int64(ArticleList.limits.lowerBound)...Int64(ArticleList.limits.upperBound))
            case .cursor: .string(.init(length: 1...2000, place: .query))
            }
        return Operation.Parameter(name: setting.name, schema: schema, words: setting.summary)
    }

    /// Whether a page of a list may take long: a search or a page with many articles.
    static let isExpensive: @Sendable ([String: String]) -> Bool = { query in
        query["search"] != nil || query["saved"] != nil
            || (query["limit"].flatMap { Int($0) } ?? 0) > 2 * ArticleList.defaultLimit
    }

    private static var notation: ArticleListSetting.Notation {
        .init(flag: "true") { text in
            (WrittenTime(text) ?? WrittenTime(day: text))?.date
        }
    }

    /// Returns the list for a request, with a user's marks.
    ///
    /// - Parameter query: the parameters, each of which was checked.
    /// - Throws: `Problem` if two flags exclude each other; `SavedSearchError.noSearch`.
    static func list(_ query: [String: String], of reader: Int64, in services: Services) async throws -> ArticleList {
        var saved = ArticleQuery()
        if let name = query[Self.saved.name] {
            saved = try await services.marks.savedSearch(named: name, of: reader).query(at: services.clock())
        }
        do {
            var list = try list(query, from: saved)
            list.query.marks.userID = reader
            return list
        } catch let flags as ArticleListSetting.Contradiction {
            throw Problem.badRequest("invalidParameter", flags.words)
        }
    }

    /// Returns the query for the filters of a body, which were checked.
    ///
    /// - Throws: `Problem` if two flags exclude each other.
    static func query(filters body: JSON) throws -> ArticleQuery {
        var values: [String: String] = [:]
        for member in body.members ?? [] where member.value.boolean != false {
            values[member.key] = member.value.string ?? "true"
        }
        do {
            return try list(values, from: ArticleQuery()).query
        } catch let flags as ArticleListSetting.Contradiction {
            throw Problem.unprocessable("invalidParameter", flags.words)
        }
    }

    /// - Throws: `ArticleListSetting.Contradiction`.
    private static func list(_ query: [String: String], from saved: ArticleQuery) throws -> ArticleList {
        var list = ArticleList(query: saved)
        for setting in ArticleListSetting.all {
            guard let text = query[setting.name] else { continue }
            try setting.set(text, in: &list, as: notation)
        }
        return list
    }
}

extension ArticleListSetting.Contradiction {
    fileprivate var words: String { "“\(first)” and “\(second)” cannot be combined" }
}

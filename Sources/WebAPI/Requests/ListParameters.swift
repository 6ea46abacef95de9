import ArticleStore
import Text

/// The settings of a list in an address. They are the same in all operations.
enum ListParameters {
    /// The settings that select articles.
    static let conditions = ArticleListSetting.all.filter {
        switch $0.value {
        case .text, .date, .flag: true
        case .sort, .limit, .cursor: false
        }
    }.map(parameter)

    /// All settings, including those of a page.
    static let page = ArticleListSetting.all.map(parameter)

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
        query["search"] != nil || (query["limit"].flatMap { Int($0) } ?? 0) > 2 * ArticleList.defaultLimit
    }

    private static var notation: ArticleListSetting.Notation {
        .init(flag: "true") { text in
            (WrittenTime(text) ?? WrittenTime(day: text))?.date
        }
    }

    /// Returns the list for a request, with a user's marks.
    ///
    /// - Parameter query: the parameters, each of which was checked.
    /// - Throws: `Problem` if two flags exclude each other.
    static func list(_ query: [String: String], of reader: Int64) throws -> ArticleList {
        var list = ArticleList()
        for setting in ArticleListSetting.all {
            guard let text = query[setting.name] else { continue }
            do {
                try setting.set(text, in: &list, as: notation)
            } catch let flags as ArticleListSetting.Contradiction {
                throw Problem.badRequest(
                    "invalidParameter", "“\(flags.first)” and “\(flags.second)” cannot be combined")
            }
        }
        list.query.marks.userID = reader
        return list
    }
}

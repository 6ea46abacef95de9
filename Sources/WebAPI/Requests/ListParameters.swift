import ArticleStore
import Essentials
import FlowCoordinators
import Text

/// The list settings in an address, which are the same everywhere.
enum ListParameters {
    /// The settings that select articles.
    static let conditions = ArticleListSetting.all.filter {
        switch $0.value {
        case .text, .date, .flag: true
        case .sort, .limit, .cursor: false
        }
    }.map(parameter)

    /// All settings, also those of a page.
    static let page = ArticleListSetting.all.map(parameter)

    private static func parameter(_ setting: ArticleListSetting) -> Operation.Parameter {
        let schema: Schema =
            switch setting.value {
            case .text: .string(.init(length: 1...SearchQuery.length, place: .query))
            case .date: .dayOrTime
            // “false” would say nothing, and be answered with everything.
            case .flag: .choice(["true"])
            case .sort: .choice(setting.choices ?? [])
            case .limit:
                .integer(Int64(ArticleList.limits.lowerBound)...Int64(ArticleList.limits.upperBound))
            case .cursor: .string(.init(length: 1...2000, place: .query))
            }
        return Operation.Parameter(name: setting.name, schema: schema, words: setting.summary)
    }

    /// Whether a page of a list may take long: a search does, and so does a page with many articles.
    static let isExpensive: @Sendable ([String: String]) -> Bool = { query in
        query["search"] != nil || (query["limit"].flatMap { Int($0) } ?? 0) > 2 * ArticleList.defaultLimit
    }

    /// The list that was asked for, of the marks of a reader.
    ///
    /// - Parameter query: what was said, checked.
    static func list(_ query: [String: String], of reader: Int64) throws -> ArticleList {
        var list = ArticleList()
        for setting in ArticleListSetting.all {
            guard let text = query[setting.name] else { continue }
            switch setting.value {
            case .text(_, let set): set(&list.query, text)
            case .date(_, let set): set(&list.query, (WrittenTime(text) ?? WrittenTime(day: text))?.date)
            case .flag(_, let set): set(&list.query, text == "true")
            case .sort: list.query.sort = ArticleQuery.Sort(rawValue: text) ?? list.query.sort
            case .limit: list.limit = Int(text) ?? list.limit
            case .cursor: list.cursor = try Cursor(text)
            }
        }
        list.query.marks.reader = reader
        return list
    }
}

import Arguments
import ArticleStore
import FlowCoordinators

extension ParsedCommand {
    /// Returns the list that the options of `list` and the configuration describe. If the options contain a filter, it
    /// replaces all configured filters. The order and the number replace only the configured order and number.
    ///
    /// - Throws: `UsageError`, and `CursorError`.
    func list(beginningWith configured: ArticleList) throws -> ArticleList {
        var list = try list(ArticleListSetting.all)
        let isGiven = { (name: String) in !values(name).isEmpty }
        let sort = isGiven("sort") ? list.query.sort : configured.query.sort
        if !hasConditions { list.query = configured.query }
        list.query.sort = sort
        if !isGiven("limit") { list.limit = configured.limit }
        return list
    }

    /// Whether the options contain a filter.
    var hasConditions: Bool { ArticleListSetting.conditions.contains { !values($0.name).isEmpty } }
}

extension ArticleQuery {
    /// Whether the query has a filter.
    var isNarrowed: Bool {
        var whole = ArticleQuery()
        whole.sort = sort
        return self != whole
    }
}

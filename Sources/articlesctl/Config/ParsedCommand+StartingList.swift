import Arguments
import ArticleStore
import FlowCoordinators

extension ParsedCommand {
    /// Returns the list that the options of `list` and the configuration describe. If the options contain a filter, it
    /// replaces all configured filters. The order and the number replace only the configured order and number.
    ///
    /// - Parameters:
    ///   - configured: the configured list.
    ///   - saved: the query of the saved search, which replaces all configured settings except the number.
    /// - Throws: `UsageError`, and `CursorError`.
    func list(beginningWith configured: ArticleList, from saved: ArticleQuery = ArticleQuery()) throws -> ArticleList {
        var list = try list(ArticleListSetting.all, from: saved)
        let isGiven = { (name: String) in !values(name).isEmpty }
        let sort = isGiven("sort") || isGiven("saved") ? list.query.sort : configured.query.sort
        if !hasConditions { list.query = configured.query }
        list.query.sort = sort
        if !isGiven("limit") { list.limit = configured.limit }
        return list
    }

    /// Whether the options contain a filter.
    var hasConditions: Bool {
        (ArticleListSetting.conditions.map(\.name) + [OptionSpec.saved.name]).contains { !values($0).isEmpty }
    }
}

extension ArticleQuery {
    /// Whether the query has a filter.
    var isNarrowed: Bool {
        var whole = ArticleQuery()
        whole.sort = sort
        return self != whole
    }
}

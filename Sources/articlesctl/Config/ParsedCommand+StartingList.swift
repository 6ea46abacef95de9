import Arguments
import ArticleStore
import FlowCoordinators

extension ParsedCommand {
    /// The list that the options of `list` describe on top of the configured one. A condition replaces all that are
    /// configured, the order and the number each their own.
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

    /// Whether the options say which articles are meant.
    var hasConditions: Bool { ArticleListSetting.conditions.contains { !values($0.name).isEmpty } }
}

extension ArticleQuery {
    /// Whether it leaves anything of the library out.
    var isNarrowed: Bool {
        var whole = ArticleQuery()
        whole.sort = sort
        return self != whole
    }
}

import Arguments
import ArticleStore
import FlowCoordinators
import Terminal

extension Context {
    var configurationFile: ConfigurationFile { ConfigurationFile(environment: environment) }

    /// Returns the configuration.
    ///
    /// - Throws: `CommandError` if the configuration has a mistake.
    func configuration() throws -> Configuration {
        let text = configurationFile.read()
        guard text.mistakes.isEmpty else { throw configurationError(text.mistakes) }
        return text.configuration
    }

    /// Returns the place of the library that the configuration gives. Mistakes elsewhere in the file do not matter.
    ///
    /// - Throws: `CommandError` if a mistake hides the place. The default place could be another library.
    func configuredDatabase() throws -> String? {
        let text = configurationFile.read()
        guard !text.hidesDatabase else { throw configurationError(text.mistakes) }
        return text.configuration.database
    }

    func configurationError(_ mistakes: [ConfigurationMistake]) -> CommandError {
        let path = configurationFile.path ?? ""
        return CommandError(
            mistakes.map { $0.text(in: path) }.joined(separator: "\n"),
            hint: "correct it with: articlesctl config edit; list all keys with: articlesctl config show",
            code: .configuration)
    }

    /// Returns the pager, if the output is a terminal. As in git, the environment variable of this program overrides
    /// the configuration, and the configuration overrides the general variable PAGER.
    ///
    /// - Throws: `CommandError` if the configuration has a mistake.
    func pager() throws -> Pager? {
        guard terminal.output.isTerminal else { return nil }
        let configured = try configuration().pager
        return Pager(
            named: ["ARTICLESCTL_PAGER", "PAGER"],
            environment: { name in name == "PAGER" ? configured ?? environment(name) : environment(name) },
            inheriting: variables)
    }

    /// Returns the browser that opens links: the configured one, else that in BROWSER.
    func browser(_ configuration: Configuration) -> Browser? {
        Browser(
            environment: { name in name == "BROWSER" ? configuration.browser ?? environment(name) : environment(name) },
            inheriting: variables)
    }
}

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

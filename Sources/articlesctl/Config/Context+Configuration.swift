import Arguments
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

    func configurationError(_ mistakes: [ConfigurationMistake]) -> CommandError {
        let path = configurationFile.path ?? ""
        return CommandError(
            mistakes.map { $0.text(in: path) }.joined(separator: "\n"),
            hint: "mend it with: articlesctl config edit; see all that there is with: articlesctl config show",
            code: .configuration)
    }

    /// The program that shows long text, where a person wants one. As for git, the variable of this program wins over what is
    /// configured, and that over the one for all programs.
    ///
    /// - Throws: `CommandError` where something is wrong with the configuration.
    func pager() throws -> Pager? {
        guard terminal.output.isTerminal else { return nil }
        let configured = try configuration().pager
        return Pager(
            named: ["ARTICLESCTL_PAGER", "PAGER"],
            environment: { name in name == "PAGER" ? configured ?? environment(name) : environment(name) },
            inheriting: variables)
    }

    /// The program that opens links: the one that is configured, else that of BROWSER.
    func browser(_ configuration: Configuration) -> Browser? {
        Browser(
            environment: { name in name == "BROWSER" ? configuration.browser ?? environment(name) : environment(name) },
            inheriting: variables)
    }
}

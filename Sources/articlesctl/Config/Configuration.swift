import Arguments
import FlowCoordinators
import TerminalReader

/// The user's configuration, which applies unless an option, an environment variable, or a choice in the reader says
/// otherwise.
struct Configuration: Hashable, Sendable {
    var theme = Appearance.default
    var width = TextWidth.default
    /// Whether the reader takes the mouse.
    var mouse = true
    /// The pager to use instead of PAGER, if any.
    var pager: String?
    /// The browser to use instead of BROWSER, if any.
    var browser: String?
    /// The default options of `list` and the reader.
    var list: [String] = []
    var keys = KeyMap()
}

extension Configuration {
    /// The defaults of the reader.
    ///
    /// - Throws: `UsageError`, which the options of the list are free of once they have been read from a file.
    func defaults() throws -> Defaults {
        Defaults(appearance: theme, textWidth: width, list: try startingList())
    }

    /// The options of the list, as a person writes them.
    var listWords: String { list.map { $0.contains(" ") ? $0.shellQuoted : $0 }.joined(separator: " ") }

    /// The list that `list` and the reader begin with.
    ///
    /// - Throws: `UsageError`, as ``defaults()``.
    func startingList() throws -> ArticleList {
        guard case .run(let parsed) = try CommandTable.root.parse([ListCommand.spec.name] + list) else {
            return ArticleList()
        }
        return try parsed.list(ArticleListSetting.all)
    }
}

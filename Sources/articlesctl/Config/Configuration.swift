import Arguments
import FlowCoordinators
import TerminalReader

/// What a person has configured: what holds unless an option, a variable of this program or a choice in the reader says
/// otherwise.
struct Configuration: Hashable, Sendable {
    var theme = Appearance.default
    var width = TextWidth.default
    /// Whether the reader takes the mouse.
    var mouse = true
    /// What shows long texts instead of PAGER; nil where that holds.
    var pager: String?
    /// What opens links instead of BROWSER; nil where that holds.
    var browser: String?
    /// What `list` and the reader begin with, as options of `list`.
    var list: [String] = []
    var keys = KeyMap()
}

extension Configuration {
    /// What the reader begins with.
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

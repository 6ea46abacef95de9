import ArticleFetching
import ArticleStore
import Arguments
import FlowCoordinators
import TerminalReader

/// The user's configuration. Options, environment variables, and choices in the reader override it.
struct Configuration: Hashable, Sendable {
    /// The place of the library: a path, possibly one that begins with `~/`, or a URL; nil if it is not configured.
    var database: String?
    var theme = Appearance.default
    var width = TextWidth.default
    /// Whether the reader uses the mouse.
    var mouse = true
    /// The pager, which replaces the one in PAGER; nil if it is not configured.
    var pager: String?
    /// The browser, which replaces the one in BROWSER; nil if it is not configured.
    var browser: String?
    /// The settings of `subscribe` and `fetch`.
    var fetch = FetchSettings()
    /// The default options of `list` and the reader.
    var list: [String] = []
    var keys = KeyMap()
}

extension Configuration {
    /// Returns the defaults of the reader.
    ///
    /// - Throws: `UsageError` if the options of the list are invalid. Options that were read from a file are valid.
    func defaults() throws -> Defaults {
        Defaults(appearance: theme, textWidth: width, list: try startingList())
    }

    /// The filters of the list, quoted as on a command line.
    var filterWords: String {
        list.filter { word in
            ArticleListSetting.conditions.contains { word == "--" + $0.name || word.hasPrefix("--\($0.name)=") }
        }.map { $0.contains(" ") ? $0.shellQuoted : $0 }.joined(separator: " ")
    }

    /// Returns the initial list of `list` and the reader.
    ///
    /// - Throws: `UsageError`, like ``defaults()``.
    func startingList() throws -> ArticleList {
        guard case .run(let parsed) = try CommandTable.parse([ListCommand.name] + list) else {
            return ArticleList()
        }
        return try parsed.list(ArticleListSetting.all)
    }
}

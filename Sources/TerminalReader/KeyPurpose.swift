import FlowCoordinators
package import Terminal

/// A purpose for which users can configure keys. This table defines the names, the standard keys, and the effects.
package enum KeyPurpose: String, Hashable, Sendable, CaseIterable {
    case down
    case up
    case pageDown = "page-down"
    case pageUp = "page-up"
    case halfPageDown = "half-page-down"
    case halfPageUp = "half-page-up"
    case first
    case last
    case choose
    case find
    case nextMatch = "next-match"
    case previousMatch = "previous-match"
    case read
    case unread
    case star
    case later
    case ownTags = "own-tags"
    case note
    case nextUnread = "next-unread"
    case nextArticle = "next-article"
    case previousArticle = "previous-article"
    case contents
    case original
    case page = "fetch-page"
    case copy
    case save
    case pipe
    case edit
    case editing = "edit-form"
    case deletion = "delete"
    case wider
    case narrower
    case everything
    case onlyUnread = "only-unread"
    case onlyStarred = "only-starred"
    case onlyLater = "only-later"
    case readAbove = "read-above"
    case allRead = "all-read"
    case library
    case preview
    case nextPane = "next-pane"
    case previousPane = "previous-pane"
    case newest
    case oldest
    case byTitle = "by-title"
    case byRelevance = "by-relevance"
    case importing = "import"
    case writing = "write"
    case account
    case appearance
    case sessions
    case password
    case logIn = "log-in"
    case register
    case logOut = "log-out"
    case logOutEverywhere = "log-out-everywhere"
    case back
    case help
    case redraw
    case quit

    /// The screens on which a key works. Two purposes of the same screen cannot share a key, and no two purposes share
    /// a standard key.
    package struct Places: OptionSet, Hashable, Sendable {
        /// A bit for each kind of screen.
        package let rawValue: UInt8

        /// Lists, of articles and of other objects.
        package static let lists = Places(rawValue: 1)
        /// The text of an article.
        package static let article = Places(rawValue: 2)
        /// The account, and the screens before the login.
        package static let account = Places(rawValue: 4)
        /// Forms, in which letters are text.
        package static let forms = Places(rawValue: 8)
        /// Every screen. In a form, letters are text.
        package static let everywhere: Places = [.lists, .article, .account]

        /// Creates places from their bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The standard keys, the effect, and the places.
    private var row: (keys: [KeyPress], summary: String, places: Places) {
        switch self {
        case .down: ([KeyPress(.down), .letter("j")], "a line or a row down", .everywhere)
        case .up: ([KeyPress(.up), .letter("k")], "a line or a row up", .everywhere)
        case .pageDown:
            ([KeyPress(.pageDown), .letter(" "), KeyPress(.right), .control("f")], "a page down", .everywhere)
        case .pageUp:
            ([KeyPress(.pageUp), .letter("b"), KeyPress(.left), .letter("h"), .control("b")], "a page up", .everywhere)
        case .halfPageDown: ([.letter("d"), .control("d")], "half a page down", .everywhere)
        case .halfPageUp: ([.letter("u"), .control("u")], "half a page up", .everywhere)
        case .first: ([KeyPress(.home), .letter("g")], "to the start", .everywhere)
        case .last: ([KeyPress(.end), .letter("G")], "to the end", .everywhere)
        case .choose:
            (
                [KeyPress(.enter)],
                "open the item or the typed number; go on in a form, and submit it; answer yes", .everywhere
            )
        case .find: ([.letter("/")], "search the list, or find in the text", [.lists, .article])
        case .nextMatch: ([.letter("n")], "go to the next match", [.lists, .article])
        case .previousMatch: ([.letter("N")], "go to the previous match", [.lists, .article])
        case .read: ([.letter("R")], "mark as read", [.lists, .article])
        case .unread: ([.letter("U")], "mark as unread", [.lists, .article])
        case .star: ([.letter("*")], "add or remove the star", [.lists, .article])
        case .later: ([.letter("l")], "save for later, or undo that", [.lists, .article])
        case .ownTags: ([.letter("#")], "change your tags for the article", .article)
        case .note: ([.letter("m")], "write a note on the article", .article)
        case .nextUnread: ([.letter("]")], "open the next unread article", [.lists, .article])
        case .nextArticle: ([.letter("J")], "open the next article of the list", .article)
        case .previousArticle: ([.letter("K")], "open the previous article of the list", .article)
        case .contents: ([.letter("c")], "show the headings", .article)
        case .original: ([.letter("v"), .letter("V")], "open the original on the web", .article)
        case .page: ([.letter("T")], "fetch the whole text of the page", .article)
        case .copy: ([.letter("y")], "copy the address", .article)
        case .save: ([.letter("s")], "save to a file", .article)
        case .pipe: ([.letter("|")], "pipe to a command", .article)
        case .edit: ([.letter("e")], "edit in your editor", .article)
        case .editing: ([.letter("F")], "edit in a form", .article)
        case .deletion: ([.letter("X")], "delete", .article)
        case .wider: ([.letter("+"), .letter("=")], "wider text", .article)
        case .narrower: ([.letter("-")], "narrower text", .article)
        case .everything: ([.letter("x")], "the whole list", .lists)
        case .onlyUnread: ([.letter("r")], "only unread articles", .lists)
        case .onlyStarred: ([.letter("S")], "only starred articles", .lists)
        case .onlyLater: ([.letter("p")], "only articles saved for later", .lists)
        case .readAbove: ([.letter("H")], "mark the articles down to this one as read", .lists)
        case .allRead: ([.letter("A")], "mark the whole list as read", .lists)
        case .library: ([.letter("f")], "open the library overview, to choose a list", [.lists, .article])
        case .preview: ([.letter("P")], "show or hide the panes", .everywhere)
        case .nextPane: ([KeyPress(.tab)], "the next pane, or the next field of a form", .everywhere)
        case .previousPane:
            ([KeyPress(.tab, .shift)], "the previous pane, or the previous field of a form", .everywhere)
        case .newest: ([.letter("w")], "the newest first", .lists)
        case .oldest: ([.letter("o")], "the oldest first", .lists)
        case .byTitle: ([.letter("t")], "by title", .lists)
        case .byRelevance: ([.letter("B")], "the best match first", .lists)
        case .importing: ([.letter("i")], "import articles", .lists)
        case .writing: ([.letter("W")], "write an article", .lists)
        case .account: ([.letter("a")], "manage the account", .lists)
        case .appearance: ([.letter("C")], "choose the appearance", .account)
        case .sessions: ([.letter("D")], "list the sessions", .account)
        case .password: ([.letter("!")], "change the password", .account)
        case .logIn: ([.letter("I")], "log in", .account)
        case .register: ([.letter("M")], "create an account", .account)
        case .logOut: ([.letter("L")], "log out", .everywhere)
        case .logOutEverywhere: ([.letter("E")], "end all sessions", .account)
        case .back:
            (
                [KeyPress(.escape), .letter("q")],
                "back; cancel a search, a number, or a question; on the first screen, quit with q", .everywhere
            )
        case .help: ([.letter("?"), KeyPress(.function(1))], "the keys of this screen", .everywhere)
        case .redraw: ([.control("l")], "redraw the screen", .everywhere)
        case .quit: ([.control("c")], "quit", .everywhere)
        }
    }

    /// The keys after `g`, as in Miniflux, each with the list that it opens. `g` alone goes to the start.
    package static let goKeys: [(key: Unicode.Scalar, summary: String, places: Places)] = [
        ("u", "the unread articles", .everywhere), ("b", "the starred articles", .everywhere),
        ("h", "the articles that you have read", [.lists, .article]), ("f", "the library", .everywhere),
    ]

    package var standardKeys: [KeyPress] { row.keys }
    /// The action in a few words.
    package var summary: String { row.summary }
    /// The screens on which the keys work.
    package var places: Places { row.places }
}

extension KeyCommand {
    /// The name by which users configure other keys; nil if the keys are fixed.
    var purpose: KeyPurpose? {
        switch self {
        case .up: .up
        case .down: .down
        case .pageUp: .pageUp
        case .pageDown: .pageDown
        case .halfPageUp: .halfPageUp
        case .halfPageDown: .halfPageDown
        case .first: .first
        case .last: .last
        case .choose: .choose
        case .find: .find
        case .next: .nextMatch
        case .previous: .previousMatch
        case .contents: .contents
        case .copy: .copy
        case .save: .save
        case .pipe: .pipe
        case .edit: .edit
        case .preview: .preview
        case .nextPane: .nextPane
        case .previousPane: .previousPane
        case .wider: .wider
        case .narrower: .narrower
        case .help: .help
        case .back: .back
        case .quit: .quit
        case .redraw: .redraw
        case .nextField, .previousField, .cancel, .erase, .digit, .footnote, .type, .submit, .tryOut, .toggle,
            .editText,
            .action, .rowAction, .suspend:
            nil
        }
    }
}

extension Action.Purpose {
    /// The purpose that its keys belong to, which has the same name; nil if it does not have its own keys.
    var keyPurpose: KeyPurpose? { KeyPurpose(rawValue: rawValue) }

    /// The standard keys of the action; empty if it has a number.
    var keys: [KeyPress] { keyPurpose?.standardKeys ?? [] }
}

extension Action {
    /// Whether the user chooses it by a number.
    var isNumbered: Bool { purpose.keys.isEmpty }
}

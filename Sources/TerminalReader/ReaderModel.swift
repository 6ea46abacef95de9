package import ArticleStore
package import FlowCoordinators
package import Navigation
package import Terminal

/// The application as a reader session sees it.
package protocol ReaderModel {
    /// The state of navigation, which has the visible places of each width.
    var state: NavigationState<AppRoute> { get }
    /// The frames of the selected section, lowest first. The session stores a view for each entry until it is removed.
    var stack: [StackEntry] { get }
    /// The appearance of the signed-in user.
    var appearance: Appearance { get }
    /// The text width of the signed-in user.
    var textWidth: TextWidth { get }

    /// Whether the signed-in user wants panes in a wide terminal.
    var showsPreview: Bool { get }

    /// The screen on top.
    func screen() async throws -> Screen
    /// Returns the screen of the entry at an index of the stack.
    func screen(at index: Int) async throws -> Screen?
    /// Returns the places for a sidebar; nil if nobody is signed in.
    func sidebar() async throws -> Sidebar?
    /// Returns the screen that an event of a row would open, to show it beside the list; nil if there is none.
    func preview(of event: AppEvent) async -> Screen?
    /// Sends an event of the user. Long work continues after this returns.
    func send(_ event: AppEvent) async throws
    /// Checks that the signed-in user may change articles.
    ///
    /// - Throws: the reason why they may not.
    func authorizeEditing() async throws
    /// Goes back. Returns false if this is the last screen.
    func back() async throws -> Bool
    /// Goes back to the entry at an index of the stack. Returns false if another entry is on top then, because leaving
    /// would lose something.
    func back(to index: Int) async throws -> Bool
    /// Goes to a place of the sidebar: selects the section whose lowest place it is, or shows it in its section.
    ///
    /// - Returns: whether the place is already shown, so that the session must scroll to the top.
    func go(to place: AppRoute) async throws -> Bool
    /// Goes to another section in which work is running. Returns false if there is none.
    func goToWork() throws -> Bool

    /// Calls `ring`, on any thread, when background work has a result. Pass nil to stop.
    func watch(_ ring: (@Sendable () -> Void)?)
    /// Applies the results of background work. The screen may change.
    func settle() async

    /// Returns the saved view of an entry, from this or an earlier session.
    func view(of entry: StackEntry) -> SavedView?
    /// Stores the view of an entry.
    func save(_ view: SavedView, of entry: StackEntry)
    /// Stores the reading position, in thousandths, in an article that the user leaves.
    func recordReadingPosition(_ position: Int, in entry: StackEntry)
    /// Stores whether panes are shown.
    func save(showsPreview: Bool)
    /// Stores the text width.
    func save(_ textWidth: TextWidth)
    /// Saves the place of the user and the stored values.
    func save() async throws
}

/// An entry of the stack.
package struct StackEntry: Hashable, Sendable {
    /// The identity of the content. A list that is searched or grows keeps it.
    package let id: String
    /// The path of its route.
    package let path: String

    /// Creates an entry.
    package init(id: String, path: String) {
        self.id = id
        self.path = path
    }
}

/// The terminal that a reader session draws on.
package protocol ReaderTerminal: AnyObject {
    /// The size.
    var size: Size { get }
    /// Makes `nextEvents(timeout:)` return `InputEvent.wake`, now or at its next call. Any thread may call it.
    var wake: @Sendable () -> Void { get }
    /// Waits for input or for `wake`, and returns all available events; an empty array after `timeout` milliseconds;
    /// nil if the terminal or the process must end.
    func nextEvents(timeout: Int32?) throws -> [InputEvent]?
    /// Writes bytes immediately.
    func write(_ bytes: [UInt8]) throws
    /// Returns the terminal to the shell until the process is continued.
    func suspend()
    /// Lets another program use the terminal while `body` runs.
    func lend(_ body: () async -> Bool) async -> Bool
}

extension RawTerminal: ReaderTerminal {}

/// Functions that a session uses on articles and texts: saving, piping, and editing.
package struct ArticleTools {
    let fileName: (Article) -> String
    let save: (Article, _ path: String, _ replaces: Bool) throws -> Bool
    let pipe: (Article, _ command: String) throws -> Void
    let edit: (Article) async throws -> String
    let editText: (String) async throws -> String?

    /// - Parameters:
    ///   - fileName: returns the default file name for an article.
    ///   - save: writes an article to a file; returns false if the file exists and must not be replaced.
    ///   - pipe: runs a command with an article as its input, and waits until the user has read the output. The command
    ///     uses the terminal.
    ///   - edit: lets the user edit an article, and returns a message. The editor uses the terminal.
    ///   - editText: lets the user edit a text, and returns it, or `nil` if it is unchanged. The editor uses the
    ///     terminal.
    package init(
        fileName: @escaping (Article) -> String,
        save: @escaping (Article, _ path: String, _ replaces: Bool) throws -> Bool,
        pipe: @escaping (Article, _ command: String) throws -> Void,
        edit: @escaping (Article) async throws -> String,
        editText: @escaping (String) async throws -> String?
    ) {
        self.fileName = fileName
        self.save = save
        self.pipe = pipe
        self.edit = edit
        self.editText = editText
    }
}

public import FlowCoordinators
public import Terminal

/// The application as a reader session sees it.
public protocol ReaderModel {
    /// The stack, the lowest entry first. The session stores a view for each entry until it is removed.
    var stack: [StackEntry] { get }
    /// How who is signed in likes the screens to look.
    var appearance: Appearance { get }
    /// How wide who is signed in likes running text to be.
    var textWidth: TextWidth { get }

    /// Whether who is signed in likes what a list is at to be shown beside it.
    var showsPreview: Bool { get }

    /// The screen on top.
    func screen() async throws -> Screen
    /// Returns the screen that an event of a row would open, to show it beside the list; nil if there is none.
    func preview(of event: AppEvent) async -> Screen?
    /// Sends an event of the user. Long work continues after this returns.
    func send(_ event: AppEvent) async throws
    /// Checks that who is signed in may change articles.
    ///
    /// - Throws: why they may not.
    func authorizeEditing() async throws
    /// Goes back; false where there is nothing to go back to.
    func back() async throws -> Bool

    /// Calls `ring`, on any thread, when background work has a result. Pass nil to stop.
    func watch(_ ring: (@Sendable () -> Void)?)
    /// Applies the results of background work. The screen may change.
    func settle() async

    /// Returns the saved view of an entry, from this or an earlier session.
    func view(of entry: StackEntry) -> SavedView?
    /// Takes note of what is worth keeping of the view of an entry.
    func note(_ view: SavedView, of entry: StackEntry)
    /// Takes note of how far one has come, in thousandths, in an article that is left.
    func leave(_ entry: StackEntry, at place: Int)
    /// Takes note of whether previews are shown.
    func note(showsPreview: Bool)
    /// Takes note of how wide running text is to be.
    func note(_ textWidth: TextWidth)
    /// Saves where one is, and what was noted.
    func save() async throws
}

/// An entry of the stack.
public struct StackEntry: Hashable, Sendable {
    /// The identity of the content. A list that is searched or grows keeps it.
    public let id: String
    /// The path of its route.
    public let path: String

    /// An entry, by what it is and by its path.
    public init(id: String, path: String) {
        self.id = id
        self.path = path
    }
}

/// The terminal that a reader session draws on.
public protocol ReaderTerminal: AnyObject {
    /// How large it is.
    var size: Size { get }
    /// Has `nextEvents(timeout:)` give `InputEvent.wake`, now or when it is called next. It may be called on any thread.
    var wake: @Sendable () -> Void { get }
    /// Waits for what a person does next, or for `wake`, and gives all there is; nothing when `timeout` milliseconds have
    /// passed, and nil when the terminal or the process is to end.
    func nextEvents(timeout: Int32?) throws -> [InputEvent]?
    /// Writes bytes at once.
    func write(_ bytes: [UInt8]) throws
    /// Gives the terminal back to the shell until the process is continued.
    func suspend()
    /// Lets another program have the terminal as long as `body` runs.
    func lend(_ body: () async -> Bool) async -> Bool
}

extension RawTerminal: ReaderTerminal {}

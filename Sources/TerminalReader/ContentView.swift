import ArticleStore
import FlowCoordinators
import Terminal

/// The content of a screen, laid out for its place on the terminal.
protocol ContentView: Sendable {
    /// The current key bindings, without those that every screen has.
    func bindings(_ state: ViewState) -> [KeyBinding]
    /// Whether typed letters are text at present.
    func isTyping(_ state: ViewState) -> Bool
    /// Whether letters are text most of the time, so that actions must use Ctrl.
    var isForTyping: Bool { get }
    /// Whether the layout is incomplete and continues in the background.
    var isPartial: Bool { get }
    /// Draws the content over its rows.
    func draw(_ state: ViewState, into frame: inout Frame, theme: Theme)
    /// Whether a key refers to content that is still loading, so that it must wait. It is called only while work is in
    /// progress.
    func waits(for command: KeyCommand, _ state: ViewState) -> Bool
    /// Performs the command of a key.
    func perform(_ command: KeyCommand, _ state: inout ViewState) -> Intent?
    /// Handles text and editing keys.
    func type(_ event: InputEvent, _ state: inout ViewState) -> Intent?
    func click(row: Int, column: Int, _ state: inout ViewState) -> Intent?
    /// Returns the sort orders of a column title at this position.
    func orders(row: Int, column: Int) -> [ArticleQuery.Sort]
    /// Returns the ID of the selected row, if rows have IDs.
    func chosenRow(_ state: ViewState) -> String?
    /// Returns the selected row and its event, if it opens a text.
    func previewedRow(_ state: ViewState) -> (id: String, event: AppEvent)?
    /// Whether the notice does not fit into the content, so that it must be shown at the bottom.
    func hidesNotice(_ state: ViewState) -> Bool
    /// The number of links of a text; nil if the content is not a text.
    var linkCount: Int? { get }
    /// Moves to the position that the user reached in the screen above.
    func comeBack(_ state: inout ViewState)
    /// The position in the content, for the bar at the top.
    func position(_ state: ViewState) -> String
    /// Corrects state that does not fit the content or size.
    ///
    /// - Parameter previous: the earlier content of the same place, to which the state belongs.
    func fit(_ state: inout ViewState, from previous: (any ContentView)?)
    /// The part of the state to save.
    func saved(_ state: ViewState) -> SavedView?
    /// Returns the texts that the user typed into a form, without secrets; nil if there are none.
    func draft(_ state: ViewState) -> FormState?
    /// Whether the texts of a form, except secrets, are not those of the library.
    func isChanged(_ state: ViewState) -> Bool
    /// Whether the texts of a form were sent, and did not change since.
    func isSent(_ state: ViewState) -> Bool
    /// Returns the reading position in a text, in thousandths; nil if it is unknown or the content is not a text.
    func readingPosition(_ state: ViewState) -> Int?
    /// Moves to a reading position in a text, in thousandths.
    func begin(at place: Int, _ state: inout ViewState)
    /// Restores the saved part of the state.
    func restore(_ saved: SavedView, _ state: inout ViewState)
    /// Moves to the heading with a name.
    func open(at heading: String, _ state: inout ViewState)
}

extension ContentView {
    func isTyping(_ state: ViewState) -> Bool { state.search != nil }
    var isForTyping: Bool { false }
    var isPartial: Bool { false }
    func waits(for command: KeyCommand, _ state: ViewState) -> Bool { false }
    func type(_ event: InputEvent, _ state: inout ViewState) -> Intent? { nil }
    func click(row: Int, column: Int, _ state: inout ViewState) -> Intent? { nil }
    func orders(row: Int, column: Int) -> [ArticleQuery.Sort] { [] }
    func chosenRow(_ state: ViewState) -> String? { nil }
    func previewedRow(_ state: ViewState) -> (id: String, event: AppEvent)? { nil }
    func hidesNotice(_ state: ViewState) -> Bool { false }
    var linkCount: Int? { nil }
    func comeBack(_ state: inout ViewState) {}
    func position(_ state: ViewState) -> String { "" }
    func saved(_ state: ViewState) -> SavedView? { nil }
    func draft(_ state: ViewState) -> FormState? { nil }
    func isChanged(_ state: ViewState) -> Bool { false }
    func isSent(_ state: ViewState) -> Bool { false }
    func readingPosition(_ state: ViewState) -> Int? { nil }
    func begin(at place: Int, _ state: inout ViewState) {}
    func restore(_ saved: SavedView, _ state: inout ViewState) {}
    func open(at heading: String, _ state: inout ViewState) {}
}

/// Scrolls a window of `height` rows so that it contains `index`, and does not extend beyond the end unnecessarily.
func windowTop(_ top: Int, showing index: Int, height: Int, count: Int) -> Int {
    let height = max(1, height)
    let top = min(max(top, index - height + 1), index)
    return max(0, min(top, count - height))
}

/// A request from a screen to its session.
enum Intent: Sendable {
    case perform(SessionStep)
    /// Send the event after the user has confirmed the question.
    case ask(String, AppEvent)

    static func send(_ event: AppEvent) -> Intent { .perform(.send(event)) }
    static func search(_ text: String) -> Intent { .perform(.search(text)) }
    static func follow(_ link: String) -> Intent { .perform(.follow(link)) }
}

/// A step of the session. Events that need a confirmation cannot be sent directly.
enum SessionStep: Sendable {
    case send(AppEvent)
    /// Search for the text typed so far. A later text replaces it.
    case search(String)
    case back
    /// End the session, after a question if that would lose something.
    case quit
    /// Perform a step, although typed text is lost.
    indirect case losingText(SessionStep)
    /// Follow a link in a document.
    case follow(String)
    /// Copy a text to the clipboard.
    case copy(String)
    /// Ask for a line of input for an action on the shown article.
    case prompt(ViewState.Prompt.Purpose)
    case save(String, replaces: Bool)
    case pipe(String)
    case edit
    /// Edit the text of a field in the user's editor.
    case editText(FieldName, String)
    /// Change the text width.
    case setTextWidth(TextWidth)
    /// Show or hide the panes.
    case setPreview(Bool)
    /// Move the focus to the next or previous pane.
    case moveFocus(isBackward: Bool)
    /// Go to a place of the sidebar.
    case go(AppRoute)
    /// Suspend the program (Ctrl-Z).
    case suspend
    /// Load the screen again, because others may have changed the data.
    case lookAgain
    /// Draw the whole screen again.
    case redraw
}

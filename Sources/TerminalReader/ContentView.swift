import ArticleStore
import FlowCoordinators
import Terminal

/// A kind of content, laid out for its place on the screen.
protocol ContentView: Sendable {
    /// The current key bindings, without those of every screen.
    func bindings(_ state: ViewState) -> [KeyBinding]
    /// Whether letters are text at present.
    func isTyping(_ state: ViewState) -> Bool
    /// Whether letters are text most of the time, so that the actions must be with Ctrl.
    var isForTyping: Bool { get }
    /// Whether there is more of it, which is still being laid out.
    var isPartial: Bool { get }
    /// Draws the content over the rows that are its own.
    func draw(_ state: ViewState, into frame: inout Frame, theme: Theme)
    /// Whether a key is about what is not there yet, so that it must wait for it. Only asked while something goes on.
    func waits(for command: KeyCommand, _ state: ViewState) -> Bool
    /// Does what a key asks for.
    func perform(_ command: KeyCommand, _ state: inout ViewState) -> Intent?
    /// Takes text and keys that edit it.
    func type(_ event: InputEvent, _ state: inout ViewState) -> Intent?
    func click(row: Int, column: Int, _ state: inout ViewState) -> Intent?
    /// The orders that rows are brought into by a click on what stands above them.
    func orders(row: Int, column: Int) -> [ArticleQuery.Sort]
    /// The id of the row that is chosen, where rows have one.
    func chosenRow(_ state: ViewState) -> String?
    /// The row that is chosen, and what it reports then, where that leads to a text.
    func previewedRow(_ state: ViewState) -> (id: String, event: AppEvent)?
    /// Moves to the position that the user reached in the screen above.
    func comeBack(_ state: inout ViewState)
    /// The position in the content, for the bar at the top.
    func position(_ state: ViewState) -> String
    /// Puts what does not fit this content, or this size, where it fits.
    ///
    /// - Parameter previous: The earlier content of the same place, which the state comes from.
    func fit(_ state: inout ViewState, from previous: (any ContentView)?)
    /// The part of the state to save.
    func saved(_ state: ViewState) -> SavedView?
    /// How far one has come in a text, in thousandths of it; nil where that is not known, or no matter.
    func place(_ state: ViewState) -> Int?
    /// Goes to where one had come in a text, in thousandths of it.
    func begin(at place: Int, _ state: inout ViewState)
    /// Takes up what was saved.
    func restore(_ saved: SavedView, _ state: inout ViewState)
    /// Goes to the heading of a name.
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
    func comeBack(_ state: inout ViewState) {}
    func position(_ state: ViewState) -> String { "" }
    func saved(_ state: ViewState) -> SavedView? { nil }
    func place(_ state: ViewState) -> Int? { nil }
    func begin(at place: Int, _ state: inout ViewState) {}
    func restore(_ saved: SavedView, _ state: inout ViewState) {}
    func open(at heading: String, _ state: inout ViewState) {}
}

/// Moves a window of `height` rows so that `index` is in it and it is not beyond the end without need.
func windowTop(_ top: Int, showing index: Int, height: Int, count: Int) -> Int {
    let height = max(1, height)
    let top = min(max(top, index - height + 1), index)
    return max(0, min(top, count - height))
}

import FlowCoordinators

/// What a reader session shows and talks to: the application, as far as a front knows it.
protocol ReaderModel {
    /// The places on the stack as paths, the lowest first. A view is kept for each, and forgotten when its place goes.
    var places: [String] { get }
    /// The name of the theme that who is signed in has chosen.
    var themeName: String? { get }
    /// Whether `filter(_:)` filters; else what is typed filters the rows that are there.
    var filtersLists: Bool { get }

    /// The screen on top.
    func screen() async throws -> Screen
    /// Reports what was done on it.
    func send(_ event: AppEvent) async throws
    /// Goes back; false where there is nothing to go back to.
    func back() async throws -> Bool
    /// Makes the list on top longer, if it can: true where `screen()` has more rows then.
    func loadMoreRows() async throws -> Bool
    /// Filters the list on top; true where `screen()` has other rows then.
    func filter(_ text: String) async throws -> Bool
    /// Takes note of what is in the form on top before it is sent; true where `screen()` has something to say about it.
    func edit(_ answers: Answers) async throws -> Bool
    /// Follows a link of a document; false where it only is to be shown.
    func follow(_ link: String) async throws -> Bool
}

extension ReaderModel {
    var themeName: String? { nil }
    var filtersLists: Bool { false }
    func loadMoreRows() async throws -> Bool { false }
    func filter(_ text: String) async throws -> Bool { false }
    func edit(_ answers: Answers) async throws -> Bool { false }
    func follow(_ link: String) async throws -> Bool { false }
}

/// What a reader session is drawn on.
protocol ReaderTerminal: AnyObject {
    var size: Size { get }
    /// Waits for what a person does next, and gives all there is; nil when the terminal or the process is to end.
    func nextEvents() throws -> [InputEvent]?
    func write(_ bytes: [UInt8]) throws
    /// Gives the terminal back to the shell until the process is continued.
    func suspend()
}

import FlowCoordinators

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
    case quit
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
    /// Show or hide the preview beside lists.
    case setPreview(Bool)
    /// Suspend the program (Ctrl-Z).
    case suspend
    /// Load the screen again, because others may have changed the data.
    case lookAgain
    /// Draw the whole screen again.
    case redraw
}

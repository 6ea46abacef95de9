import FlowCoordinators

/// A request from a screen to its session.
enum Intent: Sendable {
    case perform(SessionStep)
    /// To send the event, once a person has said yes to the question.
    case ask(String, AppEvent)

    static func send(_ event: AppEvent) -> Intent { .perform(.send(event)) }
    static func search(_ text: String) -> Intent { .perform(.search(text)) }
    static func follow(_ link: String) -> Intent { .perform(.follow(link)) }
}

/// A step of the session. Events that need a confirmation cannot be sent directly.
enum SessionStep: Sendable {
    case send(AppEvent)
    /// The search text typed so far. A later text replaces it.
    case search(String)
    case back
    case quit
    /// A link of a document was followed.
    case follow(String)
    /// A text is to be pasted elsewhere.
    case copy(String)
    /// Something is to be done to the article that is shown; with a line that is typed for it, where it takes one.
    case prompt(ViewState.Prompt.Purpose)
    case save(String, replaces: Bool)
    case pipe(String)
    case edit
    /// The text of a field is to be changed in the editor of the user.
    case editText(FieldName, String)
    /// Text is to be this wide, now and later.
    case setTextWidth(TextWidth)
    /// Shows or hides the preview beside lists, now and later.
    case setPreview(Bool)
    /// Ctrl-Z.
    case suspend
    /// Others may have changed what is shown.
    case lookAgain
    /// Draws everything again.
    case redraw
}

import FlowCoordinators

/// What an event on a screen asks for beyond the screen itself.
enum Intent: Sendable {
    case send(AppEvent)
    case back
    case quit
    /// The selection comes near the last row that is there.
    case needMoreRows
    /// A link of a document, counted from 1, as it is shown.
    case followLink(Int)
    /// What is in a form has changed.
    case edited(Answers)
    /// What a list is filtered by has changed.
    case filtered(String)
    /// Ctrl-Z.
    case suspend
    /// Draw everything anew.
    case redraw
}

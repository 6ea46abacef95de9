import FlowCoordinators
import Terminal

/// What an event on a screen asks for beyond the screen itself.
enum Intent: Sendable {
    case send(AppEvent)
    /// The same, once a person has said yes to the question.
    case ask(String, AppEvent)
    /// What was typed so far to search a list; what is typed next takes its place.
    case search(String)
    case back
    case quit
    /// A link of a document was followed.
    case follow(String)
    /// Ctrl-Z.
    case suspend
    /// Draw everything anew.
    case redraw
}

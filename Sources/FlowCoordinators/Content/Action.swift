public import ArticleStore

/// Something that can be done on a screen.
public struct Action: Sendable {
    /// The purpose of an action, by which a front gives it a key or a symbol on every screen.
    public enum Purpose: Hashable, Sendable {
        /// To log in.
        case logIn
        /// To make an account.
        case register
        /// To log out here.
        case logOut
        /// To end every session of the account.
        case logOutEverywhere
        /// To look after the account.
        case account
        /// To see the sessions.
        case sessions
        /// To change the password.
        case password
        /// To choose how screens look.
        case appearance
        /// To have a list in this order.
        case sort(ArticleQuery.Sort)
        /// To have the whole list instead of what it is narrowed to.
        case everything
        /// To bring articles in.
        case importing
        /// To leave although something is lost by it.
        case leave
        /// To stay, and lose nothing.
        case stay
        /// To write an article.
        case writing
        /// To change an article in a form.
        case editing
        /// To delete an article.
        case deletion
        /// To see the original on the web.
        case original
        /// To go on to the next of a list.
        case next
        /// To go back to the previous of a list.
        case previous
        /// To say that something was read.
        case read
        /// To say that something was not read.
        case unread
        /// To give something a star, or take it away.
        case star
        /// To put something aside for later, or not any more.
        case later
        /// To change the own tags of something.
        case ownTags
        /// To write a note on something.
        case note
        /// To say that all of a list was read.
        case allRead
        /// To go on to the next that was not read.
        case nextUnread
        /// To have of a list only what was not read.
        case onlyUnread
        /// To have of a list only what has a star.
        case onlyStarred
        /// To have of a list only what was put aside for later.
        case onlyLater
        /// To see what the library holds, and choose of it.
        case library
        /// Something that no front knows more of than its label says.
        case other
    }

    /// To log out here. It is asked first, as its key may lie beside others that are pressed often.
    static let logOut = Action("Log out", .logOutChosen, for: .logOut, confirmation: "Log out?")

    /// To see what the library holds, by state, source, tag and author.
    static let library = Action("Filter", .libraryChosen, for: .library)

    /// The label.
    public let label: String
    /// The event that the screen reports.
    public let event: AppEvent
    /// The event that the screen reports instead if a row of its list is chosen, by the ID of the row; nil if the row makes
    /// no difference.
    public let eventAtRow: (@Sendable (_ row: String) -> AppEvent)?
    /// The purpose.
    public let purpose: Purpose
    /// The question to a person before the event is reported; nil if it can be undone.
    public let confirmation: String?

    /// An action.
    public init(
        _ label: String, _ event: AppEvent, for purpose: Purpose = .other, confirmation: String? = nil,
        atRow eventAtRow: (@Sendable (_ row: String) -> AppEvent)? = nil
    ) {
        self.label = label
        self.event = event
        self.eventAtRow = eventAtRow
        self.purpose = purpose
        self.confirmation = confirmation
    }
}

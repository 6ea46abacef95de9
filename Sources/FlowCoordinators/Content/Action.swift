public import ArticleStore

/// An action that the user can choose on a screen.
public struct Action: Sendable {
    /// The purpose of an action. A front uses it to give the action the same key or symbol on every screen.
    public enum Purpose: Hashable, Sendable {
        /// Log in.
        case logIn
        /// Create an account.
        case register
        /// End the session of this front.
        case logOut
        /// End every session of the account.
        case logOutEverywhere
        /// Open the account page.
        case account
        /// Show the sessions.
        case sessions
        /// Change the password.
        case password
        /// Choose how screens look.
        case appearance
        /// Sort the list in this order.
        case sort(ArticleQuery.Sort)
        /// Remove the filters of the list.
        case everything
        /// Import articles.
        case importing
        /// Leave although data will be lost.
        case leave
        /// Stay, so that no data is lost.
        case stay
        /// Write an article.
        case writing
        /// Edit an article in a form.
        case editing
        /// Delete an article.
        case deletion
        /// Open the original on the web.
        case original
        /// Go to the next article of the list.
        case next
        /// Go to the previous article of the list.
        case previous
        /// Mark as read.
        case read
        /// Mark as unread.
        case unread
        /// Add or remove the star.
        case star
        /// Add to or remove from the articles to read later.
        case later
        /// Change the user's own tags.
        case ownTags
        /// Write a note.
        case note
        /// Mark all articles of the list as read.
        case allRead
        /// Go to the next unread article.
        case nextUnread
        /// Show only unread articles.
        case onlyUnread
        /// Show only starred articles.
        case onlyStarred
        /// Show only articles saved for later.
        case onlyLater
        /// Open the overview of the library to choose a filter.
        case library
        /// A purpose that fronts know only by the label.
        case other
    }

    /// Logs out on this front. It asks for confirmation because its key may be next to one that is pressed often.
    static let logOut = Action("Log out", .logOutChosen, for: .logOut, confirmation: "Log out?")

    /// Opens the overview of the library: states, sources, tags, and authors.
    static let library = Action("Filter", .libraryChosen, for: .library)

    /// The label.
    public let label: String
    /// The event that the screen reports.
    public let event: AppEvent
    /// The event that the screen reports instead if a row of its list is selected, by the ID of the row; nil if the
    /// selected row makes no difference.
    public let eventAtRow: (@Sendable (_ row: String) -> AppEvent)?
    /// The purpose.
    public let purpose: Purpose
    /// The question to ask the user before the event is reported; nil if the action can be undone.
    public let confirmation: String?

    /// Creates an action.
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

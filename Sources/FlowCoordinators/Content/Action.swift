public import ArticleStore
internal import Navigation

/// An action that the user can choose on a screen.
public struct Action: Sendable {
    /// The purpose of an action. A front uses it to give the action the same key or symbol on every screen. Fronts also
    /// use its name, in the configuration of keys and in pages.
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// Log in.
        case logIn = "log-in"
        /// Create an account.
        case register
        /// End the session of this front.
        case logOut = "log-out"
        /// End every session of the account.
        case logOutEverywhere = "log-out-everywhere"
        /// Open the account page.
        case account
        /// Show the sessions.
        case sessions
        /// Change the password.
        case password
        /// Choose how screens look.
        case appearance
        /// Show the newest articles first.
        case newest
        /// Show the oldest articles first.
        case oldest
        /// Sort the list by title.
        case byTitle = "by-title"
        /// Show the best matches of the search first.
        case byRelevance = "by-relevance"
        /// Remove the filters of the list.
        case everything
        /// Import articles.
        case importing = "import"
        /// Leave although data will be lost.
        case leave
        /// Stay, so that no data is lost.
        case stay
        /// Write an article.
        case writing = "write"
        /// Edit an article in a form.
        case editing = "edit-form"
        /// Delete an article.
        case deletion = "delete"
        /// Open the original on the web.
        case original
        /// Fetch the whole text of the article's page.
        case page = "fetch-page"
        /// Go to the next article of the list.
        case next = "next-article"
        /// Go to the previous article of the list.
        case previous = "previous-article"
        /// Mark as read.
        case read
        /// Mark as unread.
        case unread
        /// Add or remove the star.
        case star
        /// Add to or remove from the articles to read later.
        case later
        /// Change the user's own tags.
        case ownTags = "own-tags"
        /// Write a note.
        case note
        /// Mark the articles of the list down to this one as read.
        case readAbove = "read-above"
        /// Mark all articles of the list as read.
        case allRead = "all-read"
        /// Go to the next unread article.
        case nextUnread = "next-unread"
        /// Show only unread articles.
        case onlyUnread = "only-unread"
        /// Show only starred articles.
        case onlyStarred = "only-starred"
        /// Show only articles saved for later.
        case onlyLater = "only-later"
        /// Open the overview of the library to choose a filter.
        case library
        /// A purpose that fronts know only by the label.
        case other

        /// Sort the list in this order.
        public static func sort(_ order: ArticleQuery.Sort) -> Purpose {
            switch order {
            case .newest: .newest
            case .oldest: .oldest
            case .title: .byTitle
            case .relevance: .byRelevance
            }
        }
    }

    /// Logs out on this front. It asks for confirmation because its key may be next to one that is pressed often.
    static let logOut = Action("Log out", .logOutChosen, for: .logOut, confirmation: "Log out?")

    /// Opens the overview of the library: states, sources, tags, and authors.
    ///
    /// - Parameter article: The article whose entries come first.
    static func library(of article: ArticleReference? = nil) -> Action {
        Action("Filter", .open(.library(of: article)), for: .library)
    }

    /// Identifies the action among those of its screen or row, and stays the same if the label changes. A front can use
    /// it to find the action that the user chose on an earlier copy of the screen.
    public let id: String
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
    /// The heading of the actions to which the action belongs; nil for actions without a heading. Actions with the same
    /// heading follow each other.
    public var section: String?

    /// The number of the last article that the action affects; nil if the action does not depend on it. A front that
    /// makes the screen again to look up the action passes the number of the screen that the user saw to
    /// ``event(upTo:)``.
    package var lastNumber: Int64? {
        switch event {
        case .listMarked(_, let lastNumber), .readAbove(_, let lastNumber): lastNumber
        default: nil
        }
    }

    /// Returns the event without articles that arrived after the one with this number.
    package func event(upTo lastNumber: Int64) -> AppEvent {
        switch event {
        case .listMarked(let change, _): .listMarked(change, upTo: lastNumber)
        case .readAbove(let id, _): .readAbove(id, upTo: lastNumber)
        default: event
        }
    }

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - label: The text for the user.
    ///   - event: The event that it reports.
    ///   - purpose: The purpose.
    ///   - id: The ID; by default the name of the purpose, or without a purpose, that of the event.
    ///   - confirmation: The question to ask the user first; nil if the action can be undone.
    ///   - eventAtRow: Returns the event for the row on which the user is; nil if the row does not matter.
    public init(
        _ label: String, _ event: AppEvent, for purpose: Purpose = .other, id: String? = nil,
        confirmation: String? = nil, atRow eventAtRow: (@Sendable (_ row: String) -> AppEvent)? = nil
    ) {
        self.id = id ?? (purpose == .other ? event.id : purpose.rawValue)
        self.label = label
        self.event = event
        self.eventAtRow = eventAtRow
        self.purpose = purpose
        self.confirmation = confirmation
    }
}

extension AppEvent {
    /// The name of the event, with the value that distinguishes it from other events of its screen.
    fileprivate var id: String {
        switch self {
        case .open(let place): place.screenName
        case .userActionChosen(let action): action.id
        default: name
        }
    }
}

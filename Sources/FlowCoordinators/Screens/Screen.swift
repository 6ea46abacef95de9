/// What a front shows: a value that it can draw, and answer, without knowing which screen it is.
public struct Screen: Sendable {
    /// What it is about, in a few words.
    public var title: String
    /// What is on it.
    public var content: Content
    /// What can be done besides what the content offers.
    public var actions: [Action]
    /// What there is to say about what was done last.
    public var notice: Notice?
    /// What the content was made from, for a front that hands data on instead of drawing it.
    public var model: Model

    /// The kinds of content. A front that draws these draws every screen.
    public enum Content: Sendable {
        /// Nothing but the actions.
        case menu(text: String)
        /// Fields to fill in, sent as one `AppEvent.submitted`.
        case form(Form)
        /// Rows, each of which may be chosen.
        case list(List)
        /// Text to read.
        case document(Document)
    }

    /// A screen.
    public init(title: String, content: Content, actions: [Action] = [], notice: Notice? = nil, model: Model = .none) {
        self.title = title
        self.content = content
        self.actions = actions
        self.notice = notice
        self.model = model
    }
}

/// Something that can be done on a screen.
public struct Action: Sendable {
    /// Where an action is of use.
    public enum Use: Sendable, Hashable {
        /// Everywhere.
        case always
        /// Where a list is shown by pages, and not asked for more rows.
        case paging
    }

    /// What it is called.
    public let label: String
    /// What the screen reports when it is done.
    public let event: AppEvent
    /// The letter that does it wherever it is offered, where a front has keys and the letter is free.
    public let shortcut: Character
    /// Where it is of use.
    public let use: Use
    /// What to ask a person before it is reported; nil where it can be undone.
    public let confirmation: String?

    /// An action.
    public init(
        _ label: String, _ event: AppEvent, shortcut: Character, use: Use = .always, confirmation: String? = nil
    ) {
        self.label = label
        self.shortcut = shortcut
        self.event = event
        self.use = use
        self.confirmation = confirmation
    }
}

/// A sentence about what was done last.
public struct Notice: Sendable {
    /// The sentence.
    public let text: String
    /// Why it failed; nil when it is good news.
    public let error: (any Error)?

    /// Good news.
    public init(_ text: String) {
        self.text = text
        error = nil
    }

    /// A failure, in its own words.
    public init(_ error: any Error) {
        text = "\(error)"
        self.error = error
    }
}

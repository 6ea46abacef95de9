internal import ReadingStore

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
    /// What goes on while the screen is used, such as `Searching`; nil for nothing.
    public var activity: String?
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

extension Screen {
    /// How far who is signed in had come in the article that it shows, in thousandths of the text; nil for the beginning.
    public var place: Int? { if case .article(_, let marks) = model { marks?.place.value } else { nil } }

    /// The same screen while something goes on.
    func during(_ activity: Activity?) -> Screen {
        var screen = self
        screen.activity = activity?.rawValue
        return screen
    }
}

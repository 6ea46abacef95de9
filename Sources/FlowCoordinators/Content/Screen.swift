internal import ArticleStore

/// A screen as a value. A front can draw it and handle input on it without knowing which screen it is.
public struct Screen: Sendable {
    /// The title, in a few words.
    public var title: String
    /// The path of an image that helps a person recognize the screen; nil without one.
    public var icon: String?
    /// The content.
    public var content: Content
    /// The actions on the screen as a whole.
    public var actions: [Action]
    /// The message about the last action.
    public var notice: Notice?
    /// The work in progress, such as `Searching`; nil if there is none.
    public var activity: String?
    /// The data from which the content was made, for a front that outputs data instead of drawing.
    public var model: Model

    /// The kinds of content. A front that can draw these can draw every screen.
    public enum Content: Sendable {
        /// A text with actions only.
        case menu(text: String)
        /// Fields to fill in, sent together as one `AppEvent.submitted`.
        case form(Form)
        /// Rows, each of which may be chosen.
        case list(List)
        /// Text to read.
        case document(Document)
    }

    /// Creates a screen.
    public init(title: String, content: Content, actions: [Action] = [], notice: Notice? = nil, model: Model = .none) {
        self.title = title
        self.content = content
        self.actions = actions
        self.notice = notice
        self.model = model
    }
}

extension Screen {
    /// The signed-in user's reading position in the shown article, in thousandths of the text; nil at the beginning.
    public var readingPosition: Int? {
        if case .article(_, let marks) = model { marks?.readingPosition.value } else { nil }
    }

    /// Returns the screen with this work in progress.
    func during(_ activity: Activity?) -> Screen {
        var screen = self
        screen.activity = activity?.words
        return screen
    }
}

/// A message about the last action.
public struct Notice: Sendable {
    /// The message.
    public let text: String
    /// The error, if the action failed; nil if it succeeded.
    public let error: (any Error)?

    /// The field of the form in which the error is; nil if it is in no single field.
    public let field: FieldName?

    /// The number of changed objects, for a program; nil if a number makes no sense.
    public let count: Int?

    /// Creates a message about a success.
    public init(_ text: String, count: Int? = nil) {
        self.text = text
        self.count = count
        (error, field) = (nil, nil)
    }

    /// Creates a message about a failure from the error's description.
    ///
    /// - Parameter field: the field of the form in which the error is.
    public init(_ error: any Error, at field: FieldName? = nil) {
        text = "\(error)"
        self.error = error
        self.field = field
        count = nil
    }

    /// Whether the message says that the edited object was changed elsewhere. A user who then sends the form again does
    /// so knowingly.
    public var reportsEditConflict: Bool {
        switch error {
        case is EditError, ScreenError.editConflict?: true
        default: false
        }
    }
}

import FlowCoordinators
import Terminal

/// What a person did to a screen that the screen does not know: where they are in it, and what they are typing.
struct ViewState: Sendable {
    /// The row of a list or the item of a menu that is chosen, counted among all that are there.
    var selection = 0
    /// The first row or line that is seen.
    var top = 0
    /// Rows of a list that were asked for, until they are there.
    var awaited: Awaited?
    /// What a list is filtered by, or what is looked for in a document.
    var query = ""
    /// The line being typed for it.
    var search: LineEditor?
    /// What the query was before, for who changes their mind.
    var queryBefore = ""
    /// Where one was in a list before it was searched.
    var viewBefore: SavedView?
    /// What is shown beside a list; nil before it was looked for.
    var preview: Preview?
    /// The line being typed for what is done to an article.
    var prompt: Prompt?
    /// The number of a link, as far as it is typed.
    var number = ""
    /// The heading that is chosen in the table of contents; nil where that is not shown.
    var heading: Int?
    var form = FormState()
    var isHelpShown = false
    /// Whether the last key was `g`, after which some keys go elsewhere.
    var isGoing = false
    var helpTop = 0
    /// What there is to say at the bottom until the next key.
    var message: Message?
    /// What the screen said and was read, as far as a key tells: it is not said again.
    var noticeRead: String?
    /// Whether what goes on has gone on for long enough to be told of.
    var isActivityShown = false
    /// What is asked before something is done that cannot be undone.
    var question: Question?
    /// Where a document is to be taken up, until its layout tells which line that is.
    var offset: Int?

    init() {}

    /// A sentence at the bottom.
    struct Message: Sendable {
        let text: String
        /// Whether it tells of what could not be done.
        var isFailure = false

        static func news(_ text: String) -> Message { Message(text: text) }
        static func failure(_ text: String) -> Message { Message(text: text, isFailure: true) }
        static let nothingSearched = failure("Nothing was searched for yet: / begins.")
    }

    enum Awaited: Sendable {
        /// The whole list begins with them.
        case first
        /// The whole list ends with them.
        case last
        /// They come before the first that is there.
        case earlier
        /// They come after the last that is there.
        case more
        /// They are what a search finds.
        case found
    }

    struct Question: Sendable {
        let text: String
        let step: SessionStep
    }

    struct Prompt: Sendable {
        enum Purpose: Sendable { case save, pipe }

        let purpose: Purpose
        var line: LineEditor

        /// What stands before the line.
        var label: String {
            switch purpose {
            case .save: "Save to: "
            case .pipe: "Pipe to: "
            }
        }

        /// What is typed, in a few words.
        var words: String {
            switch purpose {
            case .save: "the file to save to"
            case .pipe: "the command to pipe to"
            }
        }

        /// What is to be done with what was typed; nil for nothing.
        var step: SessionStep? {
            if line.text.allSatisfy(\.isWhitespace) { return nil }
            return switch purpose {
            case .save: .save(line.text, replaces: false)
            case .pipe: .pipe(line.text)
            }
        }
    }
}

/// What is typed into a form.
struct FormState: Sendable {
    /// The field, the button or the action that has the keys; nil before the form is seen.
    var focus: Int?
    var lines: [FieldName: LineEditor] = [:]
    /// The contents of the multi-line fields.
    var texts: [FieldName: TextEditor] = [:]
    /// Whether something was typed since the screen was shown, so that what it says of it is of no use any more.
    var isEdited = false
    /// The choice that is marked in the list of a field.
    var marked: Int?
    /// What was in the fields when the form was sent, until it is answered.
    var sent: [FieldName: String]?
}

/// What of a view is worth keeping between two runs. Nothing that was typed into a form is.
public struct SavedView: Codable, Hashable, Sendable {
    /// The id of the row that was chosen, where rows have one.
    public var row: String?
    /// The index of the row or the item that was chosen.
    public var selection: Int
    /// The first row that was seen; for a document the length of the text before its first line, which holds at any width.
    public var top: Int

    /// What is worth keeping of a view.
    public init(row: String? = nil, selection: Int = 0, top: Int = 0) {
        self.row = row
        self.selection = selection
        self.top = top
    }
}

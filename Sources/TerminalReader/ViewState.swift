import FlowCoordinators
import Terminal

/// The user's state on a screen: the position and the text that is being typed.
struct ViewState: Sendable {
    /// The row of a list or the item of a menu that is chosen, counted among all that are there.
    var selection = 0
    /// The first row or line that is seen.
    var top = 0
    /// Rows of a list that were asked for, until they are there.
    var awaited: Awaited?
    /// The search text of a list or a document.
    var query = ""
    /// The line being typed for it.
    var search: LineEditor?
    /// The previous query, which Esc restores.
    var queryBefore = ""
    /// The position in the list before the search.
    var viewBefore: SavedView?
    /// The preview beside a list; nil before it is loaded.
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
    /// The message at the bottom until the next key.
    var message: Message?
    /// The notice that was visible when a key was pressed. It is not shown again.
    var noticeRead: String?
    /// Whether the running work has lasted long enough to show it.
    var isActivityShown = false
    /// The question before an action that cannot be undone.
    var question: Question?
    /// The offset to show first, until the layout knows its line.
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

        /// The label before the line.
        var label: String {
            switch purpose {
            case .save: "Save to: "
            case .pipe: "Pipe to: "
            }
        }

        /// The purpose of the line in a few words.
        var words: String {
            switch purpose {
            case .save: "the file to save to"
            case .pipe: "the command to pipe to"
            }
        }

        /// The step that the text leads to, if any.
        var step: SessionStep? {
            if line.text.allSatisfy(\.isWhitespace) { return nil }
            return switch purpose {
            case .save: .save(line.text, replaces: false)
            case .pipe: .pipe(line.text)
            }
        }
    }
}

/// The state of a form.
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
    /// The texts of the fields when the form was sent, until the response.
    var sent: [FieldName: String]?
}

/// The part of a view that is saved between two runs, without the texts of forms.
public struct SavedView: Codable, Hashable, Sendable {
    /// The id of the row that was chosen, where rows have one.
    public var row: String?
    /// The index of the row or the item that was chosen.
    public var selection: Int
    /// The first row that was seen; for a document the length of the text before its first line, which holds at any width.
    public var top: Int

    /// Creates a saved view.
    public init(row: String? = nil, selection: Int = 0, top: Int = 0) {
        self.row = row
        self.selection = selection
        self.top = top
    }
}

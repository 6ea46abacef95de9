import FlowCoordinators
import Terminal

/// The user's state on a screen: the position and the text that is being typed.
struct ViewState: Sendable {
    /// The index of the selected row of a list or item of a menu, among all rows.
    var selection = 0
    /// The first visible row or line.
    var top = 0
    /// Requested rows of a list that are still loading.
    var awaited: Awaited?
    /// The search text of a list or a document.
    var query = ""
    /// The search line that the user is typing.
    var search: LineEditor?
    /// The previous query, which Esc restores.
    var queryBefore = ""
    /// The position in the list before the search.
    var viewBefore: SavedView?
    /// The input line for an action on an article.
    var prompt: Prompt?
    /// The typed part of a link's number.
    var number = ""
    /// The selected heading in the table of contents; nil if it is hidden.
    var heading: Int?
    var form = FormState()
    var isHelpShown = false
    /// The selection and the top before the last key, if that was `g`, after which some keys open sections and lists.
    var placeBeforeGoing: (selection: Int, top: Int)?
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

    /// A message at the bottom.
    struct Message: Sendable {
        let text: String
        /// Whether it reports a failure.
        var isFailure = false

        static func news(_ text: String) -> Message { Message(text: text) }
        static func failure(_ text: String) -> Message { Message(text: text, isFailure: true) }
        static let nothingSearched = failure("There is no search yet: press / to start one.")
    }

    enum Awaited: Sendable {
        /// Rows at the beginning of the list.
        case first
        /// Rows at the end of the list.
        case last
        /// Rows before the loaded ones.
        case earlier
        /// Rows after the loaded ones.
        case more
        /// The results of a search.
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
    /// The field, button, or action with the focus; nil before the form is first shown.
    var focus: Int?
    var lines: [FieldName: LineEditor] = [:]
    /// The contents of the multi-line fields.
    var texts: [FieldName: TextEditor] = [:]
    /// Whether the user typed since the screen was shown, so that its message is outdated.
    var isEdited = false
    /// The highlighted choice in the list of a field.
    var marked: Int?
    /// Whether the focus stays after the response.
    var keepsFocus = false
    /// The texts of the fields when the form was sent, until the response.
    var sent: [FieldName: String]?
    /// The version that texts from an earlier form belong to, until the response; nil for the version of the form.
    var version: String?
}

/// The part of a view that is saved between two runs, without the texts of forms.
package struct SavedView: Codable, Hashable, Sendable {
    /// The ID of the selected row, if rows have IDs.
    package var row: String?
    /// The index of the selected row or item.
    package var selection: Int
    /// The first visible row. For a document it is the length of the text before the first line, which does not depend
    /// on the width.
    package var top: Int

    /// Creates a saved view.
    package init(row: String? = nil, selection: Int = 0, top: Int = 0) {
        self.row = row
        self.selection = selection
        self.top = top
    }
}

import FlowCoordinators

/// What a person did to a screen that the screen does not know: where they are in it, and what they are typing.
struct ViewState: Sendable {
    /// The row of a list or the item of a menu that is chosen, counted among all.
    var selection = 0
    /// The first row or line that is seen.
    var top = 0
    /// What a list is filtered by, or what is looked for in a document.
    var query = ""
    /// The line being typed for it.
    var search: LineEditor?
    /// What the query was before, for who changes their mind.
    var queryBefore = ""
    /// The number of a link, as far as it is typed.
    var number = ""
    var form = FormState()
    var isHelpShown = false
    var helpTop = 0
    /// What there is to say at the bottom until the next key.
    var message: String?
    /// How many rows a list had when more were asked for.
    var rowsWhenAsked: Int?
    /// Where a document is to be taken up, until its layout tells which line that is.
    var offset: Int?

    init() {}
}

/// What is typed into a form.
struct FormState: Sendable {
    /// The field, the button or the action that has the keys.
    var focus = 0
    var lines: [FieldName: LineEditor] = [:]
    /// The choice that is marked in the list of a field.
    var marked: Int?
}

/// What of a view is worth keeping between two runs. Nothing that was typed into a form is.
struct SavedView: Codable, Hashable, Sendable {
    var selection: Int
    /// The first row that was seen; for a document the length of the text before its first line, which hold at any width.
    var top: Int
    /// What a list was filtered by.
    var query: String
}

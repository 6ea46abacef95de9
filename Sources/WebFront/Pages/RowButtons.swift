internal import FlowCoordinators

/// The buttons on the rows of a list. Buttons of the same action differ only by the row, so the other parts are built
/// once. A page can have hundreds of rows.
struct RowButtons {
    private struct Made {
        let id: String
        let label: String
        /// The parts before, between, and after the two occurrences of the row's name.
        let parts: (HTML, HTML, HTML)
    }

    private var made: [Made] = []

    /// Adds the button of an action on a row.
    mutating func add(_ action: Action, row id: HTML, to page: inout HTML) {
        let index = made.firstIndex { $0.id == action.id && $0.label == action.label } ?? make(action)
        page += made[index].parts.0
        page += id
        page += made[index].parts.1
        page += id
        page += made[index].parts.2
    }

    private mutating func make(_ action: Action) -> Int {
        let command = Submission.Command.action(action.id, row: "").text
        made.append(
            Made(
                id: action.id, label: action.label,
                parts: (
                    "<button name=\"\(Submission.Name.command)\" value=\"\(command)",
                    "\"\(attribute: "data-key", action.purpose.name) aria-describedby=\"\(ScreenPage.rowPrefix)",
                    "\">\(action.label)</button>"
                )))
        return made.count - 1
    }
}

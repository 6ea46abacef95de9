internal import FlowCoordinators

/// The buttons on the rows of a list. Buttons with the same label differ only by the row, so the other parts are built
/// once. A page can have hundreds of rows.
struct RowButtons {
    private struct Made {
        let label: String
        let purpose: Action.Purpose
        /// The parts before, between, and after the two occurrences of the row's name.
        let parts: (HTML, HTML, HTML)
    }

    private var made: [Made] = []

    /// Adds the button of an action on a row.
    mutating func add(_ label: String, for purpose: Action.Purpose, row id: HTML, to page: inout HTML) {
        let index = made.firstIndex { $0.label == label && $0.purpose == purpose } ?? make(label, purpose)
        page += made[index].parts.0
        page += id
        page += made[index].parts.1
        page += id
        page += made[index].parts.2
    }

    private mutating func make(_ label: String, _ purpose: Action.Purpose) -> Int {
        let deed = Submission.Deed.action(label, row: "").text
        made.append(
            Made(
                label: label, purpose: purpose,
                parts: (
                    "<button name=\"\(Submission.Name.deed)\" value=\"\(deed)",
                    "\"\(attribute: "data-key", purpose.webName) aria-describedby=\"\(ScreenPage.rowPrefix)",
                    "\">\(label)</button>"
                )))
        return made.count - 1
    }
}

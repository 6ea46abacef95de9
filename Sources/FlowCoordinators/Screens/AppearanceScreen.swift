/// The form to choose how screens look.
struct AppearanceScreen: Sendable {
    /// The present appearance.
    let chosen: Appearance
    /// The present text size.
    let textSize: TextSize

    private var columns: [ListColumn<Appearance>] {
        [
            .init("Theme", .primary, \.rawValue),
            .init("Description", .fact) { [chosen] in ($0 == chosen ? "current, " : "") + $0.summary },
        ]
    }

    var screen: Screen {
        let columns = columns
        return Screen(
            title: "Appearance",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: Appearance.allCases.map { appearance in
                        List.Row(
                            columns.map { $0.cell(appearance) }, event: .appearancePicked(appearance),
                            id: appearance.rawValue)
                    },
                    placeholder: "There are no themes.", choice: "Use the theme")),
            actions: actions)
    }

    private var actions: [Action] {
        [("Larger text", "larger-text", textSize.larger), ("Smaller text", "smaller-text", textSize.smaller)]
            .compactMap { label, id, size in size.map { Action(label, .textSizeChosen($0), id: id) } }
    }
}

import Arguments
import TerminalReader

/// The keys of the reader as the help and the manual page list them.
enum KeyTable {
    static let sections: [DefinitionSection] =
        [
            ("KEYS", KeyPurpose.Places.everywhere), ("KEYS IN LISTS AND ARTICLES", [.lists, .article]),
            ("KEYS IN AN ARTICLE", .article), ("KEYS IN A LIST", .lists),
            ("KEYS FOR THE ACCOUNT", .account), ("KEYS TO LEAVE BY", [.lists, .account]),
        ].map { title, places in
            DefinitionSection(
                title: title,
                definitions: KeyPurpose.allCases.filter { $0.places == places }.map { purpose in
                    Definition(
                        term: purpose.standardKeys.map(\.notation).joined(separator: ", "),
                        summary: "\(purpose.summary) (\(purpose.rawValue))")
                } + fixed(places))
        }

    /// What has keys that cannot be changed.
    private static func fixed(_ places: KeyPurpose.Places) -> [Definition] {
        switch places {
        case .everywhere:
            [
                Definition(term: "Tab, Shift-Tab", summary: "the next field of a form, and the one before"),
                Definition(term: "Esc", summary: "give up what was begun: a search, a number, a question"),
                Definition(term: "Ctrl-Z", summary: "suspend"),
            ]
        case .article:
            [
                Definition(term: "1 to 9", summary: "the number of a link, then Enter"),
                Definition(term: "^", summary: "the number of a footnote, then Enter"),
            ]
        default: []
        }
    }
}

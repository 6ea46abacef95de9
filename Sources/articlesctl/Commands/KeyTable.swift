import Arguments
import TerminalReader

/// The keys of the reader for the help and the manual page.
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

    /// The fixed keys in certain places.
    private static func fixed(_ places: KeyPurpose.Places) -> [Definition] {
        switch places {
        case .everywhere:
            [
                Definition(term: "Tab, Shift-Tab", summary: "the next field of a form, and the one before"),
                Definition(term: "Esc", summary: "cancel a search, a number, or a question"),
                Definition(term: "Ctrl-Z", summary: "suspend"),
                Definition(term: "Ctrl-S, Ctrl-O", summary: "submit a form with a text; edit the text in your editor"),
                Definition(
                    term: "Space, Ctrl-T", summary: "in the form of a rule, turn an action on or off; try the rule"),
                Definition(term: "1 to 9", summary: "an action without a letter"),
            ]
        case .article:
            [
                Definition(term: "1 to 9", summary: "the number of a link, then Enter"),
                Definition(term: "^", summary: "the number of a footnote, then Enter"),
            ]
        case [.lists, .article]:
            KeyPurpose.goKeys.map { Definition(term: "g \($0.key)", summary: "go to " + $0.summary) }
        default: []
        }
    }

    /// The rows of the table in docs/reader.md: the keys, what they do, and where.
    static var rows: [[String]] {
        let all = KeyPurpose.allCases.map { purpose in
            [
                purpose.standardKeys.map { code($0.notation) }.joined(separator: " "), purpose.summary,
                words(purpose.places),
            ]
        }
        let fixed = [KeyPurpose.Places.everywhere, [.lists, .article], .article].flatMap { places in
            Self.fixed(places).map { [code($0.term), $0.summary, words(places)] }
        }
        return all + fixed
    }

    private static func code(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }

    private static func words(_ places: KeyPurpose.Places) -> String {
        switch places {
        case .everywhere: "everywhere"
        case [.lists, .article]: "lists, articles"
        case .article: "articles"
        case .lists: "lists"
        case .account: "account"
        default: "lists, account"
        }
    }
}

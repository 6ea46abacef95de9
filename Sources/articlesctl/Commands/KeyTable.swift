import Arguments
import TerminalReader

/// The keys of the reader for the help and the manual page.
enum KeyTable {
    private static let titles: [(places: KeyPurpose.Places, title: String, words: String)] = [
        (.everywhere, "KEYS", "everywhere"), ([.lists, .article], "KEYS IN LISTS AND ARTICLES", "lists, articles"),
        (.article, "KEYS IN AN ARTICLE", "articles"), (.lists, "KEYS IN A LIST", "lists"),
        (.account, "KEYS FOR THE ACCOUNT", "account"), ([.lists, .account], "KEYS TO LEAVE BY", "lists, account"),
        (.forms, "KEYS IN A FORM", "forms"),
    ]

    static let sections: [DefinitionSection] = titles.map { places, title, _ in
        DefinitionSection(
            title: title,
            definitions: KeyRow.all.filter { $0.places == places }.map { row in
                Definition(
                    term: row.keys.joined(separator: ", "),
                    summary: row.summary + (row.purpose.map { " (\($0.rawValue))" } ?? ""))
            })
    }

    /// The rows of the table in docs/reader.md: the keys, what they do, and where.
    static var rows: [[String]] {
        KeyRow.all.map { row in
            [
                row.keys.map(code).joined(separator: " "), row.summary,
                titles.first { $0.places == row.places }?.words ?? "",
            ]
        }
    }

    private static func code(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }
}

/// The expression of a search in the language of FTS5.
///
/// Source: <https://www.sqlite.org/fts5.html#full_text_query_syntax>. Every word is quoted, so that FTS5 takes none of its characters
/// as syntax.
struct SearchExpression: Hashable {
    /// The words that an article must and must not contain; nil if none are required.
    let match: String?
    /// The words that it must not contain, if ``match`` is nil.
    let exclusion: String?
    /// Whether ``match`` can be asked of the names alone, the titles, authors and tags.
    let isAboutNames: Bool
    /// The short beginning of a word that its names must have; nil for none.
    let start: String?
    /// How many phrases each wanted term of ``match`` has, its forms, for `search_score`; each other phrase is a term.
    let forms: String

    /// The expression for the words of a query, with its author and tag if it has words.
    ///
    /// - Parameter looksUpStarts: whether a short beginning of a word, which very many words have, is looked for in names alone:
    ///   these have an index of beginnings, which for whole texts would be as large as all the rest.
    init?(_ query: ArticleQuery, looksUpStarts: Bool = false) {
        guard let search = query.search else { return nil }
        var wanted = search.wanted
        let unwanted = search.terms.filter(\.isExcluded)
        let canLeaveOut = unwanted.isEmpty || wanted.count > 1
        if looksUpStarts, canLeaveOut, let index = wanted.lastIndex(where: { $0.count == 1 && $0[0].isShortStart }) {
            start = wanted.remove(at: index)[0].expression
        } else {
            start = nil
        }
        isAboutNames = unwanted.isEmpty
        forms = wanted.joined().map { "\($0.formCount)" }.joined(separator: " ")
        let excluded = unwanted.isEmpty ? nil : unwanted.map(\.expression).joined(separator: " OR ")
        guard !wanted.isEmpty else {
            match = nil
            exclusion = excluded
            return
        }
        // As words they are found together with the others.
        let labels = [("authors", query.author), ("tags", query.tag)].compactMap { column, name in
            name.map { column + " : " + IndexedText.label($0).quoted }
        }
        let groups = wanted.map { group in
            group.count == 1 ? group[0].expression : "(\(group.map(\.expression).joined(separator: " OR ")))"
        }
        let all = (groups + labels).joined(separator: " AND ")
        match = excluded.map { "(\(all)) NOT (\($0))" } ?? all
        exclusion = nil
    }
}

extension String {
    fileprivate var quoted: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}

extension SearchQuery.Term {
    /// Whether it is the beginning of a word by so few letters that very many words begin so.
    fileprivate var isShortStart: Bool {
        let words = words
        return isPrefix && !isHalf && words.count == 1 && words[0].unicodeScalars.count <= 3
    }

    /// How many phrases ``expression`` has.
    fileprivate var formCount: Int { 1 + stems.count }

    fileprivate var expression: String {
        let words = words
        // A single character of a script without spaces is the beginning of a pair.
        let isBeginning = isPrefix || isHalf
        let phrase = words.map(\.quoted).joined(separator: " + ")
        let column =
            switch field {
            case nil: ""
            case .title: "title : "
            case .author: "authors : "
            case .tag: "tags : "
            }
        let forms = [phrase + (isBeginning ? " *" : "")] + stems.map(\.quoted)
        return column + "(" + forms.joined(separator: " OR ") + ")"
    }
}

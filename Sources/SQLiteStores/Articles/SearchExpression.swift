import ArticleStore
import Database

/// The expression of a search in the query language of FTS5.
///
/// Source: <https://www.sqlite.org/fts5.html#full_text_query_syntax>. Every word is quoted, so that FTS5 does not
/// interpret any of its characters as syntax.
struct SearchExpression: Hashable {
    /// The words that an article must and must not contain; nil if none are required.
    let match: String?
    /// The words that an article must not contain, if ``match`` is nil.
    let exclusion: String?
    /// Whether the index of names (titles, authors, and tags) can also answer ``match``.
    let isAboutNames: Bool
    /// A short prefix that must occur in the title, the authors, or the tags; nil if there is none.
    let shortPrefix: String?
    /// Whether ``match`` contains the beginning of a word.
    let hasPrefix: Bool
    /// The number of phrases of each required term in ``match``, which are its forms, for `search_score`. Further phrases do
    /// not count.
    let forms: String

    /// Creates the expression for the words of a query. If it has words, it also includes the author and the tag of the
    /// query.
    ///
    /// - Parameter looksUpShortPrefixesInNames: whether a short prefix, with which very many words begin, is looked up
    ///   only in names. They have an index of prefixes. For whole texts, such an index would be as large as
    ///   everything else.
    init?(_ query: ArticleQuery, looksUpShortPrefixesInNames: Bool = false) {
        guard let search = query.search else { return nil }
        var wanted = search.wanted
        let unwanted = search.unwanted
        let canLeaveOut = unwanted.isEmpty || wanted.count > 1
        if looksUpShortPrefixesInNames, canLeaveOut,
            let index = wanted.lastIndex(where: { $0.count == 1 && $0[0].isShortPrefix })
        {
            shortPrefix = wanted.remove(at: index)[0].expression.text
        } else {
            shortPrefix = nil
        }
        isAboutNames = unwanted.isEmpty
        hasPrefix = !wanted.isEmpty && (wanted.joined() + unwanted).contains(where: \.isBeginning)
        let groups = wanted.map { $0.map(\.expression) }
        forms = groups.joined().map { "\($0.forms)" }.joined(separator: " ")
        let excluded = unwanted.isEmpty ? nil : unwanted.map(\.expression.text).joined(separator: " OR ")
        guard !wanted.isEmpty else {
            match = nil
            exclusion = excluded
            return
        }
        // Author and tag are also words of the index, so one lookup finds everything.
        let labels = [("authors", query.author), ("tags", query.tag)].compactMap { column, name in
            name.map { column + " : " + IndexedText.label($0).quoted }
        }
        let choices = groups.map { group in
            group.count == 1 ? group[0].text : "(\(group.map(\.text).joined(separator: " OR ")))"
        }
        let all = (choices + labels).joined(separator: " AND ")
        match = excluded.map { "(\(all)) NOT (\($0))" } ?? all
        exclusion = nil
    }
}

extension ArticleQuery {
    /// The maximum number of languages that are told apart. With more, the words are stemmed in all languages.
    private static let mostLanguages = 100

    /// Returns the same query with the stems of its words in the languages of the library.
    ///
    /// - Throws: `DatabaseError`.
    func stemmed(in connection: some Queryable) throws -> ArticleQuery {
        guard let search else { return self }
        let statement = ArticleRow.languages(limit: Self.mostLanguages)
        let tags: [String] = try connection.query(statement, []) { try $0.value(0) }
        var query = self
        query.search = search.stemmed(in: tags.count < Self.mostLanguages ? StemLanguages(tags: tags) : .all)
        return query
    }
}

extension String {
    fileprivate var quoted: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}

extension SearchQuery.Term {
    /// Whether the term is the beginning of a word with so few letters that very many words begin with it.
    fileprivate var isShortPrefix: Bool {
        let words = words
        return isPrefix && !isHalf && words.count == 1 && words[0].unicodeScalars.count <= 3
    }

    /// The expression for the term, and the number of its phrases.
    var expression: (text: String, forms: Int) {
        let words = words
        let phrase = words.map(\.quoted).joined(separator: " + ")
        let column =
            switch field {
            case nil: ""
            case .title: "title : "
            case .author: "authors : "
            case .tag: "tags : "
            }
        let forms = [phrase + (isBeginning ? " *" : "")] + stems.map(\.quoted)
        return (column + "(" + forms.joined(separator: " OR ") + ")", forms.count)
    }
}

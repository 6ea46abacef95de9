package import Database
import Essentials
import Text

/// The SQL of a list. Its text depends on the shape of the query alone, that is, on which conditions are set, on the
/// order and on whether there is a cursor; what the conditions say is bound. So each shape is prepared once. A statement
/// that searches calls `Predicate.articleHolds`.
///
/// The list is read from the table whose key begins with a condition: that of authors, else that of tags, else articles
/// themselves. Its order is that key's, and the other conditions are checked row by row.
package struct ArticleListStatement {
    package private(set) var sql: String
    package private(set) var values: [Value] = []
    private var separator = " WHERE "
    private let query: ArticleQuery
    private let source: Source

    /// A page, from a place on.
    package init(_ query: ArticleQuery, after position: Cursor.Position?, limit: Int) {
        self.init(query, from: position, isBackward: false, limit: limit)
    }

    /// The articles up to a place or, without one, the end; the last of them first.
    package init(_ query: ArticleQuery, before position: Cursor.Position?, limit: Int) {
        self.init(query, from: position, isBackward: true, limit: limit)
    }

    private init(_ query: ArticleQuery, from position: Cursor.Position?, isBackward: Bool, limit: Int) {
        self.query = query
        source = Source(query)
        sql = "SELECT \(ArticleRow.summaryColumns) FROM \(source.table(for: query)) \(source.index(of: query))"
        if source != .articles { sql += " \(Source.join)" }
        let isDescending = (query.sort == .newest) != isBackward
        addConditions(boundedBy: position == nil ? nil : isDescending ? .upper : .lower)
        let direction = isDescending ? "DESC" : "ASC"
        let column = "\(source.alias).\(query.sort == .title ? "title_key" : "published_at")"
        if let position {
            // A place is just after an article, which is thus before it.
            add("(\(column), \(source.id)) \(isDescending ? "<" : ">")\(isBackward ? "=" : "") (?, ?)")
            switch position {
            case .date(let date, let id): values += [Value(date), Value(id)]
            case .title(let key, let id): values += [Value(key), Value(id)]
            }
        }
        sql += " ORDER BY \(column) \(direction), \(source.id) \(direction) LIMIT ?"
        values.append(Value(limit))
    }

    /// How many articles the list holds.
    package init(counting query: ArticleQuery) {
        var query = query
        // Dates bound a list by date, and no count has an order.
        query.sort = .newest
        self.query = query
        source = Source(query)
        sql = "SELECT count(*) FROM \(source.table(for: query))"
        if query.text != nil { sql += " \(source.index(of: query))" }
        if source != .articles, query.language != nil || query.text != nil || query.source != nil {
            sql += " \(Source.join)"
        }
        addConditions(boundedBy: nil)
    }

    /// - Parameter cursor: on which side a cursor bounds the list. It is a tighter bound than a date on that side, and
    ///   SQLite seeks by one bound a side.
    private mutating func addConditions(boundedBy cursor: Side?) {
        let cursor = query.sort == .title ? nil : cursor
        if let author = query.author { add("k.label_id = \(Source.label("author"))", Value(FoldedKey.fold(author))) }
        if let tag = query.tag { add(source.tagCondition, Value(FoldedKey.fold(tag))) }
        if let name = query.source {
            add("a.source_id = (SELECT id FROM source WHERE name_key = ?)", Value(FoldedKey.fold(name)))
        }
        if let language = query.language { add("a.language = ?", Value(LanguageTag.canonical(language))) }
        if let since = query.since, cursor != .lower {
            add("\(source.dated(query)).published_at >= ?", Value(since.roundedUp))
        }
        if let until = query.until, cursor != .upper {
            add("\(source.dated(query)).published_at < ?", Value(until.roundedUp))
        }
        // The dearest last.
        if let text = query.text {
            add("\(Predicate.articleHolds.name)(?, a.title, a.authors, a.tags)", Value(SearchText.words(of: text)))
        }
    }

    private mutating func add(_ condition: String, _ value: Value? = nil) {
        sql += separator
        sql += condition
        separator = " AND "
        if let value { values.append(value) }
    }

    private enum Side { case lower, upper }

    private enum Source {
        case articles, authors, tags

        init(_ query: ArticleQuery) {
            self = query.author != nil ? .authors : query.tag != nil ? .tags : .articles
        }

        func table(for query: ArticleQuery) -> String {
            switch self {
            case .articles: "article AS a"
            case .authors, .tags: query.sort == .title ? "label_by_title AS k" : "label_by_date AS k"
            }
        }

        var alias: String { self == .articles ? "a" : "k" }

        /// The table that has the date.
        func dated(_ query: ArticleQuery) -> String { query.sort == .title ? "a" : alias }

        var id: String { self == .articles ? "a.number" : "k.article_id" }

        /// Which index the list is in the order of, said aloud, so that no statistics lead SQLite to sort instead.
        func index(of query: ArticleQuery) -> String {
            // A search looks at many articles for each that it lists: all that it needs should be in the index.
            let narrower =
                query.source != nil ? "source_and_" : query.language == nil || query.text != nil ? "" : "language_and_"
            return switch (self, query.sort == .title) {
            case (.articles, false): "INDEXED BY article_by_\(narrower)date"
            case (.articles, true): "INDEXED BY article_by_\(narrower)title"
            // The table itself is in the order.
            case (.authors, _), (.tags, _): "NOT INDEXED"
            }
        }

        var tagCondition: String {
            guard self == .authors else { return "k.label_id = \(Self.label("tag"))" }
            return "EXISTS (SELECT 1 FROM article_label AS t WHERE t.article_id = k.article_id"
                + " AND t.label_id = \(Self.label("tag")))"
        }

        /// The number of a label of this kind, whose key is bound.
        static func label(_ kind: String) -> String { "(SELECT id FROM label WHERE kind = '\(kind)' AND key = ?)" }

        /// CROSS JOIN keeps the order of the tables.
        static let join = "CROSS JOIN article AS a ON a.id = k.article_id"
    }
}

extension Date {
    /// The first whole second that is not before the date: what is stored are whole seconds.
    fileprivate var roundedUp: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.up)) }
}

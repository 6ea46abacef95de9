package import Database
import Essentials
import Text

/// The SQL of a list. Its text depends on the shape of the query alone, that is, on which conditions are set, on the
/// order and on whether there is a cursor; what the conditions say is bound. So each shape is prepared once. A statement
/// that searches calls `Predicate.articleHolds`.
///
/// A list by author, else by tag, is read from the table that holds the articles of a label in the order of the list, any
/// other from the articles by an index that begins with a condition. The other conditions are checked row by row.
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
        sql = "SELECT \(ArticleRow.summaryColumns) FROM \(source.table(of: query))"
        if source == .label { sql += " \(Source.join)" }
        sql += " \(ArticleRow.source)"
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
        sql = "SELECT count(*) FROM \(source.table(of: query, isOrdered: false))"
        if source == .label, query.language != nil || query.text != nil || query.source != nil {
            sql += " \(Source.join)"
        }
        addConditions(boundedBy: nil)
    }

    /// - Parameter cursor: on which side a cursor bounds the list. It is a tighter bound than a date on that side, and
    ///   SQLite seeks by one bound a side.
    private mutating func addConditions(boundedBy cursor: Side?) {
        let cursor = query.sort == .title ? nil : cursor
        if let author = query.author { add("k.label_id = \(Label.author.id)", Value(FoldedKey.fold(author))) }
        if let tag = query.tag {
            let label = "label_id = \(Label.tag.id)"
            let isOther = query.author != nil
            add(
                isOther
                    ? "EXISTS (SELECT 1 FROM article_label AS t WHERE t.article_id = k.article_id AND t.\(label))"
                    : "k.\(label)", Value(FoldedKey.fold(tag)))
        }
        if let name = query.source {
            add("a.source_id = (SELECT id FROM source WHERE name_key = ?)", Value(FoldedKey.fold(name)))
        }
        if let language = query.language { add("a.language = ?", Value(LanguageTag.canonical(language))) }
        let date = query.sort == .title ? "a.published_at" : "\(source.alias).published_at"
        if let since = query.since, cursor != .lower { add("\(date) >= ?", Value(since.roundedUp)) }
        if let until = query.until, cursor != .upper { add("\(date) < ?", Value(until.roundedUp)) }
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
        case articles, label

        init(_ query: ArticleQuery) {
            self = query.author != nil || query.tag != nil ? .label : .articles
        }

        var alias: String { self == .articles ? "a" : "k" }

        var id: String { self == .articles ? "a.number" : "k.article_id" }

        /// What the list is read from, in its order, said aloud, so that no statistics lead SQLite to sort instead.
        func table(of query: ArticleQuery, isOrdered: Bool = true) -> String {
            let order = query.sort == .title ? "title" : "date"
            guard self == .articles else { return "label_by_\(order) AS k" }
            let first = query.source != nil ? "source_and_" : query.language != nil ? "language_and_" : ""
            // Each article is looked at, and the table itself has them side by side.
            let isScan = !isOrdered && first.isEmpty && query.text != nil && query.since == nil && query.until == nil
            return "article AS a " + (isScan ? "NOT INDEXED" : "INDEXED BY article_by_\(first)\(order)")
        }

        /// CROSS JOIN keeps the order of the tables.
        static let join = "CROSS JOIN article AS a ON a.id = k.article_id"
    }
}

extension Label {
    /// The number of the one with a key.
    fileprivate var id: String { "(SELECT id FROM label WHERE kind = '\(rawValue)' AND key = ?)" }
}

extension Date {
    /// The first whole second that is not before the date: what is stored are whole seconds.
    fileprivate var roundedUp: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.up)) }
}

package import Database
import Essentials
import Text

/// The SQL of a list. Its text depends on the shape of the query alone, that is, on which conditions are set, on the
/// order and on whether there is a cursor; what the conditions say is bound. So each shape is prepared once. A statement
/// that searches calls `Predicate.articleHolds`.
///
/// A list by author, else by tag, is read from the table that holds the articles of a label in the order of the list, any
/// other from the articles by an index that begins with a condition. The other conditions are checked row by row. A list of
/// which few articles are marked as it says is read from the marks instead, and sorted.
package struct ArticleListStatement {
    package private(set) var sql: String
    package private(set) var values: [Value] = []
    private var separator = " WHERE "
    private let query: ArticleQuery
    private let source: Source

    /// A page, from a place on.
    package init(_ query: ArticleQuery, after position: Cursor.Position?, limit: Int, from marks: MarkCriterion? = nil)
    {
        self.init(query, from: position, isBackward: false, limit: limit, marks)
    }

    /// The articles up to a place or, without one, the end; the last of them first.
    package init(_ query: ArticleQuery, before position: Cursor.Position?, limit: Int, from marks: MarkCriterion? = nil)
    {
        self.init(query, from: position, isBackward: true, limit: limit, marks)
    }

    private init(
        _ query: ArticleQuery, from position: Cursor.Position?, isBackward: Bool, limit: Int, _ marks: MarkCriterion?
    ) {
        self.query = query
        source = Source(query, marks)
        sql = "SELECT \(ArticleRow.summaryColumns) FROM "
        read(isOrdered: true)
        if !source.isArticles { sql += " \(Source.join)" }
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
    package init(counting query: ArticleQuery, from marks: MarkCriterion? = nil) {
        self.init(of: "count(*)", query, from: marks)
    }

    /// The numbers of the articles of the list, in no order.
    package init(numbering query: ArticleQuery, from marks: MarkCriterion? = nil) {
        self.init(of: nil, query, from: marks)
    }

    private init(of columns: String?, _ query: ArticleQuery, from marks: MarkCriterion?) {
        var query = query
        // Dates bound a list by date, and no count has an order.
        query.sort = .newest
        self.query = query
        source = Source(query, marks)
        sql = "SELECT \(columns ?? source.id) FROM "
        read(isOrdered: false)
        let isOfLabel = query.language == nil && query.text == nil && query.source == nil
        if !source.isArticles, !source.isLabel || !isOfLabel {
            sql += " \(Source.join)"
        }
        addConditions(boundedBy: nil)
    }

    /// Says what the list is read from.
    private mutating func read(isOrdered: Bool) {
        guard case .marks(let criterion) = source, let candidates = criterion.candidates else {
            return sql += source.table(of: query, isOrdered: isOrdered)
        }
        sql += "(\(candidates.sql)) AS k"
        values += candidates.values
    }

    /// - Parameter cursor: on which side a cursor bounds the list. It is a tighter bound than a date on that side, and
    ///   SQLite seeks by one bound a side.
    private mutating func addConditions(boundedBy cursor: Side?) {
        let cursor = query.sort == .title ? nil : cursor
        // The list is read from the first of them, where it is read from labels.
        var isRead = source.isLabel
        for (kind, name) in [(Label.author, query.author), (.tag, query.tag)] {
            guard let name else { continue }
            let label = "label_id = \(kind.id)"
            add(
                isRead
                    ? "k.\(label)"
                    : "EXISTS (SELECT 1 FROM article_label AS t WHERE t.article_id = k.article_id AND t.\(label))",
                Value(FoldedKey.fold(name)))
            isRead = false
        }
        if let name = query.source {
            add("a.source_id = (SELECT id FROM source WHERE name_key = ?)", Value(FoldedKey.fold(name)))
        }
        if let language = query.language { add("a.language = ?", Value(LanguageTag.canonical(language))) }
        let date = query.sort == .title ? "a.published_at" : "\(source.alias).published_at"
        if let since = query.since, cursor != .lower { add("\(date) >= ?", Value(since.roundedUp)) }
        if let until = query.until, cursor != .upper { add("\(date) < ?", Value(until.roundedUp)) }
        for criterion in query.marks.criteria {
            let condition = criterion.condition(of: source.id)
            add(condition.sql)
            values += condition.values
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
        case articles, label
        case marks(MarkCriterion)

        init(_ query: ArticleQuery, _ marks: MarkCriterion?) {
            self = marks.map { .marks($0) } ?? (query.author != nil || query.tag != nil ? .label : .articles)
        }

        var alias: String { isLabel ? "k" : "a" }

        var id: String { isLabel ? "k.article_id" : "a.number" }

        var isLabel: Bool { if case .label = self { true } else { false } }

        var isArticles: Bool { if case .articles = self { true } else { false } }

        /// What the list is read from, in its order, said aloud, so that no statistics lead SQLite to sort instead.
        func table(of query: ArticleQuery, isOrdered: Bool = true) -> String {
            let order = query.sort == .title ? "title" : "date"
            guard isArticles else { return "label_by_\(order) AS k" }
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

package import ArticleStore
package import Database
import Text

/// The SQL of a list. Its text depends only on the shape of the query: which conditions are set, the order, and whether
/// there is a cursor. The values of the conditions are bound, so each shape is prepared only once.
///
/// In a search for words, the statement returns only numbers of articles. It sorts known matches into the order of the list
/// (``Words/among(_:)``), or it reads the list in its order, and the caller checks which of its articles match
/// (``Words/unchecked``).
///
/// A list by author, or else by tag, is read from the table with the articles of a label, which has the order of the
/// list. Any other list is read from the articles, with an index that begins with a condition. A list of a source is merged
/// from its articles and from the articles that appear there, both in the order of the list. All other conditions are
/// checked for each row. If a condition on marks or numbers leaves only few articles (``Candidates``), these are read
/// and sorted.
package struct ArticleListStatement {
    package private(set) var sql: String
    package private(set) var values: [Value] = []
    private var separator = " WHERE "
    private let query: ArticleQuery
    private let source: Source
    private let words: Words

    /// How the articles with the words of a search are found.
    package enum Words: Equatable {
        /// The articles are these, as a JSON array of numbers.
        case among(String)
        /// The statement returns all articles that meet the other conditions. The caller checks which of them match.
        case unchecked
        /// The statement reads the articles from the search index, in the order of the index.
        case hits
    }

    /// Creates the statement for a page after a position.
    ///
    /// - Parameter few: the candidates from which the list is read, if they are few.
    package init(
        _ query: ArticleQuery, after position: Cursor.Position?, limit: Int, words: Words = .unchecked,
        from few: Candidates? = nil
    ) {
        self.init(query, from: position, isBackward: false, limit: limit, words, few)
    }

    /// Creates the statement for the articles up to a position or up to the end, the last article first.
    ///
    /// - Parameter few: the candidates from which the list is read, if they are few.
    package init(
        _ query: ArticleQuery, before position: Cursor.Position?, limit: Int, words: Words = .unchecked,
        from few: Candidates? = nil
    ) {
        self.init(query, from: position, isBackward: true, limit: limit, words, few)
    }

    private init(
        _ query: ArticleQuery, from position: Cursor.Position?, isBackward: Bool, limit: Int, _ words: Words,
        _ few: Candidates?
    ) {
        var query = query
        query.sort = query.order
        let source = Source(query, words, few)
        self.init(query, from: position, isBackward: isBackward, words, in: source)
        let direction = (query.sort == .newest) != isBackward ? "DESC" : "ASC"
        if isOfSource {
            let shared = ArticleListStatement(query, from: position, isBackward: isBackward, words, in: .appearances)
            sql += " UNION ALL \(shared.sql) ORDER BY sort_key \(direction), sort_id \(direction) LIMIT ?"
            values += shared.values
        } else {
            sql += " ORDER BY \(sortKey) \(direction), \(source.id) \(direction) LIMIT ?"
        }
        values.append(Value(limit))
    }

    /// Creates the statement for the articles of a source of rows, without an order.
    private init(
        _ query: ArticleQuery, from position: Cursor.Position?, isBackward: Bool, _ words: Words, in source: Source
    ) {
        self.query = query
        self.words = words
        self.source = source
        let isNumber = query.search?.hasWords == true
        sql = "SELECT \(isNumber ? source.id : ArticleRow.summaryColumns)"
        if isOfSource || source == .appearances { sql += ", \(sortKey) AS sort_key, \(source.id) AS sort_id" }
        sql += " FROM "
        read()
        if source.isJoined { sql += " \(Source.join)" }
        if !isNumber { sql += " \(ArticleRow.source)" }
        let isDescending = (query.sort == .newest) != isBackward
        addConditions(boundedBy: position == nil ? nil : isDescending ? .upper : .lower)
        if let position {
            // A position is just after its article. So a backward page, which ends at the position, includes that
            // article.
            add("(\(sortKey), \(source.id)) \(isDescending ? "<" : ">")\(isBackward ? "=" : "") (?, ?)")
            switch position {
            case .date(let date, let id): values += [Value(date), Value(id)]
            case .title(let key, let id): values += [Value(key), Value(id)]
            // Lists by relevance are not read with this statement.
            case .score(_, let id): values += [Value.null, Value(id)]
            }
        }
    }

    /// The column by which the list is ordered.
    private var sortKey: String { "\(source.alias).\(query.sort == .title ? "title_key" : "published_at")" }

    /// Whether the list is read from the articles of a source. Those that appear there are missing.
    private var isOfSource: Bool { source == .articles && query.source != nil }

    /// Creates the statement that counts the articles of the list.
    package init(counting query: ArticleQuery, from few: Candidates? = nil) {
        self.init(of: "count(*)", query, from: few)
        guard isOfSource else { return }
        let shared = ArticleListStatement(of: "count(*)", query, in: .appearances)
        sql = "SELECT (\(sql)) + (\(shared.sql))"
        values += shared.values
    }

    /// Creates the statement for the numbers of the articles of the list, in any order.
    package init(numbering query: ArticleQuery, from few: Candidates? = nil) {
        self.init(of: nil, query, from: few)
        if isOfSource { addAppearances() }
    }

    /// Adds the numbers of the articles that appear in the source.
    private mutating func addAppearances() {
        let shared = ArticleListStatement(of: nil, query, in: .appearances)
        sql += " UNION ALL \(shared.sql)"
        values += shared.values
    }

    /// Creates the statement for the numbers of the articles of the list, in the order of arrival. The articles are
    /// read in that order, unless an index leads to fewer of them.
    package init(arriving query: ArticleQuery, latestFirst: Bool, limit: Int, from few: Candidates? = nil) {
        self.init(of: nil, query, from: few, inOrderOfArrival: true)
        if isOfSource { addAppearances() }
        sql += " ORDER BY \(isOfSource ? "1" : source.id) \(latestFirst ? "DESC" : "ASC") LIMIT ?"
        values.append(Value(limit))
    }

    private init(
        of columns: String?, _ query: ArticleQuery, from few: Candidates? = nil, inOrderOfArrival: Bool = false,
        in branch: Source? = nil
    ) {
        var query = query
        // The order does not matter here. In a list by date, conditions on dates can use the index.
        query.sort = .newest
        self.query = query
        words = .hits
        let source = branch ?? Source(query, .hits, few)
        let isNarrowed = query.source != nil || query.language != nil
        self.source = inOrderOfArrival && source == .articles && !isNarrowed ? .arrivals : source
        sql = "SELECT \(columns ?? self.source.id) FROM "
        read()
        let isOfLabel =
            query.language == nil && query.source == nil && query.sourceTag == nil
            && query.search?.hasConditions != true
        if source.isJoined, source != .label || !isOfLabel { sql += " \(Source.join)" }
        addConditions(boundedBy: nil)
    }

    /// Selects the number and the score of the latest articles that match a search in a table of the search index. The
    /// caller sorts them by score.
    init(ranking query: ArticleQuery, _ expression: SearchExpression, in table: WordTable, limit: Int) {
        self.query = query
        words = .hits
        source = .hits
        let name = table.rawValue
        sql = "SELECT \(name).rowid, search_score(\(name), ?) FROM \(name)"
        values.append(Value(expression.forms))
        // Without words that must match, the index cannot check the labels, so check those of each article.
        let asksLabels = expression.match == nil && (query.author != nil || query.tag != nil)
        let isBare =
            !asksLabels && query.search?.hasConditions != true
            && query.markConditions.allSatisfy { $0.mark == .hidden && !$0.isSet }
            && [query.language, query.source, query.sourceTag].allSatisfy { $0 == nil } && query.since == nil
            && query.until == nil
            && query.numbers == nil
        if !isBare { sql += " CROSS JOIN article AS a ON a.id = \(name).rowid" }
        let match = expression.match ?? expression.shortPrefix ?? ""
        add("\(name) MATCH ?", Value(match))
        // Deleted articles stay in the index for a while, and would count toward the limit.
        if isBare { add("EXISTS (SELECT 1 FROM article WHERE id = \(name).rowid)") }
        if asksLabels { addLabelsAmong() }
        addConditions(boundedBy: nil, isMatched: true, marksOf: isBare ? "\(name).rowid" : nil)
        sql += " ORDER BY \(name).rowid DESC LIMIT ?"
        values.append(Value(limit))
    }

    /// A table of the search index.
    enum WordTable: String {
        case all = "article_text"
        case names = "article_name"
    }

    /// Adds the table from which the list is read.
    private mutating func read() {
        sql += source.table(of: query)
        switch source {
        case .few(let candidates): values += candidates.values
        case .among(let numbers): values.append(Value(numbers))
        case .articles, .arrivals, .label, .hits, .appearances: break
        }
    }

    /// Adds the conditions.
    /// - Parameter cursor: the side on which a cursor limits the list. The cursor is a tighter limit than a date, and
    ///   SQLite can use only one limit per side for its search in the index.
    /// - Parameter marked: the number of the article for conditions on marks; nil for that of the source.
    private mutating func addConditions(
        boundedBy cursor: Side?, isMatched: Bool = false, marksOf marked: String? = nil
    ) {
        let cursor = query.sort == .title ? nil : cursor
        let expression = SearchExpression(query)
        switch source {
        case .hits: if !isMatched, let match = expression?.match { add("article_text MATCH ?", Value(match)) }
        case .among, .few: addLabelsAmong()
        case .label: addLabels()
        case .articles, .arrivals, .appearances: break
        }
        if let name = query.source {
            let (number, key) = ("= (SELECT id FROM source WHERE name_key = ?)", Value(FoldedKey.fold(name)))
            switch source {
            case .articles: add("a.source_id \(number)", key)
            case .appearances: add("k.source_id \(number)", key)
            default: add("(a.source_id \(number) OR \(SourceRow.isAppearance(in: number)))", key, key)
            }
        }
        if let tag = query.sourceTag {
            let (sources, key) = ("IN \(SourceRow.tagged)", Value(SearchText.fold(tag)))
            add("(a.source_id \(sources) OR \(SourceRow.isAppearance(in: sources)))", key, key)
        }
        if let language = query.language { add("a.language = ?", Value(LanguageTag.canonical(language))) }
        let date = query.sort == .title ? "a.published_at" : "\(source.alias).published_at"
        if let since = query.since, cursor != .lower { add("\(date) >= ?", Value(since.roundedUp)) }
        if let until = query.until, cursor != .upper { add("\(date) < ?", Value(until.roundedUp)) }
        if let numbers = query.numbers {
            add("\(source.id) >= ?", Value(numbers.lowerBound))
            add("\(source.id) < ?", Value(numbers.upperBound))
        }
        // With a constant, SQLite finds no plan for INDEXED BY. Numbers are positive.
        if query.search?.isEmpty == true { add("\(source.id) < 0") }
        let filters = (query.search?.filters ?? []).compactMap { ListCondition($0) }
        let choices = (query.search?.choices ?? []).map {
            ListCondition($0, of: source.id, markedBy: query.marks.userID)
        }
        add(filters)
        add(query.markConditions.map { $0.condition(of: marked ?? source.id) })
        add(choices)
        // The most expensive conditions come last.
        if let exclusion = expression?.exclusion {
            add(ListCondition.isIndexed(source.id), Value(SearchWords.version))
            add(
                "NOT EXISTS (SELECT 1 FROM article_text WHERE article_text MATCH ? AND rowid = \(source.id))",
                Value(exclusion))
        }
    }

    private mutating func add(_ conditions: [ListCondition]) {
        for condition in conditions {
            add(condition.sql)
            values += condition.values
        }
    }

    /// Adds conditions that look up the labels of each article, for sources with few articles.
    private mutating func addLabelsAmong() {
        for (label, name) in [(ArticleLabel.Kind.author, query.author), (.tag, query.tag)] {
            guard let name else { continue }
            add(
                "EXISTS (SELECT 1 FROM article_label AS t WHERE t.article_id = a.id AND t.label_id = \(label.id))",
                Value(SearchText.fold(name)))
        }
    }

    private mutating func addLabels() {
        if let author = query.author {
            add("k.label_id = \(ArticleLabel.Kind.author.id)", Value(SearchText.fold(author)))
        }
        guard let tag = query.tag else { return }
        let label = "label_id = \(ArticleLabel.Kind.tag.id)"
        let isOther = query.author != nil
        add(
            isOther
                ? "EXISTS (SELECT 1 FROM article_label AS t WHERE t.article_id = k.article_id AND t.\(label))"
                : "k.\(label)", Value(SearchText.fold(tag)))
    }

    private mutating func add(_ condition: String, _ newValues: Value...) {
        sql += separator
        sql += condition
        separator = " AND "
        values += newValues
    }

    private enum Side { case lower, upper }

    private enum Source: Equatable {
        case articles, arrivals, label, hits, appearances
        case among(String)
        case few(Candidates)

        init(_ query: ArticleQuery, _ words: Words, _ few: Candidates?) {
            let list: Source =
                few.map { .few($0) } ?? (query.author != nil || query.tag != nil ? .label : .articles)
            guard query.search?.hasWords == true else {
                self = list
                return
            }
            self =
                switch words {
                case .among(let numbers): .among(numbers)
                case .hits: .hits
                case .unchecked: list
                }
        }

        var alias: String { self == .label || self == .appearances ? "k" : "a" }

        var id: String {
            switch self {
            case .label, .appearances: "k.article_id"
            case .arrivals: "a.id"
            case .articles, .hits, .among, .few: "a.number"
            }
        }

        /// Whether the source only has the numbers of articles, which must be joined with the articles.
        var isJoined: Bool {
            switch self {
            case .label, .few, .appearances: true
            case .articles, .arrivals, .hits, .among: false
            }
        }

        /// Returns the table and the index that give the order of the list. The index is named explicitly, because
        /// otherwise SQLite could decide from its statistics to sort.
        func table(of query: ArticleQuery) -> String {
            let order = query.sort == .title ? "title" : "date"
            switch self {
            case .label: return "label_by_\(order) AS k"
            case .appearances: return "article_appearance AS k INDEXED BY article_appearance_by_\(order)"
            case .arrivals: return "article AS a NOT INDEXED"
            case .hits: return "article_text CROSS JOIN article AS a ON a.id = article_text.rowid"
            case .among: return "json_each(?) AS j CROSS JOIN article AS a ON a.id = j.value"
            case .few(let candidates): return "(\(candidates.sql)) AS k"
            case .articles: break
            }
            let first = query.source != nil ? "source_and_" : query.language != nil ? "language_and_" : ""
            return "article AS a INDEXED BY article_by_\(first)\(order)"
        }

        /// CROSS JOIN keeps the order of the tables.
        static let join = "CROSS JOIN article AS a ON a.id = k.article_id"
    }
}

extension ArticleLabel.Kind {
    /// The subquery for the number of the label with a key.
    fileprivate var id: String { "(SELECT id FROM label WHERE kind = '\(rawValue)' AND key = ?)" }
}

extension Date {
    /// The first whole second that is not before the date. Stored dates are whole seconds.
    var roundedUp: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.up)) }
}

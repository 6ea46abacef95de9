package import ArticleStore
package import PostgreSQL
internal import Text

/// Composes the SQL of a list. Its text depends only on the shape of the query; the values of the conditions are bound.
///
/// A list is read in the order of an index that begins with its leading condition: an author or tag, a source, or a
/// language. PostgreSQL does not know hints, so the order names the leading column and its condition is a range: an
/// equality would let the planner leave the column out, and read the whole library in the order of dates to find a rare
/// source. A list of a source has a second branch for the articles that appear there. A list of articles with a mark is read
/// from the marks, which are few, and sorted.
package struct ArticleListStatement {
    /// The number of matching articles that are ranked.
    static let rankedArticles = 2_000

    private let query: ArticleQuery
    /// Whether the list is read from the appearances in its source.
    private let isOfAppearances: Bool
    private var values: [Value] = []
    private var conditions: [String] = []
    private var joins = ""
    private var prefix = ""
    private var lead = Lead.articles

    private enum Lead {
        case articles
        case label
        case marks
        /// A column of articles, and the SQL of its value.
        case column(String, String)
    }

    private init(
        _ query: ArticleQuery, among candidates: [Int64]?, isOfAppearances: Bool = false, values: [Value] = []
    ) {
        (self.query, self.isOfAppearances, self.values) = (query, isOfAppearances, values)
        if isOfAppearances { joins += " JOIN article_appearance AS p ON p.article_id = a.id" }
        if let candidates { add("a.id = ANY (\(Value.integers(candidates)))") }
        addConditions()
    }

    /// Composes the statement of a list. The statement of a list that a source leads has two branches: the articles of the
    /// source, and those that appear there.
    ///
    /// - Parameters:
    ///   - candidates: the articles among which those of the list are; nil for all articles.
    ///   - compose: adds conditions to a list, and returns the SQL of its branch.
    ///   - union: the operator between two branches.
    private static func branches(
        of query: ArticleQuery, among candidates: [Int64]? = nil, _ compose: (inout ArticleListStatement) -> String,
        union: String = " UNION ALL "
    ) -> (sql: String, values: [Value], count: Int) {
        var own = ArticleListStatement(query, among: candidates)
        let sql = own.prefix + compose(&own)
        guard case .column("a.source_id", _) = own.lead else { return (sql, own.values, 1) }
        var shared = ArticleListStatement(query, among: candidates, isOfAppearances: true, values: own.values)
        let sharedSQL = compose(&shared)
        return ("(\(sql))\(union)(\(sharedSQL))", shared.values, 2)
    }

    /// The summaries after a position, or those up to a position with the last one first. With a user, the result also
    /// has the marks of the user. See ``MarkRow/select(_:columns:user:order:)``.
    ///
    /// - Parameter candidates: the articles among which those of the list are; nil for all articles.
    package static func page(
        _ query: ArticleQuery, among candidates: [Int64]? = nil, from position: Cursor.Position?, isBackward: Bool,
        limit: Int, markedBy user: Int64? = nil
    ) -> Statement {
        let isDescending = (query.order == .newest) != isBackward
        let direction = isDescending ? " DESC" : " ASC"
        var page = branches(of: query, among: candidates) {
            $0.page(from: position, isBackward: isBackward, isDescending: isDescending, limit: limit)
        }
        if page.count > 1 { page.sql += " ORDER BY sort_key\(direction), id\(direction) LIMIT \(limit)" }
        guard let user else { return Statement(page.sql, page.values) }
        return Statement(
            MarkRow.select(
                page.sql, columns: ArticleRow.marksOfSummary, user: "$\(page.values.count + 1)",
                order: ", sort_key\(direction), id\(direction)"),
            page.values + [.integer(user)])
    }

    /// The articles that have the words of a search, as far as the index knows, but no more than `limit`; nil if the search
    /// does not want words.
    package static func candidates(_ query: ArticleQuery, limit: Int) -> Statement? {
        guard let search = query.search, !search.wanted.isEmpty, let words = SearchCondition(search) else { return nil }
        var values: [Value] = []
        let condition = words.indexCondition.text(binding: &values)
        return Statement("SELECT article_id FROM article_search AS w WHERE \(condition) LIMIT \(limit)", values)
    }

    /// The number and the highest number of the articles with words, of which at most `limit` are counted.
    static func count(_ words: SearchCondition.Match, upTo limit: Int) -> Statement {
        var values: [Value] = []
        let condition = words.condition.text(binding: &values)
        return Statement(
            """
            SELECT count(*), coalesce(max(article_id), 0) FROM (
                SELECT article_id FROM article_search AS w WHERE \(condition) LIMIT \(limit)) AS found
            """, values)
    }

    /// Adds the condition of a position, and returns the SQL of a page.
    private mutating func page(
        from position: Cursor.Position?, isBackward: Bool, isDescending: Bool, limit: Int
    ) -> String {
        let name = query.order == .title ? "title_key" : "published_at"
        var columns = ["a.\(name)", "a.id"]
        var places = places(of: position)
        var sortKeys = columns
        switch lead {
        case .articles: break
        case .label:
            columns = ["k.\(name)", "k.article_id"]
            sortKeys = columns
        // No index contains the expression, so the planner sorts.
        case .marks: sortKeys[0] += query.order == .title ? " || ''" : " + 0"
        case .column(let column, let value):
            if isOfAppearances { columns = ["p.\(name)", "p.article_id"] }
            columns.insert(column, at: 0)
            places?.insert(value, at: 0)
            sortKeys = columns
        }
        if let places {
            // A position is just after its article. So a backward page, which ends at the position, includes that
            // article.
            let comparison = (isDescending ? "<" : ">") + (isBackward ? "=" : "")
            conditions.append(
                "(\(columns.joined(separator: ", "))) \(comparison) (\(places.joined(separator: ", ")))")
        }
        let direction = isDescending ? " DESC" : " ASC"
        // The server cannot reuse a plan with a limit that it does not know, and planning takes longer than reading a page.
        return sql(
            "SELECT \(ArticleRow.summaryColumns), a.\(name) AS sort_key", ArticleRow.source,
            "ORDER BY " + sortKeys.map { $0 + direction }.joined(separator: ", ") + " LIMIT \(limit)")
    }

    /// Binds a position, and returns the SQL of its sort key and its number; nil without a position.
    private mutating func places(of position: Cursor.Position?) -> [String]? {
        switch position {
        case .date(let date, let number): [bind(Value(date)), bind(Value(number))]
        case .title(let key, let number): [bind(Value(anyText: key)), bind(Value(number))]
        // Lists by relevance are not read with this statement.
        case .score, nil: nil
        }
    }

    private mutating func bind(_ value: Value) -> String {
        values.append(value)
        return "$\(values.count)"
    }

    /// The numbers of all articles of the list.
    static func numbers(_ query: ArticleQuery) -> Statement {
        let list = branches(of: query) { $0.sql("SELECT a.id") }
        return Statement(list.sql, list.values)
    }

    /// The numbers of articles by arrival.
    package static func arrivals(
        _ query: ArticleQuery, among candidates: [Int64]? = nil, latestFirst: Bool, limit: Int
    ) -> Statement {
        ordered(branches(of: query, among: candidates) { $0.sql("SELECT a.id") }, latestFirst: latestFirst, limit)
    }

    /// Returns a statement in the order of the numbers in its first column.
    private static func ordered(
        _ list: (sql: String, values: [Value], count: Int), latestFirst: Bool, _ limit: Int
    ) -> Statement {
        Statement(
            "\(list.sql) ORDER BY id \(latestFirst ? "DESC" : "ASC") LIMIT $\(list.values.count + 1)",
            list.values + [Value(limit)])
    }

    /// The sources of the articles.
    static func sources(_ query: ArticleQuery) -> Statement {
        let list = numbers(query)
        return Statement(
            """
            WITH found (id) AS MATERIALIZED (\(list.sql))
            SELECT source_id FROM article WHERE id IN (SELECT id FROM found)
            UNION SELECT source_id FROM article_appearance WHERE article_id IN (SELECT id FROM found)
            """, list.values)
    }

    /// The number of articles.
    static func count(_ query: ArticleQuery, among candidates: [Int64]? = nil) -> Statement {
        let list = branches(of: query, among: candidates, { $0.sql("SELECT count(*)") }, union: " + ")
        return Statement(list.count > 1 ? "SELECT \(list.sql)" : list.sql, list.values)
    }

    /// The numbers and scores of the matching articles that arrived last.
    static func scores(_ query: ArticleQuery, among candidates: [Int64]?) -> Statement {
        let ranked = query.search.map(SearchCondition.rank) ?? ""
        var statement = ordered(
            branches(of: query, among: candidates) { $0.sql("SELECT a.id, w.words") }, latestFirst: true,
            rankedArticles)
        let place = "$\(statement.values.count + 1)::text::tsquery"
        statement = Statement(
            """
            SELECT id, ts_rank('{0.1, 0.4, 0.4, 1.0}', words, \(place))::double precision FROM (\(statement.sql)) AS found
            """, statement.values + [.text(ranked)])
        return statement
    }

    private func sql(_ columns: String, _ join: String = "", _ end: String = "") -> String {
        var sql = "\(columns) FROM article AS a\(joins) \(join)"
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        return sql + " " + end
    }

    /// Adds a condition.
    private mutating func add(_ condition: SQL) { conditions.append(text(condition)) }

    private mutating func text(_ sql: SQL) -> String { sql.text(binding: &values) }

    private mutating func addConditions() {
        var criteria = query.markConditions
        if let index = criteria.firstIndex(where: { $0.isSet && $0.rows != nil }), let rows = criteria[index].rows {
            lead = .marks
            criteria.remove(at: index)
            prefix = "WITH marked AS MATERIALIZED (SELECT m.article_id FROM " + text(rows) + ") "
            joins += " JOIN marked ON marked.article_id = a.id"
        }
        for (kind, name) in [(ArticleLabel.Kind.author, query.author), (.tag, query.tag)] {
            guard let name else { continue }
            let key = Value(anyText: SearchText.fold(name))
            let label: SQL =
                "(SELECT id FROM label WHERE kind = \(Value(kind.rawValue)) AND md5(key) = md5(\(key)) AND key = \(key))"
            if case .articles = lead {
                lead = .label
                joins += " JOIN article_label AS k ON k.article_id = a.id"
                add("k.label_id = " + label)
            } else {
                add("EXISTS (SELECT FROM article_label AS t WHERE t.article_id = a.id AND t.label_id = " + label + ")")
            }
        }
        if let name = query.source {
            let source = Self.source(named: name)
            if case .articles = lead {
                add(isOfAppearances ? "p.source_id" : "a.source_id", is: source)
            } else {
                add(Self.isArticle(in: "= " + source))
            }
        }
        if let tag = query.sourceTag {
            let key = Value(anyText: SearchText.fold(tag))
            add(Self.isArticle(in: "IN (SELECT source_id FROM source_tag WHERE key = \(key))"))
        }
        if let language = query.language {
            add("a.language", is: "\(Value(anyText: LanguageTag.canonical(language)))::text")
        }
        if let since = query.since { add("a.published_at >= \(Value(since.roundedUp))") }
        if let until = query.until { add("a.published_at < \(Value(until.roundedUp))") }
        if let numbers = query.numbers {
            add("a.id >= \(Value(numbers.lowerBound)) AND a.id < \(Value(numbers.upperBound))")
        }
        for criterion in criteria { add(criterion.condition) }
        guard let search = query.search else { return }
        if search.isEmpty { add("false") }
        for filter in search.filters { if let condition = Self.condition(filter) { add(condition) } }
        if !search.terms.isEmpty { joins += " JOIN article_search AS w ON w.article_id = a.id" }
        for choice in search.choices { add(Self.condition(choice, markedBy: query.marks.userID)) }
        if let words = SearchCondition(search) { add(words.condition) }
    }

    private static func condition(_ clause: SearchQuery.Clause, markedBy user: Int64?) -> SQL {
        switch clause {
        case .term(let term): return "(" + SearchCondition(term).condition + ")"
        case .filter(let filter):
            if case .mark(let mark) = filter.condition {
                return SingleMarkCondition(userID: user, mark: mark, isSet: !filter.isExcluded).condition
            }
            return condition(filter) ?? "true"
        case .all(let clauses), .any(let clauses):
            let separator: SQL = if case .all = clause { " AND " } else { " OR " }
            let all = clauses.dropFirst().reduce(condition(clauses[0], markedBy: user)) {
                $0 + separator + condition($1, markedBy: user)
            }
            return "(" + all + ")"
        }
    }

    /// Adds the condition that a column has a value. The column leads the list if nothing else does.
    private mutating func add(_ column: String, is value: SQL) {
        let value = text(value)
        guard case .articles = lead else {
            conditions.append("\(column) = \(value)")
            return
        }
        lead = .column(column, value)
        conditions.append("\(column) >= \(value) AND \(column) <= \(value)")
    }

    /// Returns the condition that a source contains the article.
    ///
    /// - Parameter sources: the comparison with one or several sources.
    private static func isArticle(in sources: SQL) -> SQL {
        "(a.source_id " + sources
            + " OR EXISTS (SELECT FROM article_appearance AS o WHERE o.article_id = a.id AND o.source_id " + sources
            + "))"
    }

    private static func source(named name: String) -> SQL {
        let key = Value(anyText: FoldedKey.fold(name))
        return "(SELECT id FROM source WHERE md5(name_key) = md5(\(key)) AND name_key = \(key))"
    }

    /// Returns the condition of a search; nil for a condition on marks, which is a `MarkCriterion`.
    private static func condition(_ filter: SearchQuery.Filter) -> SQL? {
        let isExcluded = filter.isExcluded
        switch filter.condition {
        case .source(let name):
            let isArticle = isArticle(in: "= " + source(named: name))
            // Without a source of this name, the condition is null.
            return isExcluded ? isArticle + " IS NOT TRUE" : isArticle
        case .language(let tag):
            let tag = Value(anyText: LanguageTag.canonical(tag))
            return isExcluded ? "a.language IS DISTINCT FROM \(tag)" : "a.language = \(tag)"
        case .before(let date):
            let date = Value(date.roundedUp)
            return isExcluded ? "a.published_at >= \(date)" : "a.published_at < \(date)"
        case .after(let date):
            let date = Value(date.roundedUp)
            return isExcluded ? "a.published_at < \(date)" : "a.published_at >= \(date)"
        case .mark: return nil
        }
    }
}

extension SearchCondition.Match {
    /// The condition on the vector `w.words`. The weight is part of the text, because it selects the index.
    fileprivate var condition: SQL {
        let vector: SQL = weight.isEmpty ? "w.words" : SQL(stringLiteral: "ts_filter(w.words, '{\(weight)}')")
        return vector + " @@ \(.text(words))::text::tsquery"
    }
}

extension SearchCondition {
    /// The condition on the words `w` of an article.
    fileprivate var condition: SQL {
        let unwanted = unwanted.map { Value($0) } ?? .null
        return indexCondition + """
             AND (w.gap < \(Value(gap.rawValue))::bigint OR article_parts_match(
                w.article_id, \(.texts(wanted))::text[]::tsquery[], \(unwanted)::text::tsquery))
            """
    }

    /// The part of the condition for which there are indexes.
    fileprivate var indexCondition: SQL {
        var conditions = fields.map { "(" + $0.condition + " OR w.gap = 2)" as SQL }
        if let words { conditions.append(Match(weight: "", words: words).condition) }
        return conditions.dropFirst().reduce(conditions[0]) { $0 + " AND " + $1 }
    }
}

extension SingleMarkCondition {
    /// The marks of the reader, which are few, as rows `m` with an `article_id`; nil for the mark as read.
    fileprivate var rows: SQL? {
        let user = Value(userID)
        switch mark {
        case .read: return nil
        case .starred: return "article_star AS m WHERE m.user_id = \(user)::bigint AND m.is_set"
        case .later: return "article_later AS m WHERE m.user_id = \(user)::bigint AND m.is_set"
        case .hidden: return "article_hidden AS m WHERE m.user_id = \(user)::bigint AND m.is_set"
        case .noted: return "article_note AS m WHERE m.user_id = \(user)::bigint AND m.note IS NOT NULL"
        case .tag(let name):
            let key = Value(anyText: SearchText.fold(name))
            return "article_own_tag AS m WHERE m.user_id = \(user)::bigint AND m.key = \(key) AND m.is_set"
        }
    }

    /// The condition on the marks of the reader of the article `a`.
    fileprivate var condition: SQL {
        if let rows {
            return (isSet ? "EXISTS (SELECT FROM " : "NOT EXISTS (SELECT FROM ") + rows + " AND m.article_id = a.id)"
        }
        let user = Value(userID)
        let said: SQL =
            "(SELECT m.is_set FROM article_read AS m WHERE m.user_id = \(user)::bigint AND m.article_id = a.id)"
        let end: SQL = "coalesce((SELECT read_up_to FROM reader WHERE user_id = \(user)::bigint), 0)"
        return "coalesce(" + said + ", a.id <= " + end + ") = \(Value(isSet))"
    }
}

extension Date {
    /// The first whole second that is not before the date. Stored dates are whole seconds.
    fileprivate var roundedUp: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.up)) }
}

/// A piece of a statement with the values of its parameters. An interpolated value becomes a parameter.
struct SQL: ExpressibleByStringInterpolation {
    enum Piece {
        case text(String)
        case value(Value)
    }

    fileprivate(set) var pieces: [Piece]

    init(stringLiteral text: String) { pieces = [.text(text)] }

    init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ text: String) { pieces.append(.text(text)) }

        mutating func appendInterpolation(_ value: Value) { pieces.append(.value(value)) }
    }

    /// Returns the text, and adds the values of its parameters to `values`.
    func text(binding values: inout [Value]) -> String {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let piece): text += piece
            case .value(let value):
                values.append(value)
                text += "$\(values.count)"
            }
        }
        return text
    }

    static func + (first: SQL, second: SQL) -> SQL {
        var sum = first
        sum.pieces += second.pieces
        return sum
    }
}

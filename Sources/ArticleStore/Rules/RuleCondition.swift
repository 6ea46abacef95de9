import Text

/// The condition of a rule. An article must meet every part that is set.
public struct RuleCondition: Sendable, Hashable {
    /// The maximum number of Unicode scalars in ``address``.
    public static let longestAddress = 500

    /// The source of the article.
    public let source: Source.ID?
    /// The search that finds the article. Its relative dates refer to the day on which the article arrives.
    public let search: SearchQuery?
    /// A part of the address of the original, without regard to case.
    public let address: String?
    /// A pattern in a part of the article.
    public let pattern: RulePattern?

    /// Creates a condition from the texts of a user. An empty text is the same as nil.
    ///
    /// - Throws: ``RuleError``.
    public init(
        source: Source.ID? = nil, search: String? = nil, address: String? = nil, pattern: String? = nil
    ) throws(RuleError) {
        func filled(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
        if let search = filled(search) {
            // Relative dates become longer when the rule is applied.
            let dated = SearchQuery.dated(search, now: Date(timeIntervalSince1970: 0))
            guard [search, dated].allSatisfy({ $0.unicodeScalars.count <= SearchQuery.length }) else {
                throw .longSearch
            }
        }
        let query = filled(search).flatMap { SearchQuery($0) }
        if let part = query?.ignored.first { throw .invalidSearch(part) }
        var list = ArticleQuery()
        list.search = query
        if list.dependsOnMarks { throw .marksInSearch }
        if let address = filled(address) {
            let scalars = address.unicodeScalars
            guard scalars.count <= Self.longestAddress, !scalars.contains(where: { $0.isHarmful || $0 == " " }) else {
                throw .invalidAddress
            }
        }
        var compiled: RulePattern?
        if let pattern = filled(pattern) { compiled = try RulePattern(pattern) }
        guard source != nil || query != nil || filled(address) != nil || compiled != nil else { throw .noCondition }
        (self.source, self.search, self.address, self.pattern) = (source, query, filled(address), compiled)
    }

    /// Creates a condition from its stored form; nil if this version does not know all of it.
    package init?(source: Source.ID?, storedSearch: String?, address: String?, pattern: String?) {
        let known = pattern.map { RulePattern(stored: $0) }
        if case .some(.none) = known { return nil }
        self.source = source
        search = storedSearch.flatMap { SearchQuery($0) }
        (self.address, self.pattern) = (address, known ?? nil)
    }

    /// The name of the source; nil if the condition holds for all sources.
    package func sourceName(among sources: [Source]) -> String? {
        source.flatMap { id in sources.first { $0.id == id }?.name }
    }

    /// The words for the condition, such as `matching “swift”, with “/ads/” in the address`.
    ///
    /// - Parameter source: the name of the source.
    package func words(source: String?) -> String {
        [
            search.map { "matching \($0.description)" }, source.map { "from \($0)" },
            address.map { "with “\($0)” in the address" }, pattern.map { "with the pattern \($0.text)" },
        ].compactMap(\.self).joined(separator: ", ")
    }
}

/// A condition that is ready to examine articles. Use it in one task at a time.
struct RuleExaminer {
    /// Whether an article meets a condition.
    enum Result {
        case isMet, isNotMet
        /// The search for the pattern exceeded the limit of its work.
        case isTooSlow
    }

    private let condition: RuleCondition
    private let search: ArticleWords.Search?
    private let pattern: CompiledPattern?

    /// - Parameter now: the present time, to which relative dates refer.
    /// - Throws: ``RuleError/noPatterns(_:)``, ``RuleError/invalidPattern(_:reason:)``.
    init(_ condition: RuleCondition, now: Date) throws(RuleError) {
        self.condition = condition
        search = condition.search.flatMap { SearchQuery(SearchQuery.dated($0.text, now: now)) }
            .map { ArticleWords.Search($0) }
        var compiled: CompiledPattern?
        if let pattern = condition.pattern { compiled = try CompiledPattern(pattern) }
        pattern = compiled
    }

    /// Whether the condition needs the words of an article.
    var hasSearch: Bool { search != nil }

    /// Examines an article. The cheap parts come first.
    /// - Parameter words: the words of the article, if ``hasSearch``.
    func examine(_ article: Article, _ words: ArticleWords?) -> Result {
        if let source = condition.source, article.source.id != source { return .isNotMet }
        if let address = condition.address {
            guard let url = article.sourceURL, url.lowercased().contains(address.lowercased()) else {
                return .isNotMet
            }
        }
        if let search, words?.meet(search, of: article) != true { return .isNotMet }
        guard let field = condition.pattern?.field, let pattern else { return .isMet }
        var result = Result.isNotMet
        for text in Self.texts(of: field, in: article) {
            switch pattern.search(in: text) {
            case .found: return .isMet
            case .notFound: break
            case .isTooSlow: result = .isTooSlow
            }
        }
        return result
    }

    private static func texts(of field: RulePattern.Field, in article: Article) -> [String] {
        switch field {
        case .title: [IndexedText.plain(article.title)]
        case .author: article.authors
        case .tag: article.tags
        case .address: article.sourceURL.map { [$0] } ?? []
        case .text: [IndexedText.plain(article.summary), IndexedText.plain(article.body, article.format)]
        }
    }
}

package import Text

/// Applies the rules of all users to the articles that have arrived.
package struct RuleApplier: Sendable {
    /// The number of articles to examine before the marks are stored.
    private static let count = 200

    private let articles: any ArticleRepository
    private let marks: any MarkRepository
    private let clock: @Sendable () -> Date

    /// Creates an applier.
    /// - Parameters:
    ///   - articles: the library.
    ///   - marks: the rules and the marks.
    ///   - clock: returns the present time.
    package init(
        articles: any ArticleRepository, marks: any MarkRepository, clock: @escaping @Sendable () -> Date
    ) {
        (self.articles, self.marks, self.clock) = (articles, marks, clock)
    }

    /// Applies the rules to the articles that arrived after the last application.
    ///
    /// The marks have the time of the arrival, and the later change of a mark wins. So a user's own change stays if a rule
    /// is applied late, or twice because a process was killed or another one applies the rules too.
    ///
    /// - Returns: the sum of the numbers of articles that got marks of each user.
    /// - Throws: ``RuleError/noPatterns(_:)``, and the errors of the repositories. The rules are then applied again.
    @discardableResult
    package func apply() async throws -> Int {
        let waiting = try await marks.waitingRules()
        guard let first = waiting.map(\.appliedTo).min() else { return 0 }
        let now = clock()
        var users = try waiting.map { user throws(RuleError) in (user, try Examiners(user.rules, now: now)) }
        let needWords = users.contains { $0.1.needsWords }
        var (after, count) = (first, 0)
        while true {
            var query = ArticleQuery()
            query.numbers = after + 1..<Int64.max
            let numbers = try await articles.numbers(of: query, latestFirst: false, limit: Self.count)
            guard let last = numbers.last else { return count }
            var given: [Int64: [Int64: ArticleMarks]] = [:]
            try await articles.forEach(numbers) { arrived in
                let (article, time) = (arrived.article, arrived.arrival?.date ?? now)
                let words = needWords ? ArticleWords(article) : nil
                for index in users.indices where users[index].0.appliedTo < article.id {
                    try Task.checkCancellation()
                    let rules = users[index].1.rules(for: article, words)
                    if !rules.isEmpty { given[users[index].0.user, default: [:]][article.id] = rules.marks(at: time) }
                }
            }
            for (user, marks) in given {
                // The user's own changes may be older than the arrival, such as those of an export.
                let own = try await self.marks.marks(of: Array(marks.keys), by: user)
                count += try await self.marks.merge(marks.leavingOut(own), by: user, at: now).articles
            }
            try await marks.recordRules(of: waiting.map(\.user), appliedTo: last)
            after = last
        }
    }

    /// The rules of a user, ready to examine articles.
    private struct Examiners {
        /// The number of articles after which a rule is left out whose search exceeds its limit. A slow rule must not delay
        /// those of other users.
        private static let mostTooSlow = 3

        private var all: [(rule: Rule, examiner: RuleExaminer, tooSlow: Int)]

        init(_ rules: [Rule], now: Date) throws(RuleError) {
            var all: [(Rule, RuleExaminer, Int)] = []
            for rule in rules {
                do throws(RuleError) {
                    all.append((rule, try RuleExaminer(rule.condition, now: now), 0))
                } catch {
                    // Another version of the library accepted the pattern. It must not stop the other rules.
                    guard case .invalidPattern = error else { throw error }
                }
            }
            self.all = all
        }

        var needsWords: Bool { all.contains { $0.examiner.hasSearch } }

        /// Returns the rules whose conditions an article meets.
        mutating func rules(for article: Article, _ words: ArticleWords?) -> [Rule] {
            var met: [Rule] = []
            for index in all.indices where all[index].tooSlow < Self.mostTooSlow {
                switch all[index].examiner.examine(article, words) {
                case .isMet: met.append(all[index].rule)
                case .isTooSlow: all[index].tooSlow += 1
                case .isNotMet: break
                }
            }
            return met
        }
    }
}

/// The result of trying a condition on the articles of the library.
package struct RuleTrial: Sendable {
    /// The number of articles on which a condition is tried.
    package static let articles = 500

    /// The number of articles after which a trial ends if the search for the pattern exceeds its limit in each of them.
    fileprivate static let mostTooSlow = 10

    /// The number of examined articles.
    package var examined = 0
    /// The articles that meet the condition, the latest arrival first.
    package var met: [ArticleSummary] = []
    /// The number of articles in which the search for the pattern exceeded the limit of its work. They count as not met.
    package var tooSlow = 0

    /// Creates the result of trying no articles.
    package init() {}

    /// The result in words for the user.
    package var words: String {
        let slow =
            tooSlow > 0 ? " In \(tooSlow.quantity(of: "article")), the pattern exceeds the limit of its time." : ""
        return "The condition meets \(met.count) of the last \(examined.quantity(of: "article")).\(slow)"
    }
}

extension ArticleRepository {
    /// Returns the condition of a rule from the texts of a user.
    ///
    /// - Parameter source: the name of the source.
    /// - Throws: ``RuleError``; ``SourceError/noSource(_:similar:)``; the errors of the repository.
    package func ruleCondition(
        source: String?, search: String?, address: String?, pattern: String?
    ) async throws -> RuleCondition {
        var id: Source.ID?
        if let source { id = try await existingSource(named: source).id }
        return try RuleCondition(source: id, search: search, address: address, pattern: pattern)
    }

    /// Tries a condition on the articles that arrived last: in its source, or in the library.
    ///
    /// - Parameters:
    ///   - condition: the condition.
    ///   - limit: the number of articles.
    ///   - now: the present time.
    /// - Throws: ``RuleError/noPatterns(_:)``, and the errors of the repository.
    package func trial(
        of condition: RuleCondition, onLast limit: Int = RuleTrial.articles, now: Date
    ) async throws -> RuleTrial {
        let examiner = try RuleExaminer(condition, now: now)
        var query = ArticleQuery()
        if condition.source != nil { query.source = condition.sourceName(among: try await sources()) }
        let numbers = try await numbers(of: query, latestFirst: true, limit: limit)
        var trial = RuleTrial()
        try await forEach(numbers) { arrived in
            try Task.checkCancellation()
            guard trial.tooSlow < RuleTrial.mostTooSlow else { return }
            let article = arrived.article
            trial.examined += 1
            switch examiner.examine(article, examiner.hasSearch ? ArticleWords(article) : nil) {
            case .isMet: trial.met.append(ArticleSummary(article))
            case .isTooSlow: trial.tooSlow += 1
            case .isNotMet: break
            }
        }
        return trial
    }

    /// Calls `body` for articles, in this order. Articles that do not exist are omitted. About 4 MiB of texts are read at once.
    fileprivate func forEach(_ ids: [Int64], _ body: (ArrivedArticle) throws -> Void) async throws {
        var rest = ids[...]
        while !rest.isEmpty {
            let batch = try await articles(ids: Array(rest), upTo: 4 << 20)
            guard let last = batch.last else { return }
            for arrived in batch {
                // A rule concerns the source that brought an article, not those in which it appeared later.
                var article = arrived.article
                article.appearances = []
                try body(ArrivedArticle(article, arrival: arrived.arrival))
            }
            rest = rest[((rest.firstIndex(of: last.article.id) ?? rest.endIndex - 1) + 1)...]
        }
    }
}

extension Arrival {
    /// The time, in whole seconds, as marks have it.
    fileprivate var date: Date { Date(timeIntervalSince1970: Double(microseconds / 1_000_000)) }
}

extension [Int64: ArticleMarks] {
    /// Returns the marks without those that the user has changed.
    fileprivate func leavingOut(_ own: [Int64: ArticleMarks]) -> [Int64: ArticleMarks] {
        var rest: [Int64: ArticleMarks] = [:]
        for (article, var marks) in self {
            if let own = own[article] {
                if own.read.changed != nil { marks.read = .init(false) }
                if own.starred.changed != nil { marks.starred = .init(false) }
                if own.later.changed != nil { marks.later = .init(false) }
                if own.hidden.changed != nil { marks.hidden = .init(false) }
                let known = Set((own.tags + own.removedTags).map(\.value))
                marks.tags.removeAll { known.contains($0.value) }
            }
            if !marks.isEmpty { rest[article] = marks }
        }
        return rest
    }
}

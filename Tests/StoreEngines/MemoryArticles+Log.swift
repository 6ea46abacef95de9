public import ArticleStore
import Foundation
import Synchronization

/// The changes of articles and marks in memory.
struct MemoryLog: Sendable {
    /// Numbers by their last change.
    struct Numbers: Sendable {
        private(set) var last: Int64 = 0
        private var sequences: [Int64: Int64] = [:]

        mutating func note(_ number: Int64) {
            last += 1
            sequences[number] = last
        }

        func after(_ position: Int64) -> [(sequence: Int64, number: Int64)] {
            sequences.filter { $0.value > position }.map { ($0.value, $0.key) }.sorted { $0.0 < $1.0 }
        }
    }

    private(set) var arrivals: [Int64: Int64] = [:]
    private(set) var articles = Numbers()
    private(set) var marks: [Int64: Numbers] = [:]

    mutating func note(_ before: [Int64: Article], _ after: [Int64: Article], at time: Date) {
        let lastTime = arrivals.values.max() ?? .min
        let new = after.keys.filter { before[$0] == nil }.sorted()
        for (index, number) in new.enumerated() {
            arrivals[number] = max(Arrival(time).microseconds, lastTime &+ 1) + Int64(index)
        }
        for (number, article) in before where after[number] != article { articles.note(number) }
    }

    mutating func note(_ before: [Int64: ArticleMarks], _ after: [Int64: ArticleMarks], of user: Int64) {
        for (number, marked) in after where before[number] != marked { marks[user, default: Numbers()].note(number) }
    }
}

extension MemoryArticles: ArticleLog {
    /// Returns the arrival times of articles. See `ArticleLog`.
    public func arrivals(of articles: [Int64]) async throws -> [Int64: Arrival] {
        let known = log.withLock(\.arrivals)
        return Dictionary(
            articles.compactMap { number in known[number].map { (number, Arrival(microseconds: $0)) } }
        ) { first, _ in first }
    }

    /// Returns the lowest number of an article that arrived at a time or later. See `ArticleLog`.
    public func firstArticle(since time: Arrival) async throws -> Int64 {
        (log.withLock(\.arrivals).filter { $0.value < time.microseconds }.keys.max() ?? 0) + 1
    }

    /// Returns the changes of articles. See `ArticleLog`.
    public func changes(after position: LogPosition?, limit: Int) async throws -> ArticleChanges {
        // The log first: a change in the meantime then belongs to a later position.
        let changed = log.withLock(\.articles)
        let (limit, everything) = (ArticlePage.size(limit), everything)
        guard position.map({ $0.copy == "memory" && $0.change <= changed.last }) ?? true else {
            throw ArticleLogError.anotherLibrary
        }
        var (article, change) = (position?.article ?? 0, position?.change ?? changed.last)
        var found = ArticleChanges(position: LogPosition(copy: "memory", article: article, change: change))
        var rest = limit
        for next in changed.after(change) {
            guard rest > 0 else { break }
            if next.number <= article {
                if let now = everything[next.number] {
                    found.articles.append(now)
                } else {
                    found.gone.append(next.number)
                }
                rest -= 1
            }
            change = next.sequence
        }
        for number in everything.keys.sorted() where number > article && rest > 0 {
            found.articles += everything[number].map { [$0] } ?? []
            article = number
            rest -= 1
        }
        found.position = LogPosition(copy: "memory", article: article, change: change)
        found.goesOn = !changed.after(change).isEmpty || everything.keys.contains { $0 > article }
        return found
    }
}

extension MemoryArticles: MarkLog {
    /// Returns the marks that a user changed. See `MarkLog`.
    public func changes(of user: Int64, after position: Int64, limit: Int) async throws -> MarkChanges {
        let rows = log.withLock { $0.marks[user]?.after(position) ?? [] }
        let known = rows.prefix(ArticlePage.size(limit))
        var changes = MarkChanges(position: known.last?.sequence ?? position)
        changes.marks = try await marks(of: known.map(\.number), by: user)
        changes.goesOn = rows.count > known.count
        return changes
    }
}

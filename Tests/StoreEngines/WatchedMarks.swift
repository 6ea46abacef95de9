package import ArticleStore
package import Foundation

/// Marks whose calls a test can count, hold, or let fail.
package struct WatchedMarks: MarkRepository, MarkLog {
    /// A method of the marks, by whether it reads marks of articles, changes marks, or returns something else.
    package enum Call: Sendable { case marks, change, other }

    private let store: any MarkRepository & MarkLog
    private let before: @Sendable (Call) async throws -> Void
    private let after: @Sendable (Call) async throws -> Void

    /// Creates marks that forward each call.
    ///
    /// - Parameters:
    ///   - store: The marks that get the calls.
    ///   - before: Called before each call. If it throws, the call fails.
    ///   - after: Called after each call that did not fail.
    package init(
        _ store: any MarkRepository & MarkLog, before: @escaping @Sendable (Call) async throws -> Void = { _ in },
        after: @escaping @Sendable (Call) async throws -> Void = { _ in }
    ) {
        (self.store, self.before, self.after) = (store, before, after)
    }

    private func watched<T>(_ call: Call = .other, _ body: () async throws -> T) async throws -> T {
        try await before(call)
        let result = try await body()
        try await after(call)
        return result
    }
}

extension WatchedMarks {
    package func marks(of articles: [Int64], by user: Int64) async throws -> [Int64: ArticleMarks] {
        try await watched(.marks) { try await store.marks(of: articles, by: user) }
    }

    package func markedArticles(by user: Int64, after article: Int64, limit: Int) async throws -> [Int64] {
        try await watched { try await store.markedArticles(by: user, after: article, limit: limit) }
    }

    package func change(
        _ changes: [MarkChange], of articles: ArticleSelection, by user: Int64, at time: Date
    ) async throws -> Int {
        try await watched(.change) { try await store.change(changes, of: articles, by: user, at: time) }
    }

    package func change(
        _ article: Int64, by user: Int64, at time: Date, as changes: (ArticleMarks) throws -> [MarkChange]
    ) async throws -> Int {
        try await watched(.change) { try await store.change(article, by: user, at: time, as: changes) }
    }

    package func merge(_ marks: [Int64: ArticleMarks], by user: Int64, at now: Date) async throws -> MarkMerge {
        try await watched(.change) { try await store.merge(marks, by: user, at: now) }
    }

    package func counts(of user: Int64) async throws -> MarkCounts {
        try await watched { try await store.counts(of: user) }
    }

    package func tagProgress(of user: Int64) async throws -> [TagProgress] {
        try await watched { try await store.tagProgress(of: user) }
    }

    package func readCounts(of user: Int64) async throws -> ReadCounts {
        try await watched { try await store.readCounts(of: user) }
    }

    package func readDays(of user: Int64) async throws -> [Int: Int] {
        try await watched { try await store.readDays(of: user) }
    }

    package func savedSearches(of user: Int64) async throws -> [SavedSearch] {
        try await watched { try await store.savedSearches(of: user) }
    }

    package func save(_ search: SavedSearch, of user: Int64) async throws -> Bool {
        try await watched(.change) { try await store.save(search, of: user) }
    }

    package func renameSavedSearch(_ old: TagName, to new: TagName, of user: Int64) async throws -> Bool {
        try await watched(.change) { try await store.renameSavedSearch(old, to: new, of: user) }
    }

    package func removeSavedSearch(_ name: TagName, of user: Int64) async throws -> Bool {
        try await watched(.change) { try await store.removeSavedSearch(name, of: user) }
    }

    package func rules(of user: Int64) async throws -> [Rule] { try await watched { try await store.rules(of: user) } }

    package func save(_ rule: Rule, replacing old: TagName?, of user: Int64) async throws -> Bool {
        try await watched(.change) { try await store.save(rule, replacing: old, of: user) }
    }

    package func removeRule(_ name: TagName, of user: Int64) async throws -> Bool {
        try await watched(.change) { try await store.removeRule(name, of: user) }
    }

    package func waitingRules() async throws -> [UserRules] { try await watched { try await store.waitingRules() } }

    package func recordRules(of users: [Int64], appliedTo article: Int64) async throws {
        try await watched(.change) { try await store.recordRules(of: users, appliedTo: article) }
    }

    package func changes(of user: Int64, after position: Int64, limit: Int) async throws -> MarkChanges {
        try await watched { try await store.changes(of: user, after: position, limit: limit) }
    }
}

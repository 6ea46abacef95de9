import Database
import Text
import ArticleStore
import Synchronization

/// Marks that another caller changes once, as late as possible: after the read, before the change.
final class MeanwhileMarks: MarkRepository {
    private let marks: any MarkRepository
    private let meanwhile = Mutex<(@Sendable (any MarkRepository) async throws -> Void)?>(nil)

    init(_ marks: any MarkRepository) { self.marks = marks }

    /// Makes the change happen once.
    func happens(_ body: @escaping @Sendable (any MarkRepository) async throws -> Void) {
        meanwhile.withLock { $0 = body }
    }

    private func happen() async throws {
        let body = meanwhile.withLock { body in
            defer { body = nil }
            return body
        }
        try await body?(marks)
    }

    func marks(of articles: [Int64], by user: Int64) async throws -> [Int64: ArticleMarks] {
        let found = try await marks.marks(of: articles, by: user)
        try await happen()
        return found
    }
    func markedArticles(by user: Int64, after article: Int64, limit: Int) async throws -> [Int64] {
        try await marks.markedArticles(by: user, after: article, limit: limit)
    }
    func change(_ changes: [MarkChange], of articles: ArticleSelection, by user: Int64, at time: Date) async throws
        -> Int
    {
        try await happen()
        return try await marks.change(changes, of: articles, by: user, at: time)
    }
    func change(
        _ article: Int64, by user: Int64, at time: Date, as changes: (ArticleMarks) throws -> [MarkChange]
    ) async throws -> Int {
        try await happen()
        return try await marks.change(article, by: user, at: time, as: changes)
    }
    func merge(_ others: [Int64: ArticleMarks], by user: Int64, at now: Date) async throws -> MarkMerge {
        try await marks.merge(others, by: user, at: now)
    }
    func counts(of user: Int64) async throws -> MarkCounts { try await marks.counts(of: user) }
    func tagProgress(of user: Int64) async throws -> [TagProgress] { try await marks.tagProgress(of: user) }
    func readCounts(of user: Int64) async throws -> ReadCounts { try await marks.readCounts(of: user) }
    func readDays(of user: Int64) async throws -> [Int: Int] { try await marks.readDays(of: user) }
}

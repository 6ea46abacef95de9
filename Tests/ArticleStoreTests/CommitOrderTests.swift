import ArticleStore
import AuthService
import Foundation
import StoreEngines
import Synchronization
import Testing
import Text

@Suite("Numbers that clients follow")
struct CommitOrderTests {
    private static let time = Date(timeIntervalSince1970: 1_700_000_000)

    private static func draft(_ name: String, _ number: Int, _ body: String = "Text.") -> ArticleDraft {
        ArticleDraft(key: ExactText("\(name) \(number)"), title: "\(name) \(number)", body: body)
    }

    /// Each of two writers adds, changes, and marks articles.
    private static func work(_ stores: Stores, _ name: String, user: Int64) async throws {
        for number in 1...20 {
            let ids = try await stores.articles.upsert([draft(name, number), draft(name, 100 + number)]).map(\.id)
            try await stores.marks.change(.starred(true), of: .ids(ids), by: user, at: time)
            try await stores.articles.upsert(draft(name, number, "Another text."))
        }
    }

    private final class Writers: Sendable {
        let running = Atomic(2)
    }

    /// The articles of the changes, each with its last body, and their marks.
    private struct Follower {
        var bodies: [Int64: String] = [:]
        var starred: Set<Int64> = []
        private var position: LogPosition?
        private var markPosition: Int64 = 0

        mutating func follow(_ stores: Stores, _ user: Int64) async throws {
            var (isEnd, areMarksAtEnd) = (false, false)
            while !isEnd || !areMarksAtEnd {
                let marks = try await stores.marks.changes(of: user, after: markPosition, limit: 7)
                #expect(marks.position >= markPosition)
                markPosition = marks.position
                starred.formUnion(marks.marks.filter(\.value.starred.value).keys)
                let changes = try await stores.articles.changes(after: position, limit: 7)
                position = changes.position
                for article in changes.articles { bodies[article.id] = article.body }
                (isEnd, areMarksAtEnd) = (!changes.goesOn, !marks.goesOn)
            }
        }
    }

    @Test("A client that follows two writers misses no article, change, or mark", arguments: StoreEngine.allCases)
    func follow(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.user("ada").id
        let writers = Writers()
        let follower = try await withThrowingTaskGroup(of: Follower?.self) { group in
            for name in ["one", "two"] {
                group.addTask {
                    defer { writers.running.subtract(1, ordering: .sequentiallyConsistent) }
                    try await Self.work(stores, name, user: user)
                    return nil
                }
            }
            group.addTask {
                var follower = Follower()
                while writers.running.load(ordering: .sequentiallyConsistent) > 0 {
                    try await follower.follow(stores, user)
                    await Task.yield()
                }
                try await follower.follow(stores, user)
                return follower
            }
            var follower: Follower?
            for try await result in group { follower = result ?? follower }
            return try #require(follower)
        }
        let ids = try await stores.articles.list(ArticleQuery(), after: nil, limit: 1000).summaries.map(\.id)
        #expect(ids.count == 80 && Set(follower.bodies.keys) == Set(ids) && follower.starred == Set(ids))
        #expect(follower.bodies.values.count { $0 == "Another text." } == 40)
        let arrivals = try await stores.articles.arrivals(of: ids)
        #expect(ids.sorted().compactMap { arrivals[$0] } == arrivals.values.sorted())
    }

    @Test("Marking all articles as read covers only articles that are visible", arguments: StoreEngine.allCases)
    func allRead(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.user("ada").id
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["one", "two"] {
                group.addTask { try await Self.work(stores, name, user: user) }
            }
            group.addTask {
                for _ in 1...20 {
                    try await stores.marks.change(.read(true), of: .all, by: user, at: Self.time)
                    let upTo = try await stores.marks.changes(of: user, after: 0, limit: 1).allRead?.upTo ?? 0
                    func visible() async throws -> [Int64] {
                        var query = ArticleQuery()
                        query.numbers = 0..<(upTo + 1)
                        return try await stores.articles.numbers(of: query, latestFirst: false, limit: 1000)
                    }
                    let before = try await visible()
                    await Task.yield()
                    #expect(try await visible() == before)
                }
            }
            try await group.waitForAll()
        }
    }
}

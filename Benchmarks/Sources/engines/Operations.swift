import ArticleStore
import AuthService
import Foundation
import LibraryStores

/// Single operations of a reader on each engine, and the same by sixteen readers at once.
enum Operations {
    /// An operation. The number differs with each call.
    typealias Call = @Sendable (Int) async throws -> Void

    static func measure(_ engines: [Engine], for time: Duration) async throws {
        var contests: [[(name: String, call: Call)]] = []
        for engine in engines { contests.append(try await calls(on: engine.stores)) }
        print("one at a time".column(24), "SQLite p50,     99 %     PostgreSQL p50,     99 %    ratio of p50")
        for index in contests[0].indices {
            let times = try await latencies(contests.map { $0[index].call }, for: time)
            print(
                contests[0][index].name.column(24),
                String(
                    format: "%8.3f ms %8.3f ms    %8.3f ms %8.3f ms   %8.2f", times[0].percentile(50),
                    times[0].percentile(99), times[1].percentile(50), times[1].percentile(99),
                    times[1].percentile(50) / times[0].percentile(50)))
            fflush(nil)
        }
        print()
        print("sixteen at once".column(24), "SQLite      PostgreSQL   ratio")
        for index in contests[0].indices {
            var rates: [Double] = []
            for contest in contests { rates.append(try await rate(contest[index].call, for: time)) }
            print(
                contests[0][index].name.column(24),
                String(format: "%8.0f/s  %8.0f/s   %6.2f", rates[0], rates[1], rates[1] / rates[0]))
            fflush(nil)
        }
    }

    private static func latencies(_ calls: [Call], for time: Duration) async throws -> [Times] {
        let clock = ContinuousClock()
        var times = calls.map { _ in Times() }
        let end = clock.now + time * calls.count
        var number = 0
        repeat {
            // The engines take turns, so that other work of the machine affects both alike.
            for (index, call) in calls.enumerated() {
                for turn in number..<number + 10 {
                    let start = clock.now
                    try await call(turn)
                    times[index].add(clock.now - start)
                }
            }
            number += 10
        } while clock.now < end
        return times
    }

    private static func rate(_ call: @escaping Call, for time: Duration) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for reader in 0..<Readers.count {
                group.addTask {
                    var count = 0
                    while clock.now - start < time {
                        try await call(count * Readers.count + reader)
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / ((clock.now - start) / .seconds(1))
    }

    private static func calls(on stores: Stores) async throws -> [(name: String, call: Call)] {
        let (articles, marks) = (stores.articles, stores.marks)
        let auth = AuthService(store: stores.accounts)
        let total = try await articles.count(ArticleQuery())
        var (readers, tokens): ([Int64], [SessionToken]) = ([], [])
        for number in 0..<Readers.count {
            let session = try await auth.logIn(
                username: Readers.name(number), password: Readers.password, client: "engines", from: Origin("bench")
            ).newSession
            readers.append(session.session.user.id)
            tokens.append(session.token)
        }
        let (users, sessions) = (readers, tokens)
        let summaries = try await articles.list(ArticleQuery(), after: nil, limit: 1000).summaries
        let (slugs, shown) = (summaries.map(\.slug), summaries.prefix(50).map(\.id))
        @Sendable func id(_ number: Int) -> Int64 { Int64(number &* 7_919 % total) + 1 }
        @Sendable func reader(_ number: Int) -> Int64 { users[number % users.count] }
        func list(_ query: ArticleQuery) -> Call {
            { _ in _ = try await articles.list(query, after: nil, limit: 50) }
        }
        func list(_ condition: MarkCondition) -> Call {
            {
                let query = ArticleQuery(marks: condition.of(reader($0)))
                _ = try await articles.list(query, after: nil, limit: 50)
            }
        }
        return [
            ("article by number", { _ = try await articles.article(id: id($0)) }),
            ("article by slug", { _ = try await articles.article(slug: slugs[$0 % slugs.count]) }),
            ("token", { _ = try await auth.currentSession(token: sessions[$0 % sessions.count]) }),
            ("list, newest", list(ArticleQuery())),
            ("list, by title", list(ArticleQuery(sort: .title))),
            ("list, language", list(ArticleQuery(language: "en"))),
            ("list, source", list(ArticleQuery(source: summaries[0].source))),
            ("list, author", list(ArticleQuery(author: summaries[0].authors.first))),
            ("list, tag", list(ArticleQuery(tag: "t7"))),
            ("list, since", list(ArticleQuery(since: summaries[summaries.count - 1].published))),
            ("list, unread", list(MarkCondition(isRead: false))),
            ("list, starred", list(MarkCondition(isStarred: true))),
            ("marks of 50", { _ = try await marks.marks(of: shown, by: reader($0)) }),
            ("counts of marks", { _ = try await marks.counts(of: reader($0)) }),
            ("counts of sources, labels", { _ = try await marks.readCounts(of: reader($0)) }),
            ("count of a language", { _ in _ = try await articles.count(ArticleQuery(language: "en")) }),
            ("mark as read, unread", { try await change(.read($0 / 16 % 2 == 0), $0) }),
            ("star, unstar", { try await change(.starred($0 / 16 % 2 == 0), $0) }),
        ]
        @Sendable func change(_ change: MarkChange, _ number: Int) async throws {
            try await marks.change(change, of: .ids([id(number)]), by: reader(number), at: Date())
        }
    }
}

import LibraryStores
import ArticleStore
import AuthService
import CFloor
import Database
import Foundation
import Migrations

/// Measures the stores in one process. Each operation alternates with the same statement in C on the same file:
///
///     reading DATABASE [ROUNDS] [OPERATION [store|floor]]
///
/// Other work of the machine affects both in the same way. If an operation is given, it is only repeated and not
/// measured, for use with a profiler.
@main
struct Reading {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            print("usage: reading DATABASE [ROUNDS] [OPERATION [store|floor]]")
            exit(64)
        }
        let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 300 : 300
        let contests = try await contests(path: arguments[1])
        if arguments.count > 3 {
            guard let contest = contests.first(where: { $0.name == arguments[3] }) else { exit(64) }
            let isFloor = arguments.count > 4 && arguments[4] == "floor"
            for round in 0..<rounds {
                if isFloor { _ = contest.floor(round) } else { _ = try await contest.store(round) }
            }
            return
        }
        print("operation                store: median, least        floor: median, least     ratio: medians, leasts")
        for contest in contests { try await run(contest, rounds: rounds) }
    }

    /// The same work, done by the store and in C. The number selects the data to read.
    struct Contest {
        let name: String
        /// The number of repetitions in a round.
        let count: Int
        let store: (Int) async throws -> Int
        let floor: (Int) -> Int64
    }

    static func run(_ contest: Contest, rounds: Int) async throws {
        var (store, floor): ([Double], [Double]) = ([], [])
        var number = 0
        for round in 0..<rounds {
            for isStore in round.isMultiple(of: 2) ? [true, false] : [false, true] {
                let clock = ContinuousClock()
                let start = clock.now
                for offset in 0..<contest.count {
                    if isStore {
                        _ = try await contest.store(number + offset)
                    } else {
                        _ = contest.floor(number + offset)
                    }
                }
                let time = (clock.now - start) / .nanoseconds(1) / Double(contest.count) / 1000
                if isStore { store.append(time) } else { floor.append(time) }
            }
            number += contest.count
        }
        store.sort()
        floor.sort()
        let values = [store[rounds / 2], store[0], floor[rounds / 2], floor[0]]
        let ratios = [values[0] / values[2], values[1] / values[3]]
        print(
            contest.name.padding(toLength: 24, withPad: " ", startingAt: 0),
            values.map { String(format: "%8.2f µs", $0) }.joined(separator: " "),
            ratios.map { String(format: "%8.2f", $0) }.joined(separator: " "))
    }

    static func contests(path: String) async throws -> [Contest] {
        let database = try Database(path: path, schema: .articlesctl)
        let stores = try await Stores.open(.file(path))
        let articles = stores.articles
        guard let floor = floor_open(path) else { exit(1) }
        let total = Int(floor_count(floor))
        var generator = SystemRandomNumberGenerator()
        let ids = (0..<10_000).map { _ in Int64.random(in: 1...Int64(total), using: &generator) }
        let slugs = ids.map { id in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { slug -> String in
                guard let start = slug.baseAddress else { return "" }
                floor_slug_of(floor, id, start)
                return String(cString: start)
            }
        }
        let query = ArticleQuery()
        let places = (0..<200).map { _ in
            var id: Int64 = 0
            let published = floor_place(floor, Int64.random(in: 0..<Int64(total - 60), using: &generator), &id)
            return (published: published, id: id)
        }
        let cursors = places.map { place in
            Cursor(
                after: .date(Date(timeIntervalSince1970: Double(place.published)), id: place.id), in: query)
        }

        let auth = AuthService(store: stores.accounts)
        let password = Password("a passphrase for one measurement")
        let origin = Origin("bench")
        _ = try? await auth.register(
            username: Username("bench"), password: password, region: Region("SE"), from: origin)
        let token = try await auth.logIn(
            username: "bench", password: password, client: "reading", from: origin
        ).newSession.token
        let session = token.sessionID.description
        let encoded = token.text.split(separator: ".")[1].replacing("-", with: "+").replacing("_", with: "/") + "="
        let secret = [UInt8](Data(base64Encoded: String(encoded)) ?? Data())
        guard floor_token(floor, session, secret) > 0 else { exit(1) }

        return [
            Contest(
                name: "page", count: 20,
                store: { _ in try await articles.list(query, after: nil, limit: 50).summaries.count },
                floor: { _ in floor_list(floor, 0, 0) }),
            Contest(
                name: "page-somewhere", count: 20,
                store: { try await articles.list(query, after: cursors[$0 % 200], limit: 50).summaries.count },
                floor: { floor_list(floor, places[$0 % 200].published, places[$0 % 200].id) }),
            Contest(
                name: "count", count: 20, store: { _ in try await articles.count(query) },
                floor: { _ in floor_count(floor) }),
            Contest(
                name: "article", count: 100,
                store: { try await articles.article(id: ids[$0 % 10_000])?.body.utf8.count ?? 0 },
                floor: { floor_article(floor, ids[$0 % 10_000]) }),
            Contest(
                name: "article-again", count: 100,
                store: { _ in try await articles.article(id: ids[0])?.body.utf8.count ?? 0 },
                floor: { _ in floor_article(floor, ids[0]) }),
            Contest(
                name: "slug", count: 100,
                store: { try await articles.article(slug: slugs[$0 % 10_000])?.body.utf8.count ?? 0 },
                floor: { floor_slug(floor, slugs[$0 % 10_000]) }),
            Contest(
                name: "token", count: 100, store: { _ in try await auth.currentSession(token: token) == nil ? 0 : 1 },
                floor: { _ in floor_token(floor, session, secret) }),
        ]
    }
}

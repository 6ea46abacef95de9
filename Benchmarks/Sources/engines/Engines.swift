import ArticleStore
import AuthService
import Corpus
import Foundation
import LibraryStores

/// Measures a library in a file and a library on a PostgreSQL server in one process and in turn:
///
///     engines write FOLDER ARTICLES [FIRST]   write JSON Lines for an import, in twenty files
///     engines import ARTICLES PLACE...        import articles that are in memory, until searches find them
///     engines mark PLACE...                   add sixteen readers with marks to each library
///     engines operations FILE URL [SECONDS]   measure single operations, and operations of sixteen readers at once
///     engines search FILE URL [ROUNDS]        measure searches
@main
struct Engines {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        func number(_ index: Int, _ standard: Int) -> Int {
            arguments.count > index ? Int(arguments[index]) ?? standard : standard
        }
        switch (arguments.first, arguments.count) {
        case ("write", 3...): try write(number(2, 1000), from: number(3, 0), into: arguments[1])
        case ("import", 3...):
            for place in arguments.dropFirst(2) { try await importArticles(number(1, 1000), into: StorePlace(place)) }
        case ("mark", 2...):
            for place in arguments.dropFirst() { try await Readers.addMarks(to: Stores.open(StorePlace(place))) }
        case ("operations", 3...):
            try await Operations.measure(try await open(arguments), for: .seconds(number(3, 1)))
        case ("search", 3...): try await Searches.measure(try await open(arguments), rounds: number(3, 3))
        default:
            print("usage: engines write FOLDER ARTICLES | import ARTICLES PLACE... | mark PLACE...")
            print("       engines operations FILE URL | search FILE URL")
            exit(64)
        }
    }

    /// Opens both libraries as the server opens them.
    static func open(_ arguments: [String]) async throws -> [Engine] {
        var engines: [Engine] = []
        for (name, place) in zip(["SQLite", "PostgreSQL"], arguments[1...2]) {
            engines.append(Engine(name: name, stores: try await Stores.open(StorePlace(place))))
        }
        return engines
    }

    static func importArticles(_ count: Int, into place: StorePlace) async throws {
        try await Stores.migrate(place)
        let articles = try await Stores.open(place).articles
        var words = Words(seed: 1)
        let drafts = (0..<count).map { Corpus.draft($0, &words) }
        let time = try await ContinuousClock().measure {
            try await articles.upsert(drafts, into: SourceFacts(name: "bench", kind: .stream))
            while try await articles.advanceSearch() > 0 {}
        }
        let seconds = time / .seconds(1)
        print(String(format: "%d articles in %.1f s, %.0f/s", count, seconds, Double(count) / seconds))
    }

    static func write(_ count: Int, from first: Int, into folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var words = Words(seed: UInt64(1 + first))
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        for part in 0..<20 {
            var data = Data()
            for number in stride(from: first + part, to: first + count, by: 20) {
                data += try encoder.encode(Record(Corpus.draft(number, &words)))
                data.append(UInt8(ascii: "\n"))
            }
            try data.write(to: URL(filePath: folder + "/source\(part).jsonl"))
        }
    }

    /// An article as a line of a file.
    private struct Record: Encodable {
        let slug, title, author, language, body: String
        let date: Date
        let tags: [String]

        init(_ draft: ArticleDraft) {
            (slug, title, body, tags) = (draft.slug, draft.title, draft.body, draft.tags)
            (author, language) = (draft.authors[0], draft.language ?? "")
            date = draft.published ?? Date(timeIntervalSince1970: 0)
        }
    }
}

struct Engine: Sendable {
    let name: String
    let stores: Stores
}

/// Sixteen readers. Each has read a third of the articles, one by one, and starred one in two hundred.
enum Readers {
    static let count = 16
    static let password = Password("a passphrase for one measurement")

    static func name(_ number: Int) -> String { "reader\(number)" }

    static func addMarks(to stores: Stores) async throws {
        let auth = AuthService(store: stores.accounts)
        let ids = 1...Int64(try await stores.articles.count(ArticleQuery()))
        for number in 0..<count {
            let user = try await auth.register(
                username: Username(name(number)), password: password, region: Region("SE"), from: Origin("bench"))
            let now = Date()
            for (change, every) in [(MarkChange.read(true), Int64(3)), (.starred(true), 200)] {
                let marked = ids.filter { (($0 &* 2_654_435_761) >> 7) % every == Int64(number) % every }
                try await stores.marks.change(change, of: .ids(marked), by: user.id, at: now)
            }
        }
    }
}

/// The times of an operation.
struct Times {
    private(set) var milliseconds: [Double] = []

    mutating func add(_ duration: Duration) { milliseconds.append(duration / .milliseconds(1)) }

    func percentile(_ percent: Int) -> Double {
        let sorted = milliseconds.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
    }
}

extension String {
    func column(_ width: Int) -> String { padding(toLength: width, withPad: " ", startingAt: 0) }
}

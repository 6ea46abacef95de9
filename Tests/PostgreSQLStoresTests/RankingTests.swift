import ArticleImporting
import ArticleStore
import Foundation
import PostgreSQLStores
import StoreEngines
import TestSupport
import Testing
import Text

/// Posts of a real blog, which are beside the package in development.
private let swiftPosts = "../shared/data/swift-org-posts"

@Suite("The order of a search by relevance on PostgreSQL", .withServer)
struct RankingTests {
    /// The same library in a file and on a server.
    private struct Libraries {
        let file: Stores
        let server: Stores

        init() async throws {
            (file, server) = (try await StoreEngine.sqlite.open(), try await StoreEngine.postgresql.open())
        }

        func write(_ body: (any ArticleRepository) async throws -> Void) async throws {
            for stores in [file, server] {
                try await body(stores.articles)
                while try await stores.articles.advanceSearch() > 0 {}
            }
        }

        /// Returns the first ten articles of a search with their scores, from the file and from the server.
        func first(_ text: String) async throws -> [[(slug: String, score: Double)]] {
            var lists: [[(slug: String, score: Double)]] = []
            for stores in [file, server] {
                let page = try await stores.articles.list(
                    ArticleQuery(text: text, sort: .relevance), after: nil, limit: 10)
                lists.append(page.summaries.map { ($0.slug, $0.found?.score ?? 0) })
            }
            return lists
        }

        func compare(_ text: String) async throws {
            let lists = try await first(text)
            #expect(lists[0].map(\.slug) == lists[1].map(\.slug), "\(text)")
            for (file, server) in zip(lists[0], lists[1]) {
                #expect(abs(file.score - server.score) < 1e-9, "\(text): \(file) \(server)")
            }
        }
    }

    @Test(
        "The first ten articles of generated texts are those of a file, with the same scores", .timeLimit(.minutes(30)))
    func generated() async throws {
        let libraries = try await Libraries()
        var random = SeededGenerator(seed: 7)
        let words = [
            "the", "server", "servers", "serving", "Haus", "Häuser", "kernel", "C++", "pages", "key", "keyset", "新聞",
            "東京", "東京都", "naïve", "e-mail", "don't", "3.5", "swift",
        ]
        func text(_ count: Int) -> String {
            // The first words are the most frequent ones.
            (0..<count).map { _ in
                words[
                    min(
                        Int.random(in: 0..<words.count, using: &random), Int.random(in: 0..<words.count, using: &random)
                    )]
            }.joined(separator: " ")
        }
        let drafts = (0..<90).map { number in
            ArticleDraft(
                slug: "article-\(number)", title: text(4), authors: number % 3 == 0 ? [text(2)] : [],
                summary: number % 2 == 0 ? text(9) : "", body: text(Int.random(in: 1...300, using: &random)),
                language: ["en", "de", nil][number % 3], tags: number % 4 == 0 ? [text(1), "kernel"] : [])
        }
        try await libraries.write { try await $0.upsert(drafts) }
        for search in words.map({ $0 }) + [
            "the server", "\"the server\"", "server*", "se*", "title:kernel the", "author:swift", "tag:kernel",
            "tag:kernel key",
            "key OR keyset", "key OR \"the kernel\" pages", "the -swift", "東", "東京 新聞", "keyset pages swift",
            "title:serv* the",
            "servers OR häuser", "c++ key", "the the",
        ] {
            try await libraries.compare(search)
        }
    }

    @Test(
        "The first ten articles of real posts are those of a file, with the same scores",
        .enabled(if: FileManager.default.fileExists(atPath: swiftPosts)), .timeLimit(.minutes(30)))
    func posts() async throws {
        let libraries = try await Libraries()
        try await libraries.write { repository in
            _ = try await ArticleImporter(repository: repository).run([.path(swiftPosts)])
        }
        for search in [
            "swift", "concurrency", "server", "swift server", "package manager", "\"swift 5.5\"",
            "release OR toolchain",
            "linux -windows", "title:swift community", "tag:community", "async await", "evolution proposal",
            "memory safety",
            "conc*", "windows", "the", "what is new in swift", "diversity", "\"open source\" community", "json",
        ] {
            try await libraries.compare(search)
        }
    }
}

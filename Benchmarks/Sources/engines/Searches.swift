import ArticleStore
import Corpus
import Foundation

/// Searches of twenty results: the same queries on each engine, in turn.
enum Searches {
    static func measure(_ engines: [Engine], rounds: Int) async throws {
        print(
            "search of 20".column(24),
            "SQLite p50,      99 %    PostgreSQL p50,      99 %   ratio of p50   same results")
        let clock = ContinuousClock()
        for kind in SearchKind.all() {
            var times = engines.map { _ in Times() }
            var same = 0
            for round in 0..<rounds {
                for (query, _) in kind.queries {
                    var found: [[Int64]] = []
                    for (index, engine) in engines.enumerated() {
                        let start = clock.now
                        let page = try await engine.stores.articles.list(query, after: nil, limit: 20)
                        times[index].add(clock.now - start)
                        found.append(page.summaries.map(\.id))
                    }
                    if round == 0, Set(found[0]) == Set(found[1]) { same += 1 }
                }
            }
            print(
                kind.name.column(24),
                String(
                    format: "%8.2f ms %8.2f ms   %8.2f ms %8.2f ms   %8.2f", times[0].percentile(50),
                    times[0].percentile(99), times[1].percentile(50), times[1].percentile(99),
                    times[1].percentile(50) / times[0].percentile(50)),
                "        \(same) of \(kind.queries.count)")
            fflush(nil)
        }
    }
}

import LibraryStores
import ArticleStore
import Database
import Foundation
import Migrations

/// Measures searches in one process, each next to plain FTS5 on the same index:
///
///     searching DATABASE ARTICLES [ROUNDS [KIND]]
///
/// If the database does not exist, it is created with articles of 4 KB. Their words have the frequencies of a natural
/// language (Zipf), and one in a hundred is Chinese. The program then also prints the time of the creation, with and
/// without the index.
@main
struct Searching {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let count = Int(arguments[2]) else {
            print("usage: searching DATABASE ARTICLES [ROUNDS [KIND]]")
            exit(64)
        }
        let isNew = !FileManager.default.fileExists(atPath: arguments[1])
        if isNew { _ = try Migrator(path: arguments[1], schema: .articlesctl).migrate(backup: false) }
        let database = try Database(path: arguments[1], schema: .articlesctl)
        let articles = try await Stores.open(.file(arguments[1])).articles
        var words = Words(seed: 1)
        if isNew { try await make(count, in: articles, &words) }
        let rounds = arguments.count > 3 ? Int(arguments[3]) ?? 3 : 3
        let kinds = Self.kinds().filter { arguments.count < 5 || $0.name == arguments[4] }
        try await race(kinds, articles, database, rounds: rounds)
    }

    /// Imports articles, and then adds them to the search index.
    static func make(_ count: Int, in articles: any ArticleRepository, _ words: inout Words) async throws {
        let source = try await articles.write(needing: WriteNeeds()) { writer in
            try writer.insert(SourceFacts(name: "bench", kind: .stream), uid: nil)
        }
        let clock = ContinuousClock()
        var imported = Duration.zero
        var number = 0
        while number < count {
            let drafts = (number..<min(count, number + 14_400)).map { draft($0, &words) }
            imported += try await clock.measure {
                try await articles.write(needing: WriteNeeds()) { writer in
                    for draft in drafts { _ = try writer.upsert(draft, into: source) }
                }
            }
            number += drafts.count
        }
        let start = clock.now
        while try await articles.advanceSearch() > 0 {}
        let indexed = clock.now - start
        say("\(count) articles imported in \(seconds(imported)), searched \(seconds(indexed)) later")
    }

    static func draft(_ number: Int, _ words: inout Words) -> ArticleDraft {
        let isChinese = number % 100 == 99
        func text(_ count: Int) -> String {
            (0..<count).map { _ in isChinese ? words.chinese() : words.next() }.joined(separator: isChinese ? "" : " ")
        }
        let body = (0..<10).map { _ in text(60) }.joined(separator: "\n\n")
        return ArticleDraft(
            slug: "article-\(number)", title: text(6), authors: ["\(words.next()) \(words.next())"], body: body,
            language: number % 3 == 0 ? "en" : "de",
            published: Date(timeIntervalSince1970: 946_684_800 + Double(number) * 60 + Double(words.below(500_000))),
            tags: [words.next(), "t\(words.below(100))"])
    }

    /// A kind of search, and the equivalent query for plain FTS5.
    struct Kind {
        let name: String
        let queries: [(query: ArticleQuery, plain: String)]
    }

    static func kinds() -> [Kind] {
        var random = Words(seed: 2)
        func kind(_ name: String, by sort: ArticleQuery.Sort = .relevance, _ make: (inout Words) -> (String, String))
            -> Kind
        {
            Kind(
                name: name,
                queries: (0..<30).map { _ in
                    let (text, plain) = make(&random)
                    return (ArticleQuery(text: text, sort: sort), plain)
                })
        }
        func word(_ ranks: Range<Int>) -> (inout Words) -> (String, String) {
            { random in
                let word = Words.word(ranks.lowerBound + random.below(ranks.count))
                return (word, "\"\(word)\"")
            }
        }
        func several(_ count: Int, _ ranks: Range<Int>) -> (inout Words) -> (String, String) {
            { random in
                let words = (0..<count).map { _ in Words.word(ranks.lowerBound + random.below(ranks.count)) }
                return (words.joined(separator: " "), words.map { "\"\($0)\"" }.joined(separator: " AND "))
            }
        }
        func prefix(_ length: Int) -> (inout Words) -> (String, String) {
            { random in
                let start = String(random.next().prefix(length))
                return (start + "*", "\"\(start)\" *")
            }
        }
        return [
            kind("rare word", word(20_000..<100_000)), kind("middling word", word(300..<3000)),
            kind("common word", word(0..<30)), kind("two rare words", several(2, 1000..<5000)),
            kind("two common words", several(2, 0..<100)), kind("three common words", several(3, 0..<100)),
            kind("phrase of two") { random in
                let (one, other) = (Words.word(random.below(20)), Words.word(random.below(20)))
                return ("\"\(one) \(other)\"", "\"\(one)\" + \"\(other)\"")
            },
            kind("phrase of three") { random in
                let words = (0..<3).map { _ in Words.word(random.below(10)) }
                return ("\"\(words.joined(separator: " "))\"", words.map { "\"\($0)\"" }.joined(separator: " + "))
            },
            kind("prefix of one", prefix(1)), kind("prefix of two", prefix(2)), kind("prefix of three", prefix(3)),
            kind("absent word") { random in
                let word = random.next() + "qq"
                return (word, "\"\(word)\"")
            },
            kind("Chinese") { random in
                let word = random.chinese() + random.chinese()
                return (word, "\"\(word)\"")
            },
            kind("without a word") { random in
                let (one, other) = (Words.word(random.below(100)), Words.word(random.below(100)))
                return ("\(one) -\(other)", "\"\(one)\" NOT \"\(other)\"")
            },
            kind("in the title") { random in
                let word = Words.word(random.below(1000))
                return ("title:\(word)", "title : \"\(word)\"")
            },
            kind("with a tag") { random in
                let word = Words.word(random.below(200))
                return ("\(word) tag:t\(random.below(100))", "\"\(word)\"")
            },
            kind("common, newest", by: .newest, word(0..<30)), kind("middling, newest", by: .newest, word(300..<3000)),
        ]
    }

    static func race(
        _ kinds: [Kind], _ articles: any ArticleRepository, _ database: Database, rounds: Int
    ) async throws {
        say(
            "search of 20                  list: median,   99 %,  worst      plain FTS5: median,   99 %,  worst     cut"
        )
        let clock = ContinuousClock()
        var (all, allPlain): ([Double], [Double]) = ([], [])
        for kind in kinds {
            var (own, plain): ([Double], [Double]) = ([], [])
            var cut = 0
            for round in 0..<rounds {
                for (query, match) in kind.queries {
                    let start = clock.now
                    let page = try await articles.list(query, after: nil, limit: 20)
                    own.append(milliseconds(clock.now - start))
                    // Run plain FTS5 only once, because it takes seconds if there are many matches.
                    guard round == 0 else { continue }
                    if page.search?.isCut == true { cut += 1 }
                    let order = query.sort == .newest ? "rowid DESC" : "rank"
                    let plainStart = clock.now
                    _ = try database.query(
                        """
                        SELECT a.title FROM (SELECT rowid AS id FROM article_text WHERE article_text MATCH ?
                        ORDER BY \(order) LIMIT 20) AS found JOIN article AS a ON a.id = found.id
                        """, [.text(match)]
                    ) { try $0.value(0) as String }
                    plain.append(milliseconds(clock.now - plainStart))
                }
            }
            report(kind.name, own, plain, cut: "\(cut) of \(kind.queries.count)")
            all += own
            allPlain += plain
        }
        report("all", all, allPlain, cut: "")
    }

    static func report(_ name: String, _ own: [Double], _ plain: [Double], cut: String) {
        func text(_ values: [Double]) -> String {
            let sorted = values.sorted()
            return [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], sorted[sorted.count - 1]]
                .map { String(format: "%8.2f", $0) }.joined()
        }
        say(
            [name.padding(toLength: 28, withPad: " ", startingAt: 0), text(own), "          ", text(plain), "   ", cut]
                .joined(separator: " "))
    }

    /// Prints a line at once, because a library of a million articles takes a long time.
    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

    static func seconds(_ duration: Duration) -> String { String(format: "%.2f s", duration / .seconds(1)) }
}

/// A generator of words, the most frequent first. It gives the same words in every run.
struct Words {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    /// The number of different words.
    static let count = 200_000

    mutating func below(_ bound: Int) -> Int {
        // The generator is SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(bound))
    }

    /// Returns a word with the frequency of its rank.
    mutating func next() -> String {
        let fraction = Double(below(1 << 30)) / Double(1 << 30)
        return Self.word(Int(exp(fraction * log(Double(Self.count)))) - 1)
    }

    mutating func chinese() -> String {
        let fraction = Double(below(1 << 30)) / Double(1 << 30)
        return Unicode.Scalar(0x4E00 + UInt32(exp(fraction * log(3000.0)))).map { String($0) } ?? ""
    }

    /// Returns the word of a rank.
    static func word(_ place: Int) -> String {
        let syllables = [
            "ta", "ri", "no", "sel", "mu", "ka", "dor", "ven", "li", "po", "gra", "shi", "ben", "ul", "ex", "am",
        ]
        var (rest, word) = (place, "")
        repeat {
            word += syllables[rest % 16]
            rest /= 16
        } while rest > 0
        return word
    }
}

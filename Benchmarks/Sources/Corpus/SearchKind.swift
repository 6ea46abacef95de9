import ArticleStore

/// A kind of search, and the equivalent query for plain FTS5.
public struct SearchKind {
    /// The name of the kind.
    public let name: String
    /// Thirty searches of the kind.
    public let queries: [(query: ArticleQuery, plain: String)]

    /// Returns all kinds.
    public static func all() -> [SearchKind] {
        var random = Words(seed: 2)
        func kind(_ name: String, by sort: ArticleQuery.Sort = .relevance, _ make: (inout Words) -> (String, String))
            -> SearchKind
        {
            SearchKind(
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
}

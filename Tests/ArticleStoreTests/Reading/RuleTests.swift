import ArticleStore
import AuthService
import Foundation
import StoreEngines
import TestSupport
import Testing
import Text

@Suite("Rules")
struct RuleTests {
    private static func rule(
        _ name: String, search: String? = nil, source: Source.ID? = nil, address: String? = nil,
        pattern: String? = nil, _ actions: RuleAction...
    ) throws -> Rule {
        try Rule(
            name: TagName(name),
            condition: RuleCondition(source: source, search: search, address: address, pattern: pattern),
            actions: actions)
    }

    private static func applier(_ stores: Stores, at time: Date = Date()) -> RuleApplier {
        RuleApplier(articles: stores.articles, marks: stores.marks, clock: { time })
    }

    @Test("A rule needs a valid condition and an action")
    func validity() throws {
        #expect(throws: RuleError.noCondition) { try RuleCondition() }
        #expect(throws: RuleError.noCondition) { try RuleCondition(search: "", address: "", pattern: "") }
        #expect(throws: RuleError.noAction) { try Self.rule("a", search: "b") }
        for search in ["is:unread", "swift OR is:starred", "-is:hidden"] {
            #expect(throws: RuleError.marksInSearch) { try RuleCondition(search: search) }
        }
        #expect(throws: RuleError.invalidSearch("title:")) { try RuleCondition(search: "swift title:") }
        let longest = String(repeating: "a", count: SearchQuery.length - 11) + " after:1d"
        for search in [longest + "345678", longest] {
            #expect(throws: RuleError.longSearch) { try RuleCondition(search: search) }
        }
        #expect(throws: Never.self) { try RuleCondition(search: String(longest.dropFirst(8))) }
        #expect(throws: RuleError.self) { try RuleCondition(pattern: "title:a\u{1B}b") }
        for address in ["a b", "a\u{1B}", String(repeating: "a", count: 501)] {
            #expect(throws: RuleError.invalidAddress) { try RuleCondition(address: address) }
        }
        for pattern in [
            "swift", "body:swift", "title:", "title:(", "title:\\C", "title:" + String(repeating: "a", count: 501),
        ] {
            #expect {
                try RuleCondition(pattern: pattern)
            } throws: {
                if case RuleError.invalidPattern(pattern, _) = $0 { true } else { false }
            }
        }
        #expect(throws: RuleError.invalidAction("delete")) { try RuleAction("delete") }
        #expect(
            try ["hide", "read", "star", "later", "tag:für später"].map { try RuleAction($0).text } == [
                "hide", "read", "star", "later", "tag:für später",
            ])
    }

    @Test("A user's rules are saved, replaced, and removed by name", arguments: StoreEngine.allCases)
    func contract(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (ada, bob) = try await (stores.user("ada").id, stores.user("bob").id)
        let source = try await stores.articles.write(needing: WriteNeeds()) {
            try $0.source(SourceFacts(name: "blog", kind: .feed))
        }
        let marks = stores.marks
        let whole = try Self.rule(
            "Zebra", search: "title:swift OR \"a b\" after:7d", source: source.id, address: "/ads/?a=b&c",
            pattern: "text:^(a|b)\\s+\u{1F600}", .hide, .star, .saveForLater, .markRead, .tag(TagName("für später")),
            .star)
        #expect(try await marks.rules(of: ada).isEmpty)
        #expect(try await marks.save(whole, of: ada))
        #expect(try await marks.rules(of: ada) == [whole])
        #expect(
            try await marks.rules(of: ada)[0].actions.map(\.text) == [
                "hide", "star", "later", "read", "tag:für später",
            ])
        let other = try Self.rule("ZEBRA", search: "b", .star)
        #expect(try await !marks.save(other, of: ada))
        #expect(try await marks.rules(of: ada) == [other])
        #expect(try await marks.rules(of: ada)[0].name.name == "ZEBRA")
        let first = try Self.rule("ångström", address: "x", .markRead)
        #expect(try await marks.save(first, of: ada))
        #expect(try await marks.rules(of: ada).map(\.name.name) == ["ångström", "ZEBRA"])
        #expect(try await marks.rules(of: bob).isEmpty)
        #expect(try await !marks.removeRule(TagName("zebra"), of: bob))
        #expect(try await marks.removeRule(TagName("zebra"), of: ada))
        #expect(try await !marks.removeRule(TagName("zebra"), of: ada))
        #expect(try await marks.rules(of: ada) == [first])
        #expect(try await !marks.save(first, of: bob + 1))

        // A renamed rule replaces the one with the old name, and no rule of another user.
        let renamed = try Self.rule("Å", address: "y", .star)
        #expect(try await marks.save(first, of: bob))
        #expect(try await marks.save(renamed, replacing: first.name, of: ada))
        #expect(try await marks.rules(of: ada) == [renamed])
        #expect(try await marks.rules(of: bob) == [first])
        #expect(
            try await !marks.save(Self.rule("ångström", address: "z", .star), replacing: TagName("ÅNGSTRÖM"), of: bob))
        #expect(try await marks.rules(of: bob).map(\.condition.address) == ["z"])
        #expect(try await marks.save(first, replacing: renamed.name, of: ada))

        // A rule for a source ends with the source.
        #expect(try await marks.save(whole, of: ada))
        try await stores.articles.removeSources(["blog"])
        #expect(try await marks.rules(of: ada) == [first])
    }

    @Test("A user can save a limited number of rules", arguments: StoreEngine.allCases)
    func limit(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.user("ada").id
        for number in 1...Rule.most {
            _ = try await stores.marks.save(Self.rule("\(number)", search: "a", .star), of: user)
        }
        let other = try Self.rule("other", search: "a", .star)
        await #expect(throws: RuleError.tooMany) { try await stores.marks.save(other, of: user) }
        #expect(try await !stores.marks.save(Self.rule("1", search: "b", .star), of: user))
        #expect(try await stores.marks.save(other, replacing: TagName("1"), of: user))
        #expect(try await stores.marks.rules(of: user).count == Rule.most)
    }

    @Test("Each part of a condition must be met", arguments: StoreEngine.allCases)
    func conditions(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let drafts = [
            ArticleDraft(
                key: "a", title: "Sponsored: Café", authors: ["Ada Lovelace"], body: "The <b>migration</b> of engines",
                format: .html, language: "en", sourceURL: "https://Example.org/Ads/1",
                published: Date(), tags: ["Swift"]),
            ArticleDraft(
                key: "b", title: "Engines", authors: ["Bob"], body: "A sponsored text.", published: Date(),
                tags: ["Rust"]),
        ]
        let ids = try await stores.articles.upsert(drafts, into: SourceFacts(name: "blog", kind: .feed)).map(\.id)
        let blog = try await stores.articles.existingSource(named: "blog").id
        let other = try await stores.articles.write(needing: WriteNeeds()) {
            try $0.source(SourceFacts(name: "other", kind: .feed))
        }
        func met(
            _ search: String? = nil, source: Source.ID? = nil, address: String? = nil, pattern: String? = nil
        ) async throws -> [Int64] {
            let condition = try RuleCondition(source: source, search: search, address: address, pattern: pattern)
            let trial = try await stores.articles.trial(of: condition, now: Date())
            #expect(trial.tooSlow == 0)
            return trial.met.map(\.id)
        }
        let (a, b) = (ids[0], ids[1])
        // The words are those of a search, without regard to case and accents, and in other forms.
        for (search, found) in [
            ("cafe", [a]), ("migrations", [a]), ("\"migrations\"", []), ("title:engines", [b]), ("engines", [b, a]),
            ("author:ada", [a]), ("tag:swift", [a]), ("-tag:swift", [b]), ("lang:en", [a]), ("source:blog", [b, a]),
            ("cafe OR tag:rust", [b, a]), ("engin*", [b, a]), ("b", []), ("after:1d", [b, a]), ("before:1d", []),
        ] {
            #expect(try await met(search) == found, "\(search)")
            // A rule finds what a list finds.
            var query = ArticleQuery(text: SearchQuery.dated(search, now: Date()))
            query.sort = .newest
            _ = try await stores.articles.advanceSearch()
            #expect(try await Set(stores.articles.list(query, after: nil, limit: 9).summaries.map(\.id)) == Set(found))
        }
        #expect(try await met(address: "example.org/ads") == [a])
        #expect(try await met(address: "/2") == [])
        #expect(try await met(source: blog) == [b, a])
        #expect(try await met(source: other.id) == [])
        for (pattern, found) in [
            ("title:^sponsored", [a]), ("title:(?-i)^sponsored", []), ("text:sponsored", [b]),
            ("text:^the migration", [a]),
            ("text:<b>", []), ("author:^b.b$", [b]), ("tag:^(swift|rust)$", [b, a]), ("address:^https://example", [a]),
            ("title:caf\u{E9}$", [a]), ("title:CAF\u{C9}", [a]),
        ] { #expect(try await met(pattern: pattern) == found, "\(pattern)") }
        #expect(try await met("engines", source: blog, address: "ads", pattern: "tag:^swift$") == [a])
        #expect(try await met("engines", source: blog, address: "ads", pattern: "tag:^rust$") == [])
    }

    @Test("Trying a condition examines the last articles, of its source if it has one")
    func trial() async throws {
        let stores = try await StoreEngine.memory.open()
        for name in ["one", "two"] {
            let drafts = (1...20).map { ArticleDraft(key: "\(name)\($0)", title: "Title \($0)", body: "B.") }
            try await stores.articles.upsert(drafts, into: SourceFacts(name: name, kind: .feed))
        }
        let one = try await stores.articles.existingSource(named: "one").id
        func trial(_ source: Source.ID?, last: Int) async throws -> RuleTrial {
            try await stores.articles.trial(
                of: RuleCondition(source: source, pattern: "title:[05]$"), onLast: last, now: Date())
        }
        let all = try await trial(nil, last: 10)
        #expect(all.examined == 10 && all.met.map(\.title) == ["Title 20", "Title 15"])
        let own = try await trial(one, last: 500)
        #expect(own.examined == 20 && own.met.map(\.title) == ["Title 20", "Title 15", "Title 10", "Title 5"])
        // A rule does not meet a story that another source brought.
        let two = try await stores.articles.existingSource(named: "two")
        try await stores.articles.write(needing: WriteNeeds()) { writer in
            try writer.put(
                ArticleAppearance(source: two.reference, key: "other", title: "Elsewhere"), of: own.met[0].id)
        }
        for condition in [
            try RuleCondition(source: two.id, pattern: "title:20$"),
            try RuleCondition(search: "source:two title:20"),
        ] {
            let met = try await stores.articles.trial(of: condition, now: Date()).met
            #expect(met.map(\.title) == ["Title 20"] && !met.map(\.id).contains(own.met[0].id))
        }
    }

    @Test(
        "A pattern cannot search without end",
        arguments: [
            "(a+)+$", "^(a|aa)+$", "(a*)*[bc]", "([^y]*+)*[xz]", "^(?=(.*)*[xz])",
            "(?<=.{60000}|.{60001}|.{60002}|.{60003})[ax]", #"^(a{5000}).*?\1[xz]"#,
            #"^(?<n>a{5000}).*?(\k<n>x|(?P=n)z)"#,
        ])
    func slowPattern(expression: String) async throws {
        let stores = try await StoreEngine.memory.open()
        // The pattern that looks behind finds something in a longer text.
        let text = String(repeating: "a", count: expression.hasPrefix("(?<=") ? 50_000 : 1 << 20) + "!"
        try await stores.articles.upsert(ArticleDraft(key: "a", title: "A", body: text, format: .plain))
        let trial = try await stores.articles.trial(of: RuleCondition(pattern: "text:" + expression), now: Date())
        #expect(trial.examined == 1 && trial.met.isEmpty && trial.tooSlow == 1)
    }

    @Test("A pattern that is too slow is left out after some articles, so that it does not delay others")
    func slowRule() async throws {
        let stores = try await StoreEngine.sqlite.open()
        let user = try await stores.user("ada").id
        let slow = String(repeating: "a", count: 1 << 20) + "!"
        func arrive(_ texts: [String]) async throws -> [Int64] {
            let start = try await stores.articles.size().articles
            return try await stores.articles.upsert(
                texts.enumerated().map {
                    ArticleDraft(key: "\(start + $0.offset)", title: "A", body: $0.element, format: .plain)
                }
            ).map(\.id)
        }
        _ = try await stores.marks.save(Self.rule("Slow", pattern: "text:(a+)+$", .star), of: user)
        _ = try await stores.marks.save(Self.rule("All", pattern: "title:.", .saveForLater), of: user)
        let first = try await arrive([slow, slow, slow, "aaa"])
        #expect(try await Self.applier(stores).apply() == 4)
        let next = try await arrive(["aaa"])
        #expect(try await Self.applier(stores).apply() == 1)
        let marks = try await stores.marks.marks(of: first + next, by: user)
        #expect((first + next).map { marks[$0]?.starred.value } == [false, false, false, false, true])
        _ = try await arrive(Array(repeating: slow, count: 11))
        let trial = try await stores.articles.trial(of: RuleCondition(pattern: "text:(a+)+$"), now: Date())
        #expect(trial.tooSlow == 10 && trial.examined == 10)
    }

    @Test("A rule does not meet an article that arrived before it was saved, also beside another rule")
    func earlierArrival() async throws {
        let stores = try await StoreEngine.sqlite.open()
        let user = try await stores.user("ada").id
        let marker = ArticleMarker(
            articles: stores.articles, marks: stores.marks, userID: user, refusal: nil, clock: { Date() })
        try await marker.save(try Self.rule("First", pattern: "title:.", .star))
        let id = try await stores.articles.upsert(ArticleDraft(key: "a", title: "A", body: "B.")).id
        try await marker.save(try Self.rule("Second", pattern: "title:.", .hide))
        try await Self.applier(stores).apply()
        let marks = try await stores.marks.marks(of: [id], by: user)[id]
        #expect(marks?.starred.value == true && marks?.hidden.value == false)
    }

    @Test("Rules mark the articles that arrive after they were saved, for their user", arguments: StoreEngine.allCases)
    func apply(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (ada, bob) = try await (stores.user("ada").id, stores.user("bob").id)
        func arrive(_ titles: String...) async throws -> [Int64] {
            try await stores.articles.upsert(titles.map { ArticleDraft(key: ExactText($0), title: $0, body: "B.") })
                .map(\.id)
        }
        let old = try await arrive("Old ad")
        _ = try await stores.marks.save(Self.rule("Ads", search: "ad", .hide), of: ada)
        _ = try await stores.marks.save(
            Self.rule("Swift", pattern: "title:swift", .star, .tag(TagName("swift"))), of: ada)
        #expect(try await Self.applier(stores).apply() == 0)
        let new = try await arrive("New ad", "Swift", "A Swift ad", "Other")
        _ = try await stores.marks.save(Self.rule("All", pattern: "title:.", .saveForLater), of: bob)
        #expect(try await Self.applier(stores).apply() == 3)
        #expect(try await Self.applier(stores).apply() == 0)
        let marks = try await stores.marks.marks(of: old + new, by: ada)
        func has(_ value: (ArticleMarks) -> Bool) -> [Int64] { (old + new).filter { marks[$0].map(value) == true } }
        #expect(has { $0.hidden.value } == [new[0], new[2]])
        #expect(has { $0.read.value } == [new[0], new[2]])
        #expect(has { $0.starred.value } == [new[1], new[2]])
        #expect(has { $0.tags.map(\.value.name) == ["swift"] } == [new[1], new[2]])
        #expect(has { $0.later.value } == [])
        #expect(try await stores.marks.marks(of: new, by: bob).values.allSatisfy { $0.isEmpty })
        let later = try await arrive("Third ad")
        #expect(try await Self.applier(stores).apply() == 2)
        #expect(try await stores.marks.marks(of: later, by: ada)[later[0]]?.hidden.value == true)
        #expect(try await stores.marks.marks(of: later, by: bob)[later[0]]?.later.value == true)
        #expect(try await stores.marks.marks(of: later, by: bob)[later[0]]?.hidden.value == false)

        // A rule that is saved after all others were removed does not meet the articles in between.
        for name in ["Ads", "Swift"] { _ = try await stores.marks.removeRule(TagName(name), of: ada) }
        let between = try await arrive("Fourth ad")
        _ = try await stores.marks.save(Self.rule("Ads", search: "ad", .hide), of: ada)
        try await Self.applier(stores).apply()
        #expect(try await stores.marks.marks(of: between, by: ada)[between[0]]?.hidden.value == false)
    }

    @Test("A user's own change stays if rules are applied late or twice", arguments: StoreEngine.allCases)
    func ownChange(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.user("ada").id
        let rule = try Self.rule("All", pattern: "title:.", .star, .hide)
        _ = try await stores.marks.save(rule, of: user)
        let ids = try await stores.articles.upsert((1...3).map { ArticleDraft(key: "\($0)", title: "A", body: "B.") })
            .map(\.id)
        let later = Date(timeIntervalSinceNow: 60)
        // Also a change that is older than the arrival, such as one from an export.
        for time in [later, Date(timeIntervalSince1970: 0)] {
            let id = time == later ? ids[0] : ids[2]
            try await stores.marks.change([.starred(true), .starred(false)], of: .ids([id]), by: user, at: time)
        }
        try await Self.applier(stores, at: later).apply()
        var marks = try await stores.marks.marks(of: ids, by: user)
        for id in [ids[0], ids[2]] {
            #expect(marks[id]?.starred.value == false && marks[id]?.hidden.value == true)
        }
        #expect(marks[ids[1]]?.starred.value == true)
        try await stores.marks.change([.starred(false), .hidden(false)], of: .ids([ids[1]]), by: user, at: later)
        // As after a process was killed before it recorded the position.
        for name in ["All"] { _ = try await stores.marks.removeRule(TagName(name), of: user) }
        try await stores.marks.merge([ids[1]: [rule].marks(at: Date())], by: user, at: later)
        marks = try await stores.marks.marks(of: ids, by: user)
        #expect(marks[ids[1]]?.starred.value == false && marks[ids[1]]?.hidden.value == false)
    }

    @Test("More tags than a user may have do not stop the rules")
    func tagLimit() async throws {
        let stores = try await StoreEngine.sqlite.open()
        let user = try await stores.user("ada").id
        let tags = try (1...MarkError.mostTags + 5).map { RuleAction.tag(try TagName("t\($0)")) }
        let condition = try RuleCondition(pattern: "title:.")
        _ = try await stores.marks.save(Rule(name: TagName("Tags"), condition: condition, actions: tags), of: user)
        let id = try await stores.articles.upsert(ArticleDraft(key: "a", title: "A", body: "B.")).id
        #expect(try await Self.applier(stores).apply() == 1)
        #expect(try await stores.marks.marks(of: [id], by: user)[id]?.tags.count == MarkError.mostTags)
        #expect(try await stores.marks.waitingRules().isEmpty)
    }

    @Test("Rules apply to more articles than one step reads")
    func manyArticles() async throws {
        let stores = try await StoreEngine.sqlite.open()
        let user = try await stores.user("ada").id
        _ = try await stores.marks.save(Self.rule("Ads", search: "ad", .hide), of: user)
        try await stores.articles.upsert(
            (1...450).map { ArticleDraft(key: "\($0)", title: $0 % 3 == 0 ? "ad" : "b", body: "B.") })
        #expect(try await Self.applier(stores).apply() == 150)
        #expect(try await stores.marks.counts(of: user).unread == 300)
    }
}

@Suite("Hidden articles")
struct HiddenArticlesTests {
    @Test("A user's lists and their counts leave hidden articles out", arguments: StoreEngine.allCases)
    func lists(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (ada, bob) = try await (stores.user("ada").id, stores.user("bob").id)
        let drafts = (1...4).map {
            ArticleDraft(key: "\($0)", title: "Swift \($0)", authors: ["Ada"], body: "B.", language: "en", tags: ["T"])
        }
        let ids = try await stores.articles.upsert(drafts, into: SourceFacts(name: "blog", kind: .feed)).map(\.id)
        _ = try await stores.articles.advanceSearch()
        // A hidden article is read.
        let hidden = try await stores.marks.change([.hidden(true)], of: .ids([ids[1], ids[3]]), by: ada, at: Date())
        #expect(hidden == 2)
        try await stores.marks.change([.starred(true)], of: .ids([ids[0], ids[1]]), by: ada, at: Date())
        let (shown, all) = ([ids[0], ids[2]], ids)
        #expect(try await stores.marks.counts(of: ada).hidden == 2)
        #expect(try await stores.marks.counts(of: bob).hidden == 0)
        func check(_ query: ArticleQuery, _ expected: [Int64], of user: Int64? = ada, _ words: String) async throws {
            var query = query
            query.marks.userID = user
            query.sort = .oldest
            let page = try await stores.articles.list(query, after: nil, limit: 9, counts: true)
            #expect(page.summaries.map(\.id) == expected, "\(words)")
            #expect(page.total == expected.count, "\(words)")
            #expect(try await stores.articles.list(query, before: nil, limit: 9).map(\.id) == expected, "\(words)")
            #expect(try await stores.articles.count(query) == expected.count, "\(words)")
            #expect(try await stores.articles.numbers(of: query, latestFirst: false, limit: 9) == expected, "\(words)")
            if query.text != nil {
                query.sort = .relevance
                let best = try await stores.articles.list(query, after: nil, limit: 9, counts: true)
                #expect(Set(best.summaries.map(\.id)) == Set(expected), "\(words)")
            }
        }
        let queries: [(String, ArticleQuery)] = [
            ("all", ArticleQuery()), ("source", ArticleQuery(source: "blog")), ("author", ArticleQuery(author: "ada")),
            ("tag", ArticleQuery(tag: "t")), ("language", ArticleQuery(language: "en")),
            ("word", ArticleQuery(text: "swift")), ("exclusion", ArticleQuery(text: "-java")),
            ("choice", ArticleQuery(text: "swift OR tag:t")),
            ("source and word", ArticleQuery(text: "swift", source: "blog")),
        ]
        for (words, query) in queries {
            try await check(query, shown, words)
            try await check(query, all, of: bob, words)
            try await check(query, all, of: nil, words)
        }
        try await check(ArticleQuery(marks: MarkCondition(isHidden: true)), [ids[1], ids[3]], "hidden")
        try await check(ArticleQuery(marks: MarkCondition(isHidden: false)), shown, "not hidden")
        try await check(ArticleQuery(text: "is:hidden"), [ids[1], ids[3]], "search for hidden")
        try await check(ArticleQuery(text: "3 OR is:hidden"), [ids[1], ids[2], ids[3]], "choice with hidden")
        try await check(ArticleQuery(marks: MarkCondition(isStarred: true)), [ids[0]], "starred")
        try await check(ArticleQuery(marks: MarkCondition(isRead: true)), [], "read")
        try await check(ArticleQuery(marks: MarkCondition(isRead: false)), shown, "unread")

        // A hidden article that is marked as unread is among the unread articles.
        try await stores.marks.change([.read(false)], of: .ids([ids[1]]), by: ada, at: Date())
        try await check(ArticleQuery(marks: MarkCondition(isRead: false)), [ids[0], ids[1], ids[2]], "unread")
        #expect(try await stores.marks.counts(of: ada).unread == 3)
        try await check(ArticleQuery(), shown, "all")
        try await stores.marks.change([.hidden(false)], of: .all, by: ada, at: Date())
        try await check(ArticleQuery(), all, "all shown again")
    }
}

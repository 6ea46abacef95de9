import Text
import ArticleStore
import AuthService
import Database
import FoundationEssentials
import StoreEngines
import TestSupport
import Testing

@Suite("MarkRepository contract")
struct MarkRepositoryTests {
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)
    private static let later = start.addingTimeInterval(60)

    /// Two readers, and articles published one day apart.
    private struct Library {
        let stores: Stores
        let ada: Int64
        /// Not the operator, who cannot be deleted.
        let user: User
        var bob: Int64 { user.id }
        var ids: [Int64] = []

        init(_ engine: StoreEngine, count: Int = 6) async throws {
            stores = try await engine.open()
            ada = try await stores.user("ada").id
            user = try await stores.user("bob")
            let drafts = (0..<count).map { Self.draft($0) }
            ids += try await stores.articles.upsert(drafts, into: .init(name: "one", kind: .stream)).map(\.id)
            ids += try await stores.articles.upsert(
                [ArticleDraft(key: "x", title: "X", body: "Body.")], into: .init(name: "two", kind: .stream)
            ).map(\.id)
        }

        static func draft(_ number: Int, tags: [String]? = nil) -> ArticleDraft {
            ArticleDraft(
                key: ExactText("k\(number)"), title: "Title \(number)", authors: ["Ada"], body: "Body.",
                published: start.addingTimeInterval(Double(number) * 86_400),
                tags: tags ?? (number % 2 == 0 ? ["Even", "all"] : ["all"]))
        }

        @discardableResult
        func change(
            _ change: MarkChange, _ numbers: ArticleSelection, by user: Int64? = nil, at time: Date = start
        ) async throws -> Int {
            try await stores.marks.change(change, of: numbers, by: user ?? ada, at: time)
        }

        @discardableResult
        func change(_ change: MarkChange, _ indices: Int..., by user: Int64? = nil) async throws -> Int {
            try await self.change(change, .ids(indices.map { ids[$0] }), by: user)
        }

        func marks(_ index: Int, of user: Int64? = nil) async throws -> ArticleMarks? {
            try await stores.marks.marks(of: [ids[index]], by: user ?? ada)[ids[index]]
        }

        /// The positions in `ids` of the articles in a user's list, checked against the count.
        func list(_ condition: MarkCondition, _ query: ArticleQuery = ArticleQuery(), of user: Int64? = nil)
            async throws -> [Int]
        {
            var query = query
            query.marks = condition.of(user ?? ada)
            var found: [Int] = []
            var cursor: Cursor?
            repeat {
                let page = try await stores.articles.list(query, after: cursor, limit: 2)
                found += page.summaries.compactMap { ids.firstIndex(of: $0.id) }
                cursor = page.next
            } while cursor != nil
            #expect(try await stores.articles.count(query) == found.count)
            let backwards = try await stores.articles.list(query, before: nil, limit: 1000)
            #expect(backwards.compactMap { ids.firstIndex(of: $0.id) } == found)
            return found
        }

        /// Checks that the stored counts are correct.
        func expectCounts(of user: Int64? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let user = user ?? ada
            let all = try await stores.articles.articles(ArticleQuery(), after: nil, limit: 1000).articles
            let marks = try await stores.marks.marks(of: all.map(\.id), by: user)
            var expected = ReadCounts()
            for article in all where marks[article.id]?.read.value == true {
                expected.sources[article.source.id, default: 0] += 1
                for author in article.authors { expected.authors[author.lowercased(), default: 0] += 1 }
                for tag in article.tags { expected.tags[tag.lowercased(), default: 0] += 1 }
            }
            #expect(try await stores.marks.readCounts(of: user) == expected, sourceLocation: sourceLocation)
            let counts = try await stores.marks.counts(of: user)
            let read = marks.values.count { $0.read.value }
            #expect(counts.unread == all.count - read, sourceLocation: sourceLocation)
            let progress = counts.tags.map { tag in
                let tagged = marks.filter { $0.value.tags.contains { $0.value == tag.tag } }
                return TagProgress(
                    tag.tag, unread: tagged.values.count { !$0.read.value }, newest: tagged.keys.max() ?? 0)
            }
            #expect(try await stores.marks.tagProgress(of: user) == progress, sourceLocation: sourceLocation)
            let sizes = Dictionary(grouping: all, by: \.source.id).mapValues(\.count)
            let outline = try #require(
                try await stores.articles.view(ReadingParts(sources: 1000), of: user).outline,
                sourceLocation: sourceLocation)
            #expect(outline.unread == counts.unread, sourceLocation: sourceLocation)
            let starred = marks.values.count { $0.starred.value && !$0.read.value }
            #expect(outline.unreadStarred == starred, sourceLocation: sourceLocation)
            #expect(
                try await stores.marks.savedSearches(of: user) == outline.searches, sourceLocation: sourceLocation)
            for source in outline.sources {
                let id = try await stores.articles.sources().first { $0.name == source.name }?.id
                let unread = id.map { (sizes[$0] ?? 0) - (expected.sources[$0] ?? 0) }
                #expect([unread, nil].contains(source.unread), sourceLocation: sourceLocation)
            }
            #expect(
                try await stores.articles.articleCounts().filter { $0.value > 0 } == sizes,
                sourceLocation: sourceLocation)
            let tags = Dictionary(grouping: all.flatMap(\.tags)) { $0.lowercased() }.mapValues(\.count)
            let labels = try await stores.articles.labels(.tag)
            #expect(
                Dictionary(uniqueKeysWithValues: labels.map { ($0.key, $0.articles) }) == tags,
                sourceLocation: sourceLocation)
        }
    }

    @Test(
        "A page of a list and an article come with the marks of the user",
        arguments: StoreEngine.allCases)
    func marked(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let (articles, marks) = (library.stores.articles, library.stores.marks)
        for (number, change) in [
            MarkChange.starred(true), .read(true), .note("A note"), .tag(TagName(stored: "Mine"), true),
        ]
        .enumerated() {
            try await library.change(change, number, number + 1)
            try await library.change(.later(true), number, by: library.bob)
        }
        var isRead = MarkCondition(), isStarred = MarkCondition()
        (isRead.isRead, isStarred.isStarred) = (true, true)
        let lists = [
            ArticleQuery(), ArticleQuery(source: "one", sort: .title), ArticleQuery(tag: "even"),
            ArticleQuery(text: "body"),
            ArticleQuery(marks: isRead), ArticleQuery(marks: isStarred),
        ]
        for list in lists {
            var query = list
            query.marks = query.marks.of(library.ada)
            var cursor: Cursor?
            repeat {
                let part = ReadingParts.List(query, after: cursor, limit: 2, counts: true)
                let view = try await articles.view(ReadingParts(list: part), of: library.ada)
                let page = try #require(view.page)
                #expect(try await page == articles.list(query, after: cursor, limit: 2, counts: true))
                #expect(try await view.marks == marks.marks(of: page.summaries.map(\.id), by: library.ada))
                #expect(view.article == nil && view.outline == nil)
                cursor = page.next

                let all = ReadingParts(article: ArticleReference(String(library.ids[0])), list: part, sources: 1)
                let whole = try await articles.view(all, of: library.ada)
                #expect(whole.page == page && whole.article?.id == library.ids[0])
                let ids = page.summaries.map(\.id) + [library.ids[0]]
                #expect(try await whole.marks == marks.marks(of: ids, by: library.ada))
                #expect(whole.outline?.sources.count == 1)
                let own = try await marks.marks(of: library.ids, by: library.ada).values
                #expect(whole.outline?.unreadStarred == own.count { $0.starred.value && !$0.read.value })
            } while cursor != nil
        }
        for id in library.ids {
            let article = try #require(try await articles.article(id: id))
            let expected = try await marks.marks(of: [id], by: library.ada)[id]
            for name in ["\(id)", article.slug] {
                let found = try await articles.view(ReadingParts(article: ArticleReference(name)), of: library.ada)
                #expect(found.article == article)
                #expect(found.marks == expected.map { [id: $0] })
            }
        }
        let missing = try await articles.view(ReadingParts(article: "missing"), of: library.ada)
        #expect(missing.article == nil && missing.marks.isEmpty)
    }

    @Test(
        "A search with OR and parentheses finds what its parts find", .timeLimit(.minutes(30)),
        arguments: StoreEngine.allCases)
    func combinedSearches(engine: StoreEngine) async throws {
        var library = try await Library(engine, count: 2)
        var random = SeededGenerator(seed: 5)
        let words = ["alpha", "beta", "gamma", "delta"]
        var drafts: [ArticleDraft] = []
        for number in 0..<24 {
            func word() -> String { words.randomElement(using: &random) ?? "" }
            var draft = ArticleDraft(key: ExactText("c\(number)"), title: word(), body: "\(word()) \(word()) \(word())")
            draft.authors = number % 5 == 0 ? ["Grace"] : []
            draft.language = number % 2 == 0 ? "en" : "de"
            draft.published = Self.start.addingTimeInterval(Double(number))
            draft.tags = number % 3 == 0 ? ["green"] : []
            drafts.append(draft)
        }
        library.ids += try await library.stores.articles.upsert(drafts, into: .init(name: "three", kind: .stream)).map(
            \.id)
        while try await library.stores.articles.advanceSearch() > 0 {}
        for index in stride(from: 3, to: 27, by: 4) { try await library.change(.starred(true), index) }
        for index in stride(from: 3, to: 27, by: 3) { try await library.change(.read(true), index) }
        let parts =
            words + [
                "title:alpha", "by:grace", "tag:green", "\"alpha beta\"", "gam*", "source:three", "source:one",
                "lang:de",
                "is:starred", "is:unread", "after:2023-11-15", "Body.",
            ]
        var found: [String: Set<Int>] = [:]
        for part in parts { found[part] = Set(try await library.list(.init(), ArticleQuery(text: part))) }
        let all = Set(library.ids.indices)
        /// Returns a search, and the articles that it should find.
        func search(_ depth: Int) -> (text: String, found: Set<Int>) {
            let isExcluded = Int.random(in: 0..<4, using: &random) == 0
            let sign = isExcluded ? "-" : ""
            guard depth > 0, Int.random(in: 0..<3, using: &random) > 0 else {
                let part = parts.randomElement(using: &random) ?? ""
                let matches = found[part] ?? []
                return (sign + part, isExcluded ? all.subtracting(matches) : matches)
            }
            let inner = list(depth - 1)
            return ("\(sign)(\(inner.text))", isExcluded ? all.subtracting(inner.found) : inner.found)
        }
        func list(_ depth: Int) -> (text: String, found: Set<Int>) {
            var (text, found, alternatives): (String, Set<Int>, Set<Int>) = ("", all, [])
            for number in 0..<Int.random(in: 1...3, using: &random) {
                let part = search(depth)
                // `OR` binds tighter than the space.
                if number > 0, Bool.random(using: &random) {
                    text += " OR "
                    alternatives.formUnion(part.found)
                } else {
                    if number > 0 {
                        text += " "
                        found.formIntersection(alternatives)
                    }
                    alternatives = part.found
                }
                text += part.text
            }
            return (text, found.intersection(alternatives))
        }
        for _ in 0..<150 {
            let (text, expected) = list(2)
            guard let query = SearchQuery(text), query.text == text, query.ignored.isEmpty else { continue }
            #expect(Set(try await library.list(.init(), ArticleQuery(text: text))) == expected, "\(text)")
            var best = ArticleQuery(text: text, sort: .relevance)
            best.marks.userID = library.ada
            let page = try await library.stores.articles.list(best, after: nil, limit: 1000)
            #expect(Set(page.summaries.compactMap { library.ids.firstIndex(of: $0.id) }) == expected, "\(text)")
        }
    }

    @Test("Each mark is stored with its time until it is removed", arguments: StoreEngine.allCases)
    func marks(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        #expect(try await library.marks(0) == ArticleMarks())
        let tag = try TagName(" For the Talk ")
        for change: MarkChange in [
            .read(true), .starred(true), .later(true), .note("Ünïcode\0\n"), .readingPosition(500), .tag(tag, true),
        ] {
            #expect(try await library.change(change, 0) == 1)
            #expect(try await library.change(change, 0) == 0, "nothing is changed twice")
        }
        var expected = ArticleMarks()
        expected.read = .init(true, changed: Self.start)
        expected.starred = .init(true, changed: Self.start)
        expected.later = .init(true, changed: Self.start)
        expected.note = .init("Ünïcode\0\n", changed: Self.start)
        expected.readingPosition = .init(500, changed: Self.start)
        expected.tags = [.init(tag, changed: Self.start)]
        #expect(try await library.marks(0) == expected)
        #expect(try await library.marks(0)?.tags.first?.value.name == "For the Talk")
        for change: MarkChange in [
            .read(false), .starred(false), .later(false), .note(nil), .readingPosition(nil),
            .tag(try TagName("FOR THE TALK"), false),
        ] {
            #expect(try await library.change(change, .ids([library.ids[0]]), at: Self.later) == 1)
        }
        var gone = ArticleMarks()
        gone.read.changed = Self.later
        gone.starred.changed = Self.later
        gone.later.changed = Self.later
        gone.note.changed = Self.later
        gone.readingPosition.changed = Self.later
        gone.removedTags = [.init(try TagName("For the Talk"), changed: Self.later)]
        #expect(try await library.marks(0) == gone)
        #expect(try await library.stores.marks.markedArticles(by: library.ada, after: 0, limit: 9) == [library.ids[0]])
    }

    @Test(
        "A list that is marked up to an article leaves later arrivals unread, and is one change if there are none",
        arguments: StoreEngine.allCases)
    func arrivals(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let (articles, marks) = (library.stores.articles, library.stores.marks)
        let shown = try await articles.list(ArticleQuery(), after: nil, limit: 2, counts: false).lastNumber
        #expect(shown == library.ids.max())
        let late = try await articles.upsert(
            [ArticleDraft(key: "late", title: "Late", body: "B.")], into: .library)[0].id
        let seen = ArticleSelection.query(ArticleQuery().upTo(shown))
        #expect(try await library.change(.read(true), seen) == library.ids.count)
        #expect(try await marks.counts(of: library.ada).unread == 1)
        #expect(try await marks.marks(of: [late], by: library.ada)[late]?.read.value == false)
        #expect(try await library.change(.read(true), seen) == 0)
        guard engine != .memory else { return }
        #expect(try await marks.changes(of: library.ada, after: 0, limit: 1).allRead == nil)
        #expect(try await library.change(.read(true), .query(ArticleQuery().upTo(late))) == 1)
        #expect(try await marks.changes(of: library.ada, after: 0, limit: 1).allRead?.upTo == late)
    }

    @Test("A missing article is not marked, and does not prevent other marks", arguments: StoreEngine.allCases)
    func missing(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        #expect(try await library.change(.starred(true), .ids([library.ids[1], 4711, library.ids[1]])) == 1)
        #expect(try await library.change(.read(true), .ids([])) == 0)
        #expect(try await library.stores.marks.marks(of: [4711], by: library.ada).isEmpty)
        #expect(try await library.change(.read(true), .all, by: 4711) == 0)
        #expect(
            try await library.stores.marks.marks(of: library.ids, by: 4711).values.allSatisfy { $0 == ArticleMarks() })
        let longest = String(repeating: "é", count: MarkError.longestNote)
        #expect(try await library.change(.note(longest), 0) == 1)
        await #expect(throws: MarkError.noteIsTooLong) { try await library.change(.note(longest + "a"), 0) }
        #expect(try await library.marks(0)?.note.value == longest)
    }

    @Test("Marks belong to their user", arguments: StoreEngine.allCases)
    func privacy(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let tag = try TagName("secret")
        for change: MarkChange in [
            .read(true), .starred(true), .later(true), .note("mine"), .readingPosition(3), .tag(tag, true),
        ] {
            try await library.change(change, 0, 1)
        }
        #expect(try await library.marks(0, of: library.bob) == ArticleMarks())
        #expect(try await library.stores.marks.markedArticles(by: library.bob, after: 0, limit: 9).isEmpty)
        #expect(try await library.stores.marks.readCounts(of: library.bob) == ReadCounts())
        let counts = try await library.stores.marks.counts(of: library.bob)
        #expect(counts.starred + counts.later + counts.noted + counts.tags.count == 0)
        for condition in [
            MarkCondition(isRead: true), .init(isStarred: true), .init(isReadLater: true), .init(isNoted: true),
            .init(tag: "secret"),
        ] {
            #expect(try await library.list(condition, of: library.bob) == [])
            #expect(try await library.list(condition).count == 2)
            var nobodys = ArticleQuery(marks: condition)
            nobodys.marks.userID = nil
            #expect(try await library.stores.articles.count(nobodys) == 0)
        }
        #expect(try await library.change(.tag(tag, false), .all, by: library.bob) == 0)
        #expect(try await library.change(.note(nil), .all, by: library.bob) == 0)
    }

    @Test("Lists have the articles with a mark, in their order, page by page", arguments: StoreEngine.allCases)
    func lists(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        try await library.change(.read(true), 1, 2, 5)
        try await library.change(.starred(true), 2, 3, 4, 5)
        try await library.change(.starred(false), 4)
        try await library.change(.later(true), 0)
        try await library.change(.note("n"), 0, 3)
        try await library.change(.tag(try TagName("Todo"), true), 3, 5)
        let one = ArticleQuery(source: "one")
        let byTitle = ArticleQuery(source: "one", sort: .title)
        let even = ArticleQuery(tag: "even", sort: .oldest)
        #expect(try await library.list(.init(isRead: false), one) == [4, 3, 0])
        #expect(try await library.list(.init(isRead: true), byTitle) == [1, 2, 5])
        #expect(try await library.list(.init(isRead: false), even) == [0, 4])
        #expect(try await library.list(.init(isRead: false), ArticleQuery(author: "ada", tag: "even")) == [4, 0])
        #expect(try await library.list(.init(isRead: false), ArticleQuery(author: "ada")) == [4, 3, 0])
        #expect(try await library.list(.init(isRead: false)).count == 4)
        #expect(try await library.list(.init(isStarred: true)) == [5, 3, 2])
        #expect(try await library.list(.init(isStarred: true), even) == [2])
        #expect(try await library.list(.init(isStarred: false), one) == [4, 1, 0])
        #expect(try await library.list(.init(isRead: true, isStarred: true), byTitle) == [2, 5])
        #expect(try await library.list(.init(isReadLater: true)) == [0])
        #expect(try await library.list(.init(isNoted: true), byTitle) == [0, 3])
        #expect(try await library.list(.init(tag: "TODO")) == [5, 3])
        #expect(try await library.list(.init(isRead: false, tag: "todo")) == [3])
        #expect(try await library.list(.init(tag: "none")) == [])
        #expect(try await library.list(.init(isStarred: true), ArticleQuery(text: "title 3")) == [3])
        #expect(
            try await library.list(
                .init(isStarred: true), ArticleQuery(since: Self.start.addingTimeInterval(3 * 86_400))) == [5, 3])
    }

    @Test("Searches use the marks of their user only", arguments: StoreEngine.allCases)
    func searches(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        try await library.change(.read(true), 1, 2, 5)
        try await library.change(.starred(true), 2, 3, 5)
        try await library.change(.later(true), 0)
        try await library.change(.note("n"), 0, 3)
        try await library.change(.tag(try TagName("Café"), true), 3, 5)
        for (text, expected) in [
            ("is:unread", [4, 3, 0]), ("IS:READ", [5, 2, 1]), ("-is:unread", [5, 2, 1]), ("-is:read", [4, 3, 0]),
            ("is:starred", [5, 3, 2]), ("-is:starred", [4, 1, 0]), ("is:later", [0]), ("is:noted", [3, 0]),
            ("tag:mine:cafe", [5, 3]), ("-tag:mine:café", [4, 2, 1, 0]), ("is:starred is:unread", [3]),
            ("title is:starred", [5, 3, 2]), ("title is:unread", [4, 3, 0]), ("is:starred -title", []),
            ("tag:even is:starred", [2]),
        ] {
            #expect(try await library.list(.init(), ArticleQuery(text: text, source: "one")) == expected, "\(text)")
            let best = try await library.list(.init(), ArticleQuery(text: text, source: "one", sort: .relevance))
            #expect(best.sorted(by: >) == expected, "\(text)")
            #expect(
                try await library.list(.init(isStarred: true), ArticleQuery(text: text, source: "one"))
                    == expected.filter { [2, 3, 5].contains($0) }, "\(text)")
        }
        #expect(try await library.list(.init(), ArticleQuery(text: "title is:starred"), of: library.bob) == [])
        #expect(try await library.list(.init(), ArticleQuery(text: "title is:unread"), of: library.bob).count == 6)
        let found = ArticleSelection.query(
            ArticleQuery(text: "title is:starred", marks: MarkCondition(userID: library.ada)))
        #expect(try await library.change(.later(true), found) == 3)
    }

    @Test(
        "The articles of a query are marked at once, and those that changed are returned",
        arguments: StoreEngine.allCases)
    func queries(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        try await library.change(.read(true), 0)
        let even = ArticleSelection.query(ArticleQuery(tag: "even"))
        #expect(try await library.change(.read(true), even, at: Self.later) == 2)
        #expect(try await library.marks(0)?.read.changed == Self.start)
        #expect(try await library.marks(2)?.read.changed == Self.later)
        let unread = ArticleQuery(source: "one", marks: MarkCondition(userID: library.ada, isRead: false))
        let numbers = ArticleSelection.query(unread)
        #expect(try await library.change(.tag(try TagName("t"), true), numbers) == 3)
        #expect(try await library.list(.init(tag: "t")) == [5, 3, 1])
        let found = ArticleSelection.query(ArticleQuery(text: "title 1"))
        #expect(try await library.change(.later(true), found) == 1)
        #expect(try await library.change(.read(false), even) == 3)
        try await library.expectCounts()
    }

    @Test("Several changes of the same articles are made together or not at all", arguments: StoreEngine.allCases)
    func severalChanges(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let marks = library.stores.marks
        let unread = ArticleSelection.query(
            ArticleQuery(source: "one", marks: MarkCondition(userID: library.ada, isRead: false)))
        #expect(
            try await marks.change([.read(true), .starred(true)], of: unread, by: library.ada, at: Self.start) == 12)
        #expect(try await library.list(.init(isStarred: true)).count == 6)
        let long = MarkChange.note(String(repeating: "x", count: MarkError.longestNote + 1))
        await #expect(throws: MarkError.noteIsTooLong) {
            try await marks.change([.later(true), long], of: .all, by: library.ada, at: Self.start)
        }
        #expect(try await library.list(.init(isReadLater: true)) == [])
        try await library.expectCounts()
    }

    @Test(
        "An article is marked by a condition on its marks, without another change in between",
        arguments: StoreEngine.allCases)
    func changeByMarks(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let marks = library.stores.marks
        struct Refused: Error {}
        await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    try await marks.change(library.ids[0], by: library.ada, at: Self.start) { marks in
                        [.note((marks.note.value ?? "") + "x"), .later(true)]
                    }
                }
            }
        }
        #expect(try await library.marks(0)?.note.value?.count == 20)
        #expect(try await library.marks(0)?.later.value == true)
        await #expect(throws: Refused.self) {
            try await marks.change(library.ids[0], by: library.ada, at: Self.start) { _ in throw Refused() }
        }
        let tags = try (0...MarkError.mostTags).map { MarkChange.tag(try TagName("\($0)"), true) }
        await #expect(throws: MarkError.tooManyTags) {
            try await marks.change(library.ids[1], by: library.ada, at: Self.start) { _ in tags }
        }
        #expect(try await library.marks(1)?.isEmpty == true)
        // The closure is not called for a missing article or user.
        for (article, reader) in [(4711, library.ada), (library.ids[0], 4711)] {
            #expect(try await marks.change(article, by: reader, at: Self.start) { _ in throw Refused() } == 0)
        }
    }

    @Test("Everything is marked as read, except later articles and exceptions", arguments: StoreEngine.allCases)
    func everything(engine: StoreEngine) async throws {
        var library = try await Library(engine)
        try await library.change(.tag(try TagName("some"), true), 0, 1, 2)
        try await library.change(.tag(try TagName("all"), true), .all)
        try await library.change(.tag(try TagName("none"), true), 3)
        try await library.change(.tag(try TagName("none"), false), 3)
        try await library.change(.read(true), 0)
        try await library.change(.starred(true), 1)
        try await library.expectCounts()
        #expect(try await library.change(.read(true), .all, at: Self.later) == 6)
        #expect(try await library.change(.read(true), .all) == 0)
        #expect(try await library.marks(0)?.read == .init(true, changed: Self.start))
        #expect(try await library.marks(1)?.read == .init(true, changed: Self.later))
        try await library.expectCounts()
        library.ids += try await library.stores.articles.upsert(
            [Library.draft(10), Library.draft(11)], into: .init(name: "one", kind: .stream)
        ).map(\.id)
        try await library.change(.read(false), 1, 2)
        #expect(try await library.list(.init(isRead: false)) == [8, 7, 2, 1])
        #expect(try await library.list(.init(isRead: false), ArticleQuery(tag: "even")) == [7, 2])
        #expect(try await library.list(.init(isRead: true)).count == 5)
        try await library.expectCounts()
        try await library.expectCounts(of: library.bob)
        try await library.change(.read(true), 2, 7)
        try await library.expectCounts()
        #expect(try await library.change(.read(true), .all) == 2)
        try await library.expectCounts()
        #expect(try await library.change(.read(false), .all) == 9)
        #expect(try await library.list(.init(isRead: true)) == [])
        try await library.expectCounts()
    }

    @Test("Marking everything as read and unread within one second has two times", arguments: StoreEngine.allCases)
    func everythingTwice(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        try await library.change(.read(true), .all)
        #expect(try await library.change(.read(true), .all) == 0)
        try await library.change(.read(false), .all)
        #expect(try await library.marks(0)?.read.value == false)
        try await library.change(.read(true), .all)
        #expect(try await library.marks(0)?.read == .init(true, changed: Self.start.addingTimeInterval(2)))
        try await library.change(.read(false), .all)
        try await library.change(.read(true), .all, at: Self.later)
        #expect(try await library.marks(0)?.read == .init(true, changed: Self.later))
    }

    @Test("Marks stay after a change, a rename, and another import of the article", arguments: StoreEngine.allCases)
    func change(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        try await library.change(.read(true), .all)
        try await library.change(.read(true), 0, by: library.bob)
        try await library.change(.starred(true), 0)
        let marks = try await library.marks(0)
        try await library.stores.articles.upsert(
            Library.draft(0, tags: ["all", "New"]), into: .init(name: "one", kind: .stream))
        try await library.stores.articles.renameSource("one", to: "three")
        #expect(try await library.marks(0) == marks)
        try await library.expectCounts()
        try await library.expectCounts(of: library.bob)
    }

    @Test("Marks are deleted with their article, and with their user", arguments: StoreEngine.allCases)
    func deletion(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let tag = try TagName("t")
        try await library.change(.read(true), .all)
        for change: MarkChange in [.read(false), .starred(true), .note("n"), .tag(tag, true)] {
            try await library.change(change, 0, 1)
            try await library.change(change, 0, 1, 6, by: library.bob)
        }
        try await library.stores.articles.delete(id: library.ids[0])
        try await library.stores.articles.delete(id: library.ids[2])
        try await library.expectCounts()
        try await library.expectCounts(of: library.bob)
        #expect(try await library.stores.marks.counts(of: library.ada).tags == [.init(tag, articles: 1)])
        _ = try await library.stores.articles.removeSources(["one"])
        try await library.expectCounts()
        #expect(try await library.stores.marks.counts(of: library.ada).starred == 0)
        try await library.stores.delete(library.user)
        #expect(try await library.stores.marks.readCounts(of: library.bob) == ReadCounts())
        #expect(try await library.marks(6, of: library.bob) == ArticleMarks())
    }

    @Test("In merged marks the latest change wins, and tags are added", arguments: StoreEngine.allCases)
    func merging(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        try await library.change(.starred(true), 0)
        try await library.change(.note("own"), 0, 1)
        try await library.change(.tag(try TagName("own"), true), 0)
        var other = ArticleMarks()
        other.read = .init(true, changed: Self.later)
        other.starred = .init(false, changed: Self.start.addingTimeInterval(-60))
        other.note = .init("other", changed: Self.later)
        other.readingPosition = .init(7, changed: Self.start)
        other.tags = [.init(try TagName("OWN"), changed: Self.later), .init(try TagName("new"), changed: Self.later)]
        var undated = ArticleMarks()
        undated.later.value = true
        let all = [library.ids[0]: other, library.ids[1]: undated, library.ids[2]: ArticleMarks(), 4711: other]
        let now = Self.later.addingTimeInterval(60)
        #expect(try await library.stores.marks.merge(all, by: library.ada, at: now).articles == 2)
        var expected = other
        expected.starred = .init(true, changed: Self.start)
        expected.tags = [
            .init(try TagName("new"), changed: Self.later), .init(try TagName("own"), changed: Self.later),
        ]
        #expect(try await library.marks(0) == expected)
        #expect(try await library.marks(1)?.later == .init(true, changed: now))
        #expect(try await library.marks(1)?.note.value == "own")
        #expect(try await library.marks(0, of: library.bob) == ArticleMarks())
        let again = try await library.stores.marks.merge(all, by: library.ada, at: now)
        #expect(again.articles == 0 && again.tagsLeftOut == 0 && again.missing == [4711])
        #expect(try await library.stores.marks.merge(all, by: 4711, at: now) == MarkMerge())
        try await library.expectCounts()
    }

    @Test("Marks of articles that do not exist are reported", arguments: StoreEngine.allCases)
    func mergeMissing(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        var starred = ArticleMarks()
        starred.starred = .init(true)
        let marks = [4712: starred, library.ids[0]: starred, 4711: starred]
        let merge = try await library.stores.marks.merge(marks, by: library.ada, at: Self.later)
        #expect(merge.articles == 1 && merge.missing == [4711, 4712])
    }

    @Test("An article has at most the maximum number of a user's tags", arguments: StoreEngine.allCases)
    func tagBound(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        let tags = try (0...MarkError.mostTags).map { try TagName("tag \(1000 + $0)") }
        var other = ArticleMarks()
        other.tags = tags.map { .init($0) }
        let merge = try await library.stores.marks.merge([library.ids[0]: other], by: library.ada, at: Self.later)
        #expect(merge.articles == 1 && merge.tagsLeftOut == 1)
        #expect(try await library.marks(0)?.tags.count == MarkError.mostTags)
        let last = tags[MarkError.mostTags]
        // None of several articles is changed.
        await #expect(throws: MarkError.tooManyTags) { try await library.change(.tag(last, true), 1, 0) }
        #expect(try await library.marks(1)?.tags.isEmpty == true)
        #expect(try await library.stores.marks.counts(of: library.ada).tags.count == MarkError.mostTags)
        #expect(try await library.change(.tag(tags[0], true), 1, 0) == 1)
        #expect(try await library.change(.tag(last, true), 1) == 1)
        #expect(try await library.change(.tag(last, true), 0, by: library.bob) == 1)
        try await library.change(.tag(tags[5], false), 0)
        #expect(try await library.change(.tag(last, true), 0) == 1)
    }

    @Test(
        "A tag added and removed in one merge follows the later time, and on a tie is kept",
        arguments: StoreEngine.allCases, [(5.0, 6.0, false), (6, 5, true), (5, 5, true)])
    func tagTwice(engine: StoreEngine, times: (given: Double, removed: Double, isSet: Bool)) async throws {
        for begins in [nil, true, false] {
            let library = try await Library(engine)
            let tag = try TagName("t")
            if let begins {
                try await library.change(.tag(tag, true), 0)
                if !begins { try await library.change(.tag(tag, false), 0) }
            }
            var other = ArticleMarks()
            other.tags = [.init(tag, changed: Self.start.addingTimeInterval(times.given))]
            other.removedTags = [.init(try TagName("T"), changed: Self.start.addingTimeInterval(times.removed))]
            try await library.stores.marks.merge([library.ids[0]: other], by: library.ada, at: Self.later)
            let marks = try await library.marks(0)
            #expect(marks?.tags.map(\.value) == (times.isSet ? [tag] : []), "\(String(describing: begins))")
            let last = times.isSet ? marks?.tags.first : marks?.removedTags.first
            // A tag that was never added is not recorded as removed.
            #expect(
                last?.changed
                    == (times.isSet || begins != nil
                        ? Self.start.addingTimeInterval(max(times.given, times.removed)) : nil))
        }
    }

    @Test("A user has at most the maximum number of different tags", arguments: StoreEngine.allCases)
    func ownTagBound(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        func merge(_ tags: [TagName], into index: Int, removed: [TagName] = []) async throws -> MarkMerge {
            var other = ArticleMarks()
            other.tags = tags.map { .init($0, changed: Self.later) }
            other.removedTags = removed.map { .init($0, changed: Self.later) }
            return try await library.stores.marks.merge(
                [library.ids[index]: other], by: library.ada, at: Self.later)
        }
        let tags = try await library.stores.marks.giveAllTags(to: library.ada, in: library.stores.articles)
        #expect(try await library.stores.marks.counts(of: library.ada).tags.count == MarkError.mostOwnTags)
        let (one, other) = (try TagName("a"), try TagName("b"))
        await #expect(throws: MarkError.tooManyOwnTags) { try await library.change(.tag(one, true), 0) }
        #expect(try await library.marks(0)?.isEmpty == true)
        // An existing tag may be added to other articles, and another user has other tags.
        #expect(try await library.change(.tag(try TagName(tags[0].name.uppercased()), true), 0) == 1)
        #expect(try await library.change(.tag(one, true), 0, by: library.bob) == 1)
        // No article is marked, so no limit is exceeded.
        #expect(try await library.change(.tag(one, true), .ids([4711])) == 0)
        let full = try await merge([other, one], into: 0)
        #expect(full.articles == 0 && full.tagsLeftOut == 2)
        // Tags without an article make room, which goes to the first tag in order.
        try await library.change(.tag(tags[0], false), .all)
        let freed = try await merge([other, one], into: 0)
        #expect(freed.articles == 1 && freed.tagsLeftOut == 1)
        #expect(try await library.marks(0)?.tags.map(\.value) == [one])
        let exchanged = try await merge([other], into: 0, removed: [one])
        #expect(exchanged.articles == 1 && exchanged.tagsLeftOut == 0)
        #expect(try await library.stores.marks.counts(of: library.ada).tags.count == MarkError.mostOwnTags)
    }

    @Test(
        "A library knows its size, and the months in which its articles were published", arguments: StoreEngine.allCases
    )
    func size(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        #expect(try await stores.articles.size() == LibrarySize())
        let days: [Double] = [0, 1, 40, -365_300]
        try await stores.articles.upsert(
            days.enumerated().map { index, day in
                ArticleDraft(
                    key: ExactText("\(index)"), title: "T", body: String(repeating: "word ", count: 460),
                    published: Date(timeIntervalSince1970: day * 86_400))
            })
        let expected: [LibrarySize.Month] = [
            .init("0969-11", articles: 1), .init("1970-01", articles: 2), .init("1970-02", articles: 1),
        ]
        #expect(try await stores.articles.size() == LibrarySize(articles: 4, readingMinutes: 8, months: expected))
    }

    @Test("Read articles are counted by day", arguments: StoreEngine.allCases)
    func days(engine: StoreEngine) async throws {
        let library = try await Library(engine)
        try await library.change(.read(true), 0, 1)
        try await library.change(.read(true), .ids([library.ids[2]]), at: Self.start.addingTimeInterval(86_400))
        try await library.change(.read(false), 1)
        let day = 1_700_000_000 / 86_400
        #expect(try await library.stores.marks.readDays(of: library.ada) == [day: 1, day + 1: 1])
    }

    @Test(
        "A tag has a name that fits on a line",
        arguments: ["", "  ", "a,b", "a\nb", "a\u{1B}b", String(repeating: "a", count: 101)])
    func tagNames(name: String) {
        #expect(throws: TagError(name: name)) { try TagName(name) }
    }
}

@Suite("ArticleRepository's numbers, with marks")
struct ArrivedNumbersTests {
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    @Test("The numbers of a list can be read alone, by arrival, from either end", arguments: StoreEngine.allCases)
    func arrived(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        defer { withExtendedLifetime(stores) {} }
        let (articles, marks) = (stores.articles, stores.marks)
        let user = try await stores.user("ada").id
        func draft(_ number: Int) -> ArticleDraft {
            // The order of publication differs from that of arrival.
            ArticleDraft(
                key: "k\(number)", title: "Title \((number * 5) % 9)", body: number % 2 == 0 ? "even" : "odd",
                language: "en", published: Self.start.addingTimeInterval(Double((number * 7) % 9)))
        }
        let ids = try await articles.upsert((0..<9).map(draft), into: .library).map(\.id)
        let other = try await articles.upsert(
            [ArticleDraft(key: "other", title: "Other", body: "Else.")], into: .init(name: "other", kind: .stream)
        ).map(\.id)
        for number in ids[...3] {
            try await marks.change(.read(true), of: .ids([number]), by: user, at: Self.start)
        }
        try await marks.change(.starred(true), of: .ids([ids[7], ids[2]]), by: user, at: Self.start)
        func numbers(_ query: ArticleQuery, latestFirst: Bool = false, limit: Int = 99) async throws -> [Int64] {
            try await articles.numbers(of: query, latestFirst: latestFirst, limit: limit)
        }
        // The order of the query does not matter, and all its conditions apply.
        for sort in ArticleQuery.Sort.allCases {
            #expect(try await numbers(ArticleQuery(sort: sort)) == ids + other)
            #expect(try await numbers(ArticleQuery(sort: sort), latestFirst: true) == (ids + other).reversed())
        }
        #expect(try await numbers(ArticleQuery(), latestFirst: true, limit: 2) == [other[0], ids[8]])
        #expect(try await numbers(ArticleQuery(), limit: 0) == [ids[0]])
        #expect(try await numbers(ArticleQuery(source: "other")) == other)
        #expect(try await numbers(ArticleQuery(source: "LIBRARY"), latestFirst: true, limit: 1) == [ids[8]])
        #expect(try await numbers(ArticleQuery(language: "en"), latestFirst: true) == ids.reversed())
        #expect(try await numbers(ArticleQuery(text: "odd")) == [1, 3, 5, 7].map { ids[$0] })
        let unread = ArticleQuery(marks: MarkCondition(userID: user, isRead: false))
        #expect(try await numbers(unread, limit: 3) == Array(ids[4...6]))
        let starred = ArticleQuery(marks: MarkCondition(userID: user, isStarred: true))
        #expect(try await numbers(starred, latestFirst: true) == [ids[7], ids[2]])
        var ranged = ArticleQuery(marks: MarkCondition(userID: user, isRead: true))
        ranged.numbers = ids[1]..<ids[3]
        #expect(try await numbers(ranged) == [ids[1], ids[2]])
    }
}

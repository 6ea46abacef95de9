import ArticleStore
import AuthService
import Database
import Migrations
import PostgreSQL
import StoreEngines
import Synchronization
import TestSupport
import Testing
import Text

@Suite("LibraryTransfer", .withServer)
struct TransferTests {
    @Test("A library with rows in every table arrives on a server and back in a file, with equal contents")
    func bothDirections() async throws {
        let (folder, schema) = (try TemporaryFolder(), try await TemporarySchema(isEmpty: true))
        let (first, second) = (StorePlace.file(folder.file("a.db")), StorePlace.file(folder.file("b.db")))
        let server = StorePlace.server(schema.address())
        let sample = try await Sample(at: first)
        let copied = try await Self.copy(first, to: server)
        for table in copied { #expect(table.rowCount > 0, "The sample has no row in \(table.name)") }
        let content = try await sample.content(of: first)
        #expect(try await sample.content(of: server) == content)
        #expect(try await Self.copy(server, to: second) == copied)
        #expect(try await sample.content(of: second) == content)
        // The counters, the labels, the search index, and the checksums of the new file.
        let database = try Database(path: folder.file("b.db"), schema: .articlesctl)
        #expect(try MarkCheck(database: database).findings().isEmpty)
        #expect(try LibraryCheck(database: database).findings().isEmpty)
        for place in [server, second] { try await sample.checkAccess(to: place) }
    }

    @Test("Numbers of later articles, sources, users, and changes of marks follow those of the source")
    func numbers() async throws {
        let (folder, schema) = (try TemporaryFolder(), try await TemporarySchema(isEmpty: true))
        let (first, second) = (StorePlace.file(folder.file("a.db")), StorePlace.file(folder.file("b.db")))
        let server = StorePlace.server(schema.address())
        let sample = try await Sample(at: first)
        let before = try await sample.positions(in: first)
        for (source, target) in [(first, server), (server, second)] {
            _ = try await Self.copy(source, to: target)
            let stores = try await Stores.open(target)
            // A client that continues from its position gets the new change.
            let mark = try await stores.marks.change(
                [.starred(true)], of: .ids([sample.articles[3]]), by: sample.reader)
            #expect(mark == 1)
            let changes = try await stores.marks.changes(of: sample.reader, after: before.marks, limit: 100)
            #expect(changes.marks[sample.articles[3]]?.starred.value == true)
            _ = try await stores.marks.change([.starred(false)], of: .ids([sample.articles[3]]), by: sample.reader)
            let last = try #require(sample.articles.last)
            let added = try await stores.articles.upsert(
                ArticleDraft(key: ExactText("new \(target)"), title: "New", body: "x"))
            #expect(added.id > last + 1, "A number of a deleted article was used again")
            let changed = try await stores.articles.changes(after: before.articles, limit: 100)
            #expect(changed.articles.map(\.id).contains(added.id))
            #expect(changed.articles.count <= 2)
        }
    }

    @Test("A copy that stops after any batch continues where it stopped, and cannot be used before its end")
    func interrupted() async throws {
        let (folder, schema) = (try TemporaryFolder(), try await TemporarySchema(isEmpty: true))
        let (first, second) = (StorePlace.file(folder.file("a.db")), StorePlace.file(folder.file("b.db")))
        let server = StorePlace.server(schema.address())
        let sample = try await Sample(at: first, articles: 120)
        let content = try await sample.content(of: first)
        for (source, target) in [(first, server), (server, second)] {
            var stops = 0
            while try await !Self.copies(source, to: target, stoppingAfter: 3 * stops + 1) {
                stops += 1
                let error = await #expect(throws: StoreError.self) { try await Stores.open(target) }
                #expect(error?.errorKind == .unavailable)
                await #expect(throws: StoreError.self) { try await Stores.migrate(target) }
                await #expect(throws: StoreError.self) {
                    try await LibraryTransfer(from: target, to: .file(folder.file("c.db")), options: .init())
                }
            }
            #expect(stops > 5)
            #expect(try await sample.content(of: target) == content)
        }
    }

    @Test("A target with a library, or with an unfinished copy of another one, is refused and not changed")
    func otherTargets() async throws {
        let (folder, schema) = (try TemporaryFolder(), try await TemporarySchema(isEmpty: true))
        let (first, second) = (StorePlace.file(folder.file("a.db")), StorePlace.file(folder.file("b.db")))
        let server = StorePlace.server(schema.address())
        let sample = try await Sample(at: first)
        _ = try await Sample(at: second)
        await #expect(throws: TransferError.notEmpty) { try await Self.copy(first, to: second) }
        await #expect(throws: TransferError.samePlace(first)) { try await Self.copy(first, to: first) }
        #expect(try await !Self.copies(first, to: server, stoppingAfter: 20))
        await #expect(throws: TransferError.otherSource) { try await Self.copy(second, to: server) }
        // A copy of the source has its identity, but may have other rows.
        let third = StorePlace.file(folder.file("c.db"))
        _ = try await Self.copy(first, to: third)
        await #expect(throws: TransferError.otherSource) { try await Self.copy(third, to: server) }
        _ = try await Self.copy(first, to: server)
        await #expect(throws: TransferError.notEmpty) { try await Self.copy(first, to: server) }
        #expect(try await sample.content(of: server) == sample.content(of: first))
    }

    @Test("If the source changes during the copy, the copy stays unusable, and the error names the tables")
    func changedSource() async throws {
        let (folder, schema) = (try TemporaryFolder(), try await TemporarySchema(isEmpty: true))
        let (first, server) = (StorePlace.file(folder.file("a.db")), StorePlace.server(schema.address()))
        let sample = try await Sample(at: first)
        #expect(try await !Self.copies(first, to: server, stoppingAfter: TransferTable.all.count))
        try await Stores.open(first).reading.savePreferences("changed", ofUser: sample.reader)
        await #expect(throws: TransferError.different(tables: ["account_appearance"])) {
            try await Self.copy(first, to: server)
        }
        await #expect(throws: StoreError.self) { try await Stores.open(server) }
    }

    @Test("Every column of the schema is copied, computed from other columns, or worth nothing after minutes")
    func coverage() async throws {
        let schema = try await TemporarySchema()
        let rows = try await schema.pool.read([
            """
            SELECT table_name::text, column_name::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name NOT LIKE 'initial\\_%'
            """
        ])[0].map { (table: try $0.value(0) as String, column: try $0.value(1) as String) }
        let computed: Set = [
            "schema_migration", "applied_write", "source_size", "article_search", "article_search_part", "label",
            "article_label",
        ]
        let shortLived: Set = ["visit", "request_count"]
        let all = Set(rows.filter { !computed.union(shortLived).contains($0.table) }.map { "\($0.table).\($0.column)" })
        let copied = TransferTable.all.flatMap { table in table.columns.map { "\(table.name).\($0.name)" } }
        #expect(all.subtracting(copied) == ["reader.last_change"])
        #expect(Set(copied).subtracting(all) == ["mark_number.id", "mark_number.last"])
    }

    @discardableResult
    private static func copy(
        _ source: StorePlace, to target: StorePlace, progress: LibraryTransfer.Progress = { _, _ in }
    ) async throws -> [LibraryTransfer.TableResult] {
        try await LibraryTransfer(from: source, to: target, options: .init()).run(progress: progress)
    }

    private struct Stop: Error {}

    /// Copies, and stops after a number of steps.
    ///
    /// - Returns: whether the copy is complete.
    private static func copies(
        _ source: StorePlace, to target: StorePlace, stoppingAfter steps: Int
    ) async throws -> Bool {
        var count = 0
        do {
            try await copy(source, to: target) { _, _ in
                count += 1
                if count == steps { throw Stop() }
            }
            return true
        } catch is Stop {
            return false
        }
    }
}

/// A library with rows in every table.
private struct Sample {
    let clock = TestClock()
    let articles: [Int64]
    let `operator`: User.ID
    let reader: User.ID
    let session: SessionToken
    let feed: FeedSecret
    let device: DeviceToken

    private static let password = Password("velvet-tundra-ostrich")

    private static let hubToken = "a token"

    private static func service(_ stores: Stores, _ clock: TestClock) -> AuthService {
        AuthService(
            store: stores.accounts, hasher: PasswordHasher(parameters: .weakest),
            throttlePolicy: ThrottlePolicy(patience: 0), clock: { clock.now })
    }

    init(at place: StorePlace, articles count: Int = 6) async throws {
        let clock = clock
        try await Stores.migrate(place)
        var options = Stores.Options()
        options.clock = { clock.now }
        let stores = try await Stores.open(place, options: options)
        let auth = Self.service(stores, clock)
        func register(_ name: String) async throws -> User.ID {
            try await auth.register(
                username: Username(name), password: Self.password, region: Region("SE"), from: Origin("home")
            ).id
        }
        let (ada, bob, _) = (try await register("ada"), try await register("bob"), try await register("eve"))
        (`operator`, reader) = (ada, bob)
        let system = Authority.system(user: "root")
        try await auth.delete(Username("eve"), by: system)
        try await auth.setRegistration(.invitation, by: system)
        _ = try await auth.invite(by: system)
        _ = try await auth.issueReset(for: Username("ada"), by: system)
        let opened = try await auth.logIn(
            username: "bob", password: Self.password, client: "laptop\u{0}\u{10FFFD}", from: Origin("home")
        ).newSession
        (session, device) = (opened.token, opened.device)
        feed = try await auth.renewFeedAddress(token: session)
        _ = try await auth.createToken(named: "phone", scope: .read, lifetime: 3_600, token: session)
        let secret = auth.newSecret()
        let login = try await auth.logIn(username: "ada", password: Self.password, client: "", from: Origin("office"))
        _ = try await auth.addSecondFactor(
            secret, code: try #require(Authenticator(secret.base32)).code(at: clock.now),
            token: login.newSession.token)
        await #expect(throws: AuthError.self) {
            try await auth.logIn(username: "bob", password: Password("wrong"), client: "", from: Origin("away"))
        }
        try await stores.reading.saveBookmark("/articles/1", ofSession: opened.session.id.description)
        try await stores.reading.savePreferences("dark", ofUser: bob)
        let search = SavedSearch(name: TagName(stored: "Näher"), query: ArticleQuery(text: "漢字 after:7d"))
        _ = try await stores.marks.save(search, of: bob)
        let condition = try RuleCondition(search: "漢字", address: "/a?b", pattern: "text:^a|b")
        let rule = try Rule(
            name: TagName(stored: "Näher"), condition: condition, actions: [.hide, .tag(TagName(stored: "Mine"))])
        _ = try await stores.marks.save(rule, of: bob)

        var facts = SourceFacts(name: "Weblog\u{0}", kind: .feed)
        facts.tags = [TagName(stored: "News"), TagName(stored: "Null\u{0}")]
        let drafts = (1...count).map { number in
            ArticleDraft(
                key: ExactText("key \(number)\u{0}"), title: "Title \(number) 漢字", authors: ["Ada", "Élise"],
                body: "The *text* of number \(number).\u{0}", language: number % 2 == 0 ? "en" : nil,
                sourceURL: "https://example.org/\(number)", published: Date(timeIntervalSince1970: Double(number)),
                publishedOffset: 60, tags: ["swift", "Tag \(number)"], extra: #"{"a":1}"#)
        }
        try await stores.articles.upsert(drafts, into: facts)
        let ids = try await stores.articles.numbers(of: ArticleQuery(), latestFirst: false, limit: count).sorted()
        articles = Array(ids.dropLast())
        try await stores.articles.upsert(
            ArticleDraft(key: drafts[0].key, title: "Changed", body: "Changed."), into: facts)
        let (first, last) = (try #require(ids.first), try #require(ids.last))
        try await stores.articles.write { writer in
            try writer.record(
                Creation(request: Array(repeating: 1, count: 32), content: Array(repeating: 2, count: 32)), of: first)
            _ = try writer.delete(id: last, forGood: true)
        }
        let source = try #require(try await stores.articles.sources().first)
        var subscription = Subscription(
            source: source.id, address: "https://example.org/feed", nextFetch: clock.now)
        subscription.validators = .init(entityTag: [0xE9, 0], lastModified: nil)
        let hub = try #require(Hub(address: "https://hub.example/", topic: "https://example.org/f\u{E9}ed"))
        subscription.hub = hub
        try await stores.subscriptions.insert([subscription])
        try await stores.subscriptions.insert([
            HubSubscription(token: Self.hubToken, source: source.id, hub: hub, secret: "key", nextAttempt: clock.now)
        ])
        _ = try await stores.subscriptions.recordPing(token: Self.hubToken, at: clock.now)
        let feedLogin = try FeedLogin(username: "ada", password: "s\u{E9}cret")
        try await stores.subscriptions.setPassword(
            FeedPassword(feedLogin, for: "https://example.org:443"), of: source.id)
        let icon = try #require(SourceIcon(Array("GIF89a".utf8) + [0, 0xFF]))
        try await stores.subscriptions.setIcon(icon, of: source.id, until: clock.now)
        let pictures = PictureProgress(
            position: LogPosition(copy: "copy", article: 1, change: 2), start: 0, date: clock.now)
        let addresses = [first: ["https://example.org/ä.png", "https://example.org/b.png"]]
        _ = try await stores.pictures.setAddresses(
            addresses, from: nil, to: pictures, limits: PictureLimits(), at: clock.now)
        let picture = try #require(Picture([0xFF, 0xD8, 0xFF, 0]))
        let claim = PictureClaim(article: first, address: "https://example.org/ä.png")
        #expect(try await stores.pictures.finish(claim, with: picture, limits: PictureLimits()))
        try await stores.subscriptions.setQuiet(true, [source.id], by: bob)
        var movedFacts = SourceFacts(name: "Moved", kind: .feed)
        movedFacts.moveFeed(from: "https://example.org/old", to: "https://example.org/new")
        let moved = try await stores.articles.write(needing: WriteNeeds()) { [movedFacts] writer in
            try writer.insert(movedFacts, uid: nil).id
        }
        try await stores.subscriptions.insert([
            Subscription(source: moved, address: "https://example.org/new", nextFetch: clock.now)
        ])
        try await stores.subscriptions.remove([moved])
        try await stores.articles.write(needing: WriteNeeds()) { writer in
            let moved = SourceReference(id: moved, uid: SourceUID.random(), name: "")
            for (id, text) in [(first, nil), (ids[1], ArticleAppearance.OwnText("Another text.\u{0}", format: .plain))]
            {
                try writer.put(
                    ArticleAppearance(
                        source: moved, key: ExactText("elsewhere \(id)\u{0}"), content: .max - 1,
                        title: "Elsewhere\u{0}",
                        address: "https://example.org/\(id)?utm_source=a", text: text), of: id)
            }
        }

        try await stores.marks.change([.read(true)], of: .ids([first]), by: ada)
        try await stores.marks.change([.read(true)], of: .all, by: bob)
        clock.advance(by: 1)
        let second = ids[1]
        for change: MarkChange in [
            .read(false), .starred(true), .later(true), .hidden(true), .note("A note\u{0}"), .readingPosition(500),
            .tag(TagName(stored: "Mine\u{0}"), true), .tag(TagName(stored: "Old"), true),
            .tag(TagName(stored: "Old"), false), .starred(false),
        ] {
            try await stores.marks.change([change], of: .ids([second]), by: bob, at: clock.now)
        }
        try await stores.marks.change([.starred(true)], of: .ids([first, ids[2]]), by: ada, at: clock.now)
    }

    /// The contents as programs see them.
    func content(of place: StorePlace) async throws -> [String] {
        let stores = try await Stores.open(place)
        var lines: [String] = []
        for id in articles {
            lines.append(String(reflecting: try await stores.articles.articles(ids: [id], upTo: 1).first))
        }
        lines.append(String(reflecting: try await stores.articles.sources()))
        for kind in [ArticleLabel.Kind.author, .tag] {
            lines.append(String(reflecting: try await stores.articles.labels(kind).sorted { $0.key < $1.key }))
        }
        for words in ["text", "漢字", "author:élise", "tag:swift -changed"] {
            let found = try await stores.articles.list(.init(text: words), after: nil, limit: 1_000, counts: false)
            lines.append("\(words): \(found.summaries.map(\.id).sorted())")
        }
        for user in [`operator`, reader] {
            let marks = try await stores.marks.marks(of: articles, by: user)
            for id in articles { lines.append(String(reflecting: marks[id])) }
            let counts = try await stores.marks.counts(of: user)
            lines.append("\(counts.unread) \(counts.starred) \(counts.later) \(counts.noted) \(counts.tags)")
            let read = try await stores.marks.readCounts(of: user)
            lines.append("\(read.sources.sorted { $0.key < $1.key }) \(read.tags.sorted { $0.key < $1.key })")
            lines.append("\(try await stores.reading.preferences(ofUser: user) ?? "none")")
            lines.append(String(reflecting: try await stores.marks.savedSearches(of: user)))
            lines.append(String(reflecting: try await stores.marks.rules(of: user)))
            lines.append(String(reflecting: try await stores.accounts.events(of: user, limit: 1_000)))
        }
        lines.append(String(reflecting: try await stores.accounts.users()))
        let subscriptions = try await stores.subscriptions.subscriptions()
        lines.append(String(reflecting: subscriptions))
        lines.append("\(try await stores.subscriptions.unsubscribedSources())")
        for source in try await stores.articles.sources() {
            lines.append(String(reflecting: try await stores.subscriptions.icon(of: source.uid)))
        }
        for (article, pictures) in try await stores.pictures.pictures(of: articles) {
            for (address, picture) in pictures {
                lines.append(
                    "\(article) \(address) \(picture) \(try await stores.pictures.picture(picture.uid)?.bytes ?? [])")
            }
        }
        lines.append(String(reflecting: try await stores.pictures.progress()))
        let hub = try await stores.subscriptions.hubSubscription(withToken: Self.hubToken)
        lines.append("\(hub?.hub.topic ?? "") \(hub?.secret ?? "") \(String(describing: hub?.nextAttempt))")
        lines.append("\(try await stores.articles.sources().map(\.facts.formerAddresses))")
        for password in try await stores.subscriptions.passwords(of: subscriptions.map(\.id)).values {
            lines.append("\(password.origin) \(password.login.username) \(password.login.password)")
        }
        lines.append(String(reflecting: try await stores.articles.changes(after: nil, limit: 1_000).position))
        lines.append("\(try await stores.articles.articleCounts().sorted { $0.key < $1.key })")
        return lines
    }

    /// Checks sessions, logins, and the audit log.
    func checkAccess(to place: StorePlace) async throws {
        let stores = try await Stores.open(place)
        let auth = Self.service(stores, clock)
        #expect(try await stores.accounts.verifyAuditLog() == nil)
        #expect(try await auth.currentSession(token: session, isUse: false)?.user.id == reader)
        #expect(try await auth.user(of: feed)?.id == reader)
        #expect(try await auth.registration() == .invitation)
        let opened = try await auth.logIn(
            username: "bob", password: Self.password, client: "", from: Origin("other"), device: device)
        #expect(try opened.newSession.session.user.id == reader)
        let guarded = try await auth.logIn(
            username: "ada", password: Self.password, client: "", from: Origin("other"))
        #expect(throws: AuthError.secondFactorNeeded) { try guarded.newSession }
        #expect(try await stores.accounts.verifyAuditLog() == nil)
    }

    /// The positions from which a client of the reader continues.
    func positions(in place: StorePlace) async throws -> (articles: LogPosition, marks: Int64) {
        let stores = try await Stores.open(place)
        return (
            try await stores.articles.changes(after: nil, limit: 1_000).position,
            try await stores.marks.changes(of: reader, after: 0, limit: 1_000).position
        )
    }
}

extension MarkRepository {
    /// Changes marks at a fixed time.
    @discardableResult
    fileprivate func change(
        _ changes: [MarkChange], of articles: ArticleSelection, by user: Int64
    ) async throws -> Int {
        try await change(changes, of: articles, by: user, at: Date(timeIntervalSince1970: 1_700_000_100))
    }
}

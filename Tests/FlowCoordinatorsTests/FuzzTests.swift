import ArticleStore
import AuthService
import FlowCoordinators
import Foundation
import Navigation
import StoreEngines
import Synchronization
import TestSupport
import Testing

/// `FUZZ_STEPS` steps in total, divided into walks with a seed each; the first seed is `FUZZ_SEED`.
@Suite("Random actions of the application")
struct FuzzTests {
    private static let walks = 4
    private static let steps = Fuzzing.rounds(usual: 18_000) / walks
    private static let firstSeed = Int(Fuzzing.firstSeed)

    @Test(
        "State and coordinators agree, nothing protected is shown without a session, and nothing leaks",
        arguments: firstSeed..<firstSeed + walks)
    func walk(seed: Int) async throws {
        let walker = try await Walker(seed: UInt64(seed))
        let clock = ContinuousClock()
        let start = clock.now
        for step in 1...Self.steps {
            do {
                try await walker.step()
            } catch {
                throw Flaw("\(error); with FUZZ_SEED=\(seed), at step \(step), after \(walker.trail)")
            }
        }
        let seconds = (clock.now - start) / .seconds(1)
        let reached = walker.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        if Fuzzing.isLong {
            print(
                "Seed \(seed): \(Self.steps) steps, \(Int(Double(Self.steps) / seconds)) a second. Reached: \(reached)."
            )
        }
        #expect(walker.counts.values.allSatisfy { $0 > 0 }, "\(reached)")
    }
}

private struct Flaw: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Draws its actions from one seed, and checks the invariants after each step.
private final class Walker {
    private struct Weak {
        weak var coordinator: (any Coordinator<AppRoute>)?
    }

    /// The last actions, newest last.
    private(set) var trail: [String] = []
    /// How often each interesting state was reached.
    private(set) var counts = [
        "log-in": 0, "expiry": 0, "resumption": 0, "restoration": 0, "release": 0,
        "work in flight": 0, "question": 0, "memory": 0, "unknown path": 0, "import": 0,
    ]

    private var random: SeededGenerator
    private let accounts = MemoryAccounts()
    private let tokens = MemoryTokenStore()
    private let time = TestClock()
    private let auth: AuthService
    private let articles: MemoryArticles
    private var application: ApplicationCoordinator
    private var coordinators: [FlowID: Weak] = [:]
    private let stranger: Session.ID
    private var known: [(token: SessionToken, stored: StoredSession)] = []
    private var saved: [Data] = []
    private let folder: TemporaryFolder

    /// Every password is ``Application/password``, hashed in 8 KiB.
    private static func cheap(_ accounts: MemoryAccounts) -> WatchedAccounts {
        WatchedAccounts(
            accounts,
            passwordHash: PasswordHash(
                encoded:
                    "$argon2id$v=19$m=8,t=1,p=1$9Owejd4Ud86Mpf2nv9AatQ$uzn76dCvbsO6Rfha0YEmY5vWRXI1YT2SuKb+TDRUBp4"))
    }

    private static let names = ["ada", "bob"]
    private static let paths = [
        "/", "/login?username=ada", "/articles?limit=3", "/articles?tag=swift&limit=2", "/articles/article-1",
        "/articles/5", "/articles/missing", "/nowhere",
    ]
    private static let routes =
        AppRoute.graph.nodes.compactMap { AppRoute(path: $0.screen) } + paths.compactMap { AppRoute(path: $0) }

    init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        guard let stranger = Session.ID("0123456789abcdef") else { throw Flaw("this is no id of a session") }
        self.stranger = stranger
        let time = time
        let bytes = Mutex(SeededGenerator(seed: ~seed))
        // The policy is the application's own; only the hash is as cheap as possible.
        auth = AuthService(
            store: Self.cheap(accounts), hasher: PasswordHasher(parameters: .weakest),
            clock: { time.now },
            randomBytes: { count in
                bytes.withLock { bytes in (0..<count).map { _ in .random(in: 0...255, using: &bytes) } }
            })
        folder = try TemporaryFolder()
        try folder.write("found.md", "# Found\n\nText.")
        articles = MemoryArticles(clock: { time.now })
        application = Self.application(on: auth, articles, tokens, home: folder.path)
        for name in Self.names {
            let password = Password(Application.password)
            try await auth.register(
                username: Username(name), password: password, region: Region("SE"), from: .test)
            let token = try await auth.logIn(username: name, password: password, client: "fuzz", from: .test).newSession
                .token
            if let stored = try await accounts.session(token.sessionID) { known.append((token, stored)) }
        }
        try await articles.upsert(
            (1...7).map { number in
                ArticleDraft(
                    slug: "article-\(number)", title: "Article \(number)", body: "Body \(number)",
                    published: Date(timeIntervalSince1970: Double(number) * 86_400), tags: ["swift"])
            })
        try await application.start()
    }

    private static func application(
        on auth: AuthService, _ articles: MemoryArticles, _ tokens: MemoryTokenStore, home: String
    ) -> ApplicationCoordinator {
        let application = ApplicationCoordinator(
            auth: auth, articles: articles, tokens: tokens, client: "fuzz", origin: .test,
            imports: ImportSettings(home: home))
        // Events of other screens are sent too, and their moves are refused.
        application.navigator.onRejection = { _, _ in }
        return application
    }

    private func one<T>(of choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &random)] }

    private func chance(_ percent: Double) -> Bool { Double.random(in: 0..<100, using: &random) < percent }

    private func route() -> AppRoute { one(of: Self.routes) }

    private func stack() -> [AppRoute] { (0..<Int.random(in: 0...4, using: &random)).map { _ in route() } }

    func step() async throws {
        // Deleted and renamed users are inserted again, or soon nobody could log in.
        for name in try Self.names.map({ try Username($0) }) where try await accounts.account(named: name) == nil {
            _ = try await Self.cheap(accounts).createUser(
                username: name, region: Region("SE"), passwordHash: PasswordHash(encoded: ""), invitation: nil,
                recording: AuditEvent(.registered, at: time.now, client: "fuzz"))
        }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: try await chooseOnScreen()
        case 35..<50: try await send(event())
        case 50..<65:
            note("back")
            _ = try await application.back()
        case 65..<77:
            let transition = transition()
            note("\(transition)")
            try? application.navigator.perform(transition)
        case 77..<81:
            let route = route()
            note("link \(route.path)")
            try await application.start(at: route)
        case 81..<87:
            note("a session of before, at its place")
            let known = one(of: known)
            try await reopen(known.stored)
            tokens.token = known.token.text
            try await application.start(at: chance(50) ? route() : nil)
        case 87..<90:
            note("every session is ended")
            try await accounts.removeExpired(
                at: .distantFuture, idleSince: .distantFuture, eventsBefore: .distantPast, onceBefore: .distantPast,
                recording: AuditEvent(.logPruned, at: time.now, client: ""))
        case 90..<93:
            let days = Double.random(in: 0...8, using: &random)
            note("\(days) days pass")
            time.advance(by: days * 86_400)
        case 93..<96: try save()
        case 96..<99: try await restore()
        default: try await restart()
        }
        if chance(60) { await application.finishWork() }
        if chance(10) { application.navigator.settle() }
        if application.navigator.hasWork { counts["work in flight", default: 0] += 1 }
        try check()
    }

    /// Opens an earlier session again, as another client of the same user would.
    private func reopen(_ stored: StoredSession) async throws {
        let (old, now) = (stored.session, time.now)
        guard let user = try await accounts.account(named: old.user.username)?.user else { return }
        let session = Session(
            id: old.id, user: user, client: old.client, origin: old.origin, createdAt: now, lastUsedAt: now,
            confirmedAt: now, expiresAt: now.addingTimeInterval(30 * 86_400))
        let event = AuditEvent(.loggedIn, at: now, userID: user.id, sessionID: old.id, client: old.client)
        _ = try await accounts.endSession(old.id, of: user.id, recording: event)
        _ = try await accounts.openSession(
            StoredSession(session: session, secretHash: stored.secretHash), keeping: 100, recording: event)
    }

    private func note(_ action: String) {
        if trail.count == 20 { trail.removeFirst() }
        trail.append(action)
    }

    private func send(_ event: AppEvent) async throws {
        note(event.name)
        let hadSession = application.currentUser.session != nil
        let waiting = application.navigator.state.deferred?.target.routes
        try await application.send(event)
        if chance(80) { await application.finishWork() }
        if application.navigator.journal.entries.suffix(8).contains(.event(name: "importing", path: "/import")) {
            counts["import", default: 0] += 1
        }
        let hasSession = application.currentUser.session != nil
        if !hadSession, hasSession {
            counts["log-in", default: 0] += 1
            if let waiting, waiting == application.navigator.state.frames.map(\.route) {
                counts["resumption", default: 0] += 1
            }
        }
        if hadSession, !hasSession, event.name == "open" || event.name.hasSuffix("Chosen"),
            !event.name.hasPrefix("logOut")
        {
            counts["expiry", default: 0] += 1
        }
    }

    /// Does an action that is possible on the current screen.
    private func chooseOnScreen() async throws {
        let screen: Screen
        do {
            screen = try await application.screen()
        } catch  where error is ScreenError || error is ArticleError {
            return note("a screen that cannot be shown")
        } catch is AuthError {
            return note("a screen without a session")
        }
        var events = screen.actions.map(\.event)
        switch screen.content {
        case .list(let list):
            events += list.rows.compactMap(\.event)
            events += [list.more, list.earlier].compactMap(\.self).flatMap { [$0.some, $0.last] }
            if list.search != nil { events.append(.searched(one(of: ["", "article", "5"]))) }
        case .form: events += [.submitted(answers()), .submitted(answers()), .submitted(answers())]
        case .menu, .document: break
        }
        if !events.isEmpty { try await send(one(of: events)) }
    }

    /// Sends any event, on any screen.
    private func event() -> AppEvent {
        one(of: [
            .open(.login()), .open(.signUpAccount), .submitted(answers()), .open(.article("article-2")),
            .open(.article("none")),
            .moreRowsWanted, .lastRowsWanted, .linkFollowed(one(of: ["article-3", "none"])),
            .originalChosen,
            .searched("5"), .appearancePicked(.dark), .textSizeChosen(.large), .readAbove(2, upTo: 3), .open(.account),
            .open(.sessions),
            .sessionRevocationChosen(stranger),
            .sessionRevocationChosen(application.currentUser.session?.id ?? stranger),
            .open(.password), .open(.tokens), .open(.newToken), .open(.feedAddress), .newFeedAddressChosen,
            .feedAddressRemovalChosen, .open(.ownTags("article-1")), .open(.note("article-1")), .open(.writing),
            .open(.savingPage()),
            .open(.libraryPart(LibraryPart(.sources))), .open(.sources(page: 2)),
            .open(.editing("article-1")), .articleDeletionChosen,
            .tokenRevocationChosen(stranger),
            .open(.users), .open(.audit), .open(.name),
            .open(.secondFactorSettings), .open(.secondFactorSetUp), .recoveryCodesChosen, .secondFactorRemovalChosen,
            .open(.region), .open(.deletion), .open(.reset), .logOutChosen, .logOutEverywhereChosen, .open(.importing),
            .leaveConfirmed, .leaveDeclined,
            .sessionEndConfirmed(one(of: [.here, .everywhere, .session(stranger)])),
        ])
    }

    /// Right passwords and new names are rare, because each costs a hash, which takes longer than a thousand steps.
    private func answers() -> Answers {
        let isRight = chance(application.place.flow == .login ? 20 : 0.5)
        let password = isRight ? Application.password : "wrong"
        let name = chance(0.2) ? "user-\(Int.random(in: 0..<1000, using: &random))" : one(of: Self.names)
        return [
            .username: isRight || chance(5) ? name : "-", .password: password, .newPassword: password,
            .confirmation: chance(90) ? password : "other", .code: "000000", .region: one(of: ["SE", "DE", "nowhere"]),
            .path: one(of: ["", "~/found.md", "~/nothing"]), .tags: "a, b", .note: "a",
            .text: one(of: ["", "# New", "---\ntitle: x"]), .name: name, .scope: "read",
            .days: one(of: ["1", "0"]),
        ]
    }

    private func transition() -> Transition<AppRoute> {
        let flows = application.navigator.state.flows.map(\.id)
        return switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: .push(route())
        case 2: .present(route())
        case 3: .begin(route(), modal: chance(50))
        case 4: .replace(route())
        case 5: .pop(Int.random(in: -1...3, using: &random))
        case 6: chance(50) ? .popToRoot : .dismiss
        case 7 where !flows.isEmpty: .end(one(of: flows))
        default: .show(stack())
        }
    }

    private func save() throws {
        note("save")
        if saved.count == 8 { saved.removeFirst() }
        saved.append(try JSONEncoder().encode(application.navigator.state))
    }

    private func restore() async throws {
        guard !saved.isEmpty else { return }
        note("restore")
        var text = String(decoding: one(of: saved), as: UTF8.self)
        let words = ["account", "articles", "signup", "welcome", "import"].filter { text.contains("/" + $0) }
        if chance(60), !words.isEmpty {
            text = text.replacing("/" + one(of: words), with: "/gone")
            counts["unknown path", default: 0] += 1
        }
        if text.contains("memory") { counts["memory", default: 0] += 1 }
        let state = try JSONDecoder().decode(NavigationState<AppRoute>.self, from: Data(text.utf8))
        if (try? application.navigator.restore(state)) != nil { counts["restoration", default: 0] += 1 }
    }

    /// The process ends and another begins, with the stored token.
    private func restart() async throws {
        note("restart")
        application = Self.application(on: auth, articles, tokens, home: folder.path)
        if let leaked = coordinators.values.compactMap(\.coordinator).first {
            throw Flaw("\(leaked) outlives its application")
        }
        coordinators = [:]
        try await application.start(at: chance(50) ? route() : nil)
    }

    private func check() throws {
        let navigator = application.navigator
        let state = navigator.state
        let open = Set(state.flows.map(\.id))
        guard !state.frames.isEmpty else { throw Flaw("the stack is empty") }
        guard open == Set(navigator.coordinators.keys) else { throw Flaw("\(open) are open, others are driven") }
        let session = application.currentUser.session
        if session == nil, let shown = state.frames.first(where: \.route.isProtected) {
            throw Flaw("\(shown.route.path) is shown to nobody")
        }
        if let question = state.question {
            guard open.contains(question) else { throw Flaw("a question is asked by nobody") }
            counts["question", default: 0] += 1
        }
        guard state.subject == session.map({ String($0.user.id) }) else { throw Flaw("the stack is another's") }

        for (id, weak) in coordinators where !open.contains(id) {
            if let leaked = weak.coordinator { throw Flaw("\(leaked) of \(id) is not released") }
            coordinators[id] = nil
            counts["release", default: 0] += 1
        }
        for (id, coordinator) in navigator.coordinators { coordinators[id] = Weak(coordinator: coordinator) }
        if chance(1), "\(navigator.journal)".contains(Application.password) {
            throw Flaw("the journal holds a password")
        }
    }
}

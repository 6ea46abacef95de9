import ArticleImporting
import ArticleStore
import AuthService
import FlowCoordinators
import Foundation
import Navigation
import StoreEngines
import TestSupport
import Testing

@Suite("Long work")
struct WorkTests {
    /// A signed-in reader with a slow library.
    private static func reader(at route: AppRoute = .articles()) async throws -> (Application, HeldArticles) {
        let held = HeldArticles()
        let application = try await Application(holding: held)
        try await application.seed(3)
        try await application.register()
        try await application.coordinator.start(at: route)
        try await application.logIn()
        return (application, held)
    }

    /// Begins an import that waits.
    static func importing(_ story: (Application, HeldArticles) async throws -> Void) async throws {
        let (application, held) = try await reader()
        try await application.choose("import")
        try application.write("# Found\n\nText.", to: "found.md")
        try await application.coordinator.send(.submitted([.path: "~/found.md"]))
        await held.reached.wait()
        try await story(application, held)
    }

    @Test("A login shows that it is busy and accepts other keys, and if it is left, opens no session")
    func logIn() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .login())
        let right: Answers = [.username: "ada", .password: Application.password]
        let opening = application.accounts.hold(.openSession)
        try await application.coordinator.send(.submitted(right))
        await opening.reached.wait()
        #expect(try await application.screen.activity == "Logging in")
        try await application.back()
        opening.latch.open()
        await application.coordinator.finishWork()
        #expect(application.stack == ["/welcome"])
        #expect(application.coordinator.currentUser.session == nil)
        #expect(application.tokens.token == nil)

        try await application.choose("log-in")
        try await application.coordinator.send(.submitted(right))
        try await application.coordinator.send(.open(.signUpAccount))
        await application.coordinator.finishWork()
        #expect(application.place == "/signup")
        #expect(application.coordinator.currentUser.session == nil)
    }

    @Test("A search shows that it is busy, further typing replaces it, and another choice cancels it")
    func search() async throws {
        let (application, held) = try await Self.reader()
        try await application.coordinator.send(.searched("2"))
        await held.reached.wait()
        #expect(application.stack == ["/library", "/articles"])
        #expect(try await application.screen.activity == "Searching")
        try await application.coordinator.send(.searched("3"))
        held.latch.open()
        await application.coordinator.finishWork()
        #expect(application.stack == ["/library", "/articles?search=3%2A"])
        #expect(try await application.screen.list?.rows.count == 1)
        #expect(try await application.screen.activity == nil)
    }

    @Test("Asking for the previous article again, while it is loading, goes one further")
    func turnedTwice() async throws {
        let (application, held) = try await Self.reader()
        let rows = try #require(try await application.screen.list).rows
        try await application.coordinator.send(try #require(rows.last?.event))
        await application.coordinator.finishWork()
        try await application.coordinator.send(.previousArticleChosen)
        await held.reached.wait()
        try await application.coordinator.send(.previousArticleChosen)
        held.backwards.open()
        await application.coordinator.finishWork()
        #expect(try await application.coordinator.back())
        #expect(rows.count == 3)
        #expect(try await application.screen.list?.current == rows[0].id)
    }

    @Test("The current list is not read again while another is loading, which may take as long")
    func notReadAgain() async throws {
        let (application, held) = try await Self.reader()
        _ = try await application.screen
        try await application.coordinator.send(.searched("2"))
        await held.reached.wait()
        let pages = held.pages
        #expect(try await application.screen.list?.rows.count == 3)
        #expect(held.pages == pages)
        held.latch.open()
        await application.coordinator.finishWork()
        #expect(try await application.screen.list?.rows.count == 1)
        #expect(held.pages == pages)
        _ = try await application.screen
        #expect(held.pages == pages + 1, "when nothing goes on, it is as it is in the library now")
    }

    @Test("A screen says what it waits for", .timeLimit(.minutes(30)))
    func words() async throws {
        for (place, event, words) in [
            (.articles(), .lastRowsWanted, "Loading the list"),
            (.article("article-1"), .previousArticleChosen, "Loading the article"),
        ] as [(AppRoute, AppEvent, String)] {
            let (application, held) = try await Self.reader(at: place)
            try await application.coordinator.send(event)
            await held.reached.wait()
            #expect(try await application.screen.activity == words)
            held.backwards.open()
            await application.coordinator.finishWork()
            #expect(try await application.screen.activity == nil)
        }

        let (application, _) = try await Self.reader()
        func expect(
            _ words: String, at place: AppRoute, after event: AppEvent, until call: WatchedAccounts.Call
        ) async throws {
            try await application.coordinator.start(at: place)
            let stop = application.accounts.hold(call)
            try await application.coordinator.send(event)
            await stop.reached.wait()
            #expect(try await application.screen.activity == words)
            stop.latch.open()
            await application.coordinator.finishWork()
            #expect(try await application.screen.activity == nil)
        }
        let id = try #require(Session.ID("0123456789abcdef"))
        let change: Answers = [
            .password: "wrong", .newPassword: Application.password, .confirmation: Application.password,
        ]
        try await expect("Ending the session", at: .sessions, after: .sessionRevocationChosen(id), until: .endSession)
        try await expect("Changing the password", at: .password, after: .submitted(change), until: .admitAttempt)
        try await expect("Logging out", at: .account, after: .logOutChosen, until: .endSession)
        let registration: Answers = [
            .username: "eve", .password: Application.password, .confirmation: Application.password,
        ]
        try await expect(
            "Checking whether the name is available", at: .signUpAccount, after: .submitted(registration),
            until: .admitAttempt)
        try await application.submit([.region: "SE"])
    }

    @Test("A user who goes on to the next article while one is deleted stays there", .timeLimit(.minutes(30)))
    func deletedMeanwhile() async throws {
        let (application, held) = try await Self.reader(at: .article("article-2"))
        try await application.coordinator.send(.articleDeletionChosen)
        await held.reached.wait()
        // The next article is found while the deletion waits.
        let found = Latch()
        application.coordinator.navigator.onPending = { found.open() }
        try await application.coordinator.send(.nextArticleChosen)
        await found.wait()
        application.coordinator.navigator.settle()
        #expect(application.place == "/articles/article-1")
        held.latch.open()
        await application.coordinator.finishWork()
        #expect(application.place == "/articles/article-1")
        #expect(try await application.articles.article(slug: "article-2") == nil)
    }

    @Test("Rows that were loading appear neither in a search nor in another order", .timeLimit(.minutes(30)))
    func rowsMeanwhile() async throws {
        let (application, held) = try await Self.reader()
        let (pending, continuation) = AsyncStream<Void>.makeStream()
        try await application.coordinator.send(.lastRowsWanted)
        await held.reached.wait()
        try await application.coordinator.send(.searched("2"))
        application.coordinator.navigator.onPending = { continuation.yield() }
        held.latch.open()
        // The canceled work may also report its end.
        for await _ in pending {
            application.coordinator.navigator.settle()
            if application.stack != ["/library", "/articles"] { break }
        }
        #expect(application.stack == ["/library", "/articles?search=2%2A"])
        held.backwards.open()
        await application.coordinator.finishWork()
        #expect(application.stack == ["/library", "/articles?search=2%2A"])

        let (other, slow) = try await Self.reader()
        try await other.coordinator.send(.lastRowsWanted)
        await slow.reached.wait()
        try await other.coordinator.send(.sortChosen(.oldest))
        slow.backwards.open()
        await other.coordinator.finishWork()
        #expect(other.stack == ["/library", "/articles?sort=oldest"])
    }

    @Test("A list that was left is read again, also while a search in it continues")
    func readAgain() async throws {
        let (application, held) = try await Self.reader()
        #expect(try await application.screen.list?.rows.count == 3)
        try await application.send(.open(.article("article-1")))
        _ = try await application.screen
        try await application.delete("article-2")
        try await application.back()
        try await application.coordinator.send(.searched("3"))
        await held.reached.wait()
        #expect(try await application.screen.list?.rows.count == 2)
        held.latch.open()
        await application.coordinator.finishWork()
    }

    @Test("Rows that have just been read are drawn without being read again")
    func readOnce() async throws {
        let (application, held) = try await Self.reader()
        _ = try await application.screen
        let before = held.pages
        try await application.send(.firstRowsWanted)
        _ = try await application.screen
        #expect(held.pages == before + 1)
    }

    @Test("A search that is canceled before it found anything changes nothing")
    func takenBack() async throws {
        let (application, held) = try await Self.reader()
        try await application.coordinator.send(.searched("2"))
        await held.reached.wait()
        try await application.coordinator.send(.searched(""))
        #expect(try await application.screen.activity == nil)
        held.latch.open()
        await application.coordinator.finishWork()
        #expect(application.stack == ["/library", "/articles"])
    }

    @Test("A grown list offers the same actions as before")
    func grownOffers() async throws {
        let (application, _) = try await Self.reader()
        let actions = try await application.screen.actions.map(\.label)
        try await application.send(.moreRowsWanted)
        #expect(actions.contains("Import"))
        #expect(try await application.screen.actions.map(\.label) == actions)
    }

    @Test("A login that is left while its session is opened leaves no session", .timeLimit(.minutes(30)))
    func logInLeft() async throws {
        let application = try await Application()
        let user = try await application.register()
        try await application.coordinator.start(at: .login())
        let opening = application.accounts.hold(.openSession)
        try await application.coordinator.send(.submitted([.username: "ada", .password: Application.password]))
        await opening.reached.wait()
        try await application.back()
        await application.accounts.ended.wait()
        #expect(try await application.auth.sessions(of: user.id, by: .system(user: "test")).isEmpty)
        #expect(application.coordinator.currentUser.session == nil)
    }

    @Test("An API token whose form is left while it is made is revoked", .timeLimit(.minutes(30)))
    func tokenLeft() async throws {
        let application = try await Application()
        let user = try await application.register()
        try await application.coordinator.start(at: .newToken)
        try await application.logIn()
        let making = application.accounts.hold(.createToken)
        try await application.coordinator.send(.submitted([.name: "backup", .scope: "read", .days: "7"]))
        await making.reached.wait()
        try await application.back()
        making.latch.open()
        await application.accounts.revoked.wait()
        #expect(try await application.store.tokens(of: user.id).isEmpty)
    }

    @Test("A confirmed password permits the requested action, which is done once")
    func confirmedOnce() async throws {
        let application = try await Application()
        let user = try await application.register()
        try await application.coordinator.start(at: .newToken)
        try await application.logIn()
        application.advance(hours: 2)
        try await application.submit([.name: "backup", .scope: "read", .days: "7"])
        #expect(application.place == "/account/confirm")
        try await application.submit([.password: Application.password])
        let made = try #require(try await application.store.tokens(of: user.id).first)
        try await application.send(.tokenRevocationChosen(made.id))
        try await application.coordinator.start(at: .confirmation)
        try await application.submit([.password: Application.password])
        #expect(try await application.store.tokens(of: user.id).isEmpty)
    }

    @Test("A change of the password that is left leaves no session", .timeLimit(.minutes(30)))
    func changeLeft() async throws {
        let application = try await Application()
        let user = try await application.register()
        try await application.coordinator.start(at: .password)
        try await application.logIn()
        let changing = application.accounts.hold(.changePassword)
        let new = "another long and strange passphrase"
        try await application.coordinator.send(
            .submitted([.password: Application.password, .newPassword: new, .confirmation: new]))
        await changing.reached.wait()
        try await application.back()
        await application.accounts.ended.wait()
        #expect(try await application.auth.sessions(of: user.id, by: .system(user: "test")).isEmpty)
    }

    @Test(
        "A key between a change of the password and its answer ends nothing, and reaches no other screen",
        arguments: [true, false])
    func changeAnswered(isBack: Bool) async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .password)
        try await application.logIn()
        let answered = Latch()
        application.coordinator.navigator.onPending = { answered.open() }
        let new = "another long and strange passphrase"
        try await application.coordinator.send(
            .submitted([.password: Application.password, .newPassword: new, .confirmation: new]))
        await answered.wait()
        if isBack {
            #expect(try await application.coordinator.back())
        } else {
            try await application.coordinator.send(.open(.sessions))
        }
        #expect(application.stack == ["/account"])
        #expect(application.coordinator.currentUser.session != nil)
        #expect(try await application.hasSucceeded)
    }

    @Test("A session that is opened while the last one is looked up stays")
    @MainActor
    func openedMeanwhile() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        try await application.coordinator.start(at: .login())
        let (accounts, coordinator) = (application.accounts, application.coordinator)
        let answered = Latch()
        let opening = accounts.hold(.openSession)
        try await coordinator.send(.submitted([.username: "ada", .password: Application.password]))
        await opening.reached.wait()
        coordinator.navigator.onPending = { answered.open() }
        let finding = accounts.hold(.session)
        let asking = Task { @MainActor in try await coordinator.send(.open(.signUpAccount)) }
        await finding.reached.wait()
        opening.latch.open()
        await answered.wait()
        coordinator.navigator.settle()
        finding.latch.open()
        try await asking.value
        #expect(coordinator.currentUser.session != nil)
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test("An article chosen during a search is shown, and the search changes nothing")
    func chosenMeanwhile() async throws {
        let (application, held) = try await Self.reader()
        try await application.coordinator.send(.searched("2"))
        await held.reached.wait()
        try await application.coordinator.send(.open(.article("article-1")))
        held.latch.open()
        await application.coordinator.finishWork()
        #expect(application.stack == ["/library", "/articles", "/articles/article-1"])
    }

    @Test("An import shows that it is busy, imports the articles, and leads to the list")
    func imported() async throws {
        try await Self.importing { (application, held) async throws in
            #expect(try await application.screen.activity != nil)
            try await application.coordinator.send(.importProgressed(ImportReport()))
            #expect(try await application.hasSucceeded)
            var report = ImportReport()
            report.inserted = 900
            try await application.coordinator.send(.importProgressed(report))
            #expect(try await application.screen.activity?.contains("900") == true)
            held.latch.open()
            await application.coordinator.finishWork()
            #expect(application.stack == ["/library", "/articles"])
            #expect(try await application.screen.notice?.text.hasPrefix("1 ") == true)
            #expect(try await application.articles.article(slug: "found") != nil)
            #expect(try await application.screen.list?.total == 4)
            let told = application.coordinator.navigator.journal.entries
            #expect(told.contains(.event(name: "importProgressed", path: "/import")))
        }
    }

    @Test("An import that is left asks first, and continues or is stopped")
    func importLeft() async throws {
        try await Self.importing { (application, held) async throws in
            try await application.back()
            #expect(application.place == "/leave/import")
            try await application.coordinator.send(.leaveDeclined)
            #expect(application.place == "/import")
            try application.coordinator.navigator.perform(.show([.articles(), .account]))
            #expect(application.place == "/leave/import")
            try await application.coordinator.send(.leaveConfirmed)
            #expect(application.stack == ["/articles", "/account"])
            #expect(!application.coordinator.navigator.hasWork)
            _ = held
        }
    }

    @Test("A logout asks first if an import would be lost, and ending another session does not")
    func importAndLogOut() async throws {
        try await Self.importing { (application, _) async throws in
            let coordinator = application.coordinator
            /// Does an action, and waits only for its result: the import continues.
            func answered(_ event: AppEvent) async throws {
                let answer = Latch()
                coordinator.navigator.onPending = { answer.open() }
                try await coordinator.send(event)
                await answer.wait()
                coordinator.navigator.settle()
            }
            let stack = ["/library", "/articles", "/import", "/account"]
            try await coordinator.navigator.perform(.begin(.account))
            try await answered(.sessionRevocationChosen(try #require(Session.ID("0123456789abcdef"))))
            #expect(application.stack == stack)
            try await coordinator.send(.logOutChosen)
            #expect(application.place == "/leave/import")
            try await coordinator.send(.leaveDeclined)
            #expect(application.stack == stack)
            #expect(coordinator.currentUser.session != nil)
            try await coordinator.send(.logOutChosen)
            try await answered(.leaveConfirmed)
            #expect(application.stack == ["/welcome", "/login"])
            #expect(!coordinator.navigator.hasWork)
        }
    }

    @Test("A second import does not replace a running one, and devices are not read")
    func importTwice() async throws {
        try await Self.importing { (application, held) async throws in
            try await application.coordinator.send(.submitted([.path: "~/nothing"]))
            #expect(try await application.screen.notice?.error != nil)
            held.latch.open()
            await application.coordinator.finishWork()
            #expect(try await application.articles.article(slug: "found") != nil)
        }
        let (application, _) = try await Self.reader(at: .importing)
        try await application.coordinator.send(.submitted([.path: "/dev/zero"]))
        #expect(!application.coordinator.navigator.hasWork)
        #expect(try await application.screen.notice?.error != nil)
    }

    @Test("A finished import does not end a flow that was opened above it")
    func importDoneBeneath() async throws {
        try await Self.importing { (application, held) async throws in
            try await application.coordinator.navigator.perform(.begin(.account))
            held.latch.open()
            await application.coordinator.finishWork()
            #expect(application.stack == ["/library", "/articles", "/import", "/account"])
            #expect(try await application.screen.notice?.text.hasPrefix("1 inserted") == true)
        }
    }

    @Test("An import that finishes during the question leads to the list anyway")
    func importDoneMeanwhile() async throws {
        try await Self.importing { (application, held) async throws in
            try await application.back()
            held.latch.open()
            await application.coordinator.finishWork()
            #expect(application.stack == ["/library", "/articles"])
            #expect(application.coordinator.navigator.state.question == nil)
        }
    }

    @Test("An expired session does not ask, and the same user finds the import's path again")
    func expired() async throws {
        try await Self.importing { (application, held) async throws in
            application.advance(days: 365)
            try await application.coordinator.send(.importProgressed(ImportReport()))
            #expect(application.stack == ["/welcome", "/login"])
            #expect(!application.coordinator.navigator.hasWork)
            held.latch.open()
            try await application.logIn()
            #expect(application.place == "/import")
            #expect(try await application.screen.form?.fields.first?.value == "~/found.md")
        }
    }

    @Test(
        "An error of an import is shown, and can be corrected there",
        arguments: ["", "~/nothing", "~/wrong.json"])
    func importFails(path: String) async throws {
        let (application, held) = try await Self.reader(at: .importing)
        held.latch.open()
        try application.write("{", to: "wrong.json")
        try await application.submit([.path: path])
        let notice = try await application.screen.notice?.text ?? ""
        if path.hasSuffix("json") {
            #expect(application.stack == ["/library", "/articles"])
            #expect(notice.contains("wrong.json"))
        } else {
            #expect(application.stack == ["/library", "/articles", "/import"])
            #expect(try await application.screen.notice?.error != nil)
            if !path.isEmpty { #expect(notice.contains("nothing")) }
            try await application.back()
            #expect(application.place == "/articles", "nothing is lost any more")
        }
    }

    @Test("Of several records that an import rejects, the first is named")
    func firstRejection() async throws {
        let (application, held) = try await Self.reader(at: .importing)
        held.latch.open()
        try application.write("{}\n{}\n", to: "wrong.jsonl")
        try await application.submit([.path: "~/wrong.jsonl"])
        let notice = try await application.screen.notice?.text ?? ""
        #expect(notice.hasPrefix("0 inserted, 0 updated, 0 unchanged, 2 rejected; "))
        #expect(notice.contains("wrong.jsonl:1") && !notice.contains("wrong.jsonl:2"), "\(notice)")
    }

    @Test("A tilde alone is the home folder, and before a name it is part of the name")
    func tilde() async throws {
        let (application, held) = try await Self.reader(at: .importing)
        held.latch.open()
        try application.write("# Found\n\nText.", to: "found.md")
        try await application.submit([.path: "~found.md"])
        #expect(try await application.screen.notice?.text.contains("~found.md") == true)
        try await application.submit([.path: "~"])
        #expect(application.place == "/articles")
        #expect(try await application.articles.article(slug: "found") != nil)
    }

    @Test("A front without imports neither has the place nor offers it")
    func noImport() async throws {
        let application = try await Application()
        let other = ApplicationCoordinator(
            auth: application.auth, articles: application.articles, tokens: application.tokens, client: "test",
            origin: .test)
        try await application.register()
        try await other.start(at: .importing)
        try await other.send(.submitted([.username: "ada", .password: Application.password]))
        await other.finishWork()
        #expect(other.navigator.state.frames.map(\.route) == [.library(), .articles()])
        #expect(try await other.screen().actions.allSatisfy { $0.purpose != .importing })
    }

    @Test("A sign-up with input asks before it is left, and an empty one does not")
    func signUpLeft() async throws {
        let application = try await Application(signUp: SignUpOptions(order: .regionFirst))
        try await application.coordinator.start(at: .signUpRegion)
        try await application.back()
        #expect(application.place == "/login")
        try await application.choose("register")
        try await application.submit([.region: "SE"])
        try await application.back()
        #expect(application.place == "/signup/region", "a step back loses nothing")
        try await application.back()
        #expect(application.place == "/leave/signup")
        try await application.choose("leave")
        #expect(application.stack == ["/welcome", "/login"])
        try await application.choose("register")
        try await application.submit([.region: "SE"])
        try await application.submit([.username: "eve"])
        for _ in 0..<2 { try await application.back() }
        try await application.submit([.region: ""])
        try await application.back()
        #expect(application.place == "/leave/signup", "the name is lost too")
    }

    @Test("A sign-up that is saved resumes with its fields, and never with a password")
    func signUpSaved() async throws {
        let application = try await Application()
        try await application.coordinator.start(at: .signUpRegion)
        try await application.submit([.region: "SE"])
        try await application.submit([.username: "eve"])
        try await application.submit([.password: "quite another secret", .confirmation: "no"])
        let saved = try JSONEncoder().encode(application.coordinator.navigator.state)
        #expect(!String(decoding: saved, as: UTF8.self).contains("secret"))

        let next = try await Application()
        try await next.coordinator.start()
        try next.coordinator.navigator.restore(try JSONDecoder().decode(NavigationState.self, from: saved))
        #expect(next.place == "/signup/password")
        try await next.submit([.password: Application.password, .confirmation: Application.password])
        #expect(next.place == "/articles?unread=yes")
        #expect(next.coordinator.currentUser.session?.user.username.text == "eve")
    }

    @Test("A sign-up that is saved after the password resumes with its name, and asks for the password again")
    func accountSaved() async throws {
        let application = try await Application()
        try await application.coordinator.start(at: .signUpAccount)
        let password = Application.password
        try await application.submit([.username: "eve", .password: password, .confirmation: password])
        #expect(application.place == "/signup/region")
        let saved = try JSONEncoder().encode(application.coordinator.navigator.state)
        #expect(!String(decoding: saved, as: UTF8.self).contains(password))

        let next = try await Application()
        try await next.coordinator.start()
        try next.coordinator.navigator.restore(try JSONDecoder().decode(NavigationState.self, from: saved))
        #expect(next.place == "/signup")
        #expect(try await next.screen.form?.fields.first?.value == "eve")
        try await next.submit([.username: "eve", .password: password, .confirmation: password])
        try await next.submit([.region: "SE"])
        #expect(next.coordinator.currentUser.session?.user.username.text == "eve")
    }

    @Test("A question that was linked to, without a waiting move, is skipped")
    func questionLinked() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .leave(.signUp))
        #expect(application.stack == ["/welcome", "/login"])
        try await application.logIn()
        try await application.coordinator.start(at: .leave(.importing))
        #expect(application.stack == ["/articles?unread=yes"])
    }

    @Test("The response of a service cannot be read from an event")
    func secrets() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .login())
        let entries = application.coordinator.navigator.entries()
        try await application.logIn()
        let token = try #require(application.tokens.token)
        #expect(!"\(application.coordinator.navigator.journal)".contains(token))
        _ = entries
    }
}

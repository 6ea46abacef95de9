import ArticleStore
import AuthService
import FlowCoordinators
import Foundation
import Navigation
import Testing

@Suite("Screens")
struct ScreenTests {
    @Test("Every place has a screen with a title and content", arguments: PathTests.routes)
    func everyPlace(_ route: AppRoute) async throws {
        let application = try await Application()
        try await application.seed(1)
        try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        try await application.coordinator.start(at: route)
        let missing: ArticleReference? =
            switch route {
            case .article(let reference), .ownTags(let reference), .note(let reference), .editing(let reference):
                reference
            case .library(let reference): reference
            default: nil
            }
        if let reference = missing {
            await #expect(throws: ArticleError.noArticle(reference)) { try await application.screen }
            try await application.coordinator.start(at: .article("article-1"))
        }
        let screen = try await application.screen
        #expect(!screen.title.isEmpty)
        switch screen.content {
        case .menu(let text): #expect(!text.isEmpty && !screen.actions.isEmpty)
        case .form(let form): #expect(!form.fields.isEmpty && !form.submitLabel.isEmpty)
        case .list(let list): #expect(list.rows.allSatisfy { $0.cells.count == list.columns.count })
        case .document(let document): #expect(!document.facts.isEmpty)
        }
    }

    @Test("Sessions show time and origin, and ending the current one asks first")
    func sessions() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .sessions)
        try await application.logIn()
        let row = try #require(try await application.screen.list?.rows.first)
        for cell in row.cells[1...2] {
            #expect(cell.text.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\dZ/) != nil, "\(cell)")
        }
        let own = try #require(row.confirmation)
        let elsewhere = try await Application(sharing: application)
        try await elsewhere.coordinator.start(at: .login())
        try await elsewhere.logIn()
        let confirmations = try await application.screen.list?.rows.map(\.confirmation) ?? []
        #expect(confirmations.count == 2 && confirmations.filter { $0 == own }.count == 1)
        try await application.back()
        let asked = try await application.screen.actions.filter { $0.confirmation != nil }
        #expect(asked.map(\.purpose) == [.logOutEverywhere, .logOut])
    }

    @Test("The header of an article shows its properties, without empty or repeated values")
    func facts() async throws {
        let application = try await Application()
        try await application.seed(1)
        try await application.articles.upsert([
            ArticleDraft(
                slug: "later", title: "Later", body: "B", published: Date(timeIntervalSince1970: 0),
                updated: Date(timeIntervalSince1970: 86_400))
        ])
        try await application.register()
        try await application.coordinator.start(at: .article("article-1"))
        try await application.logIn()
        var facts = try #require(try await application.screen.document?.facts)
        #expect(facts.count == 5 && facts.allSatisfy { !$0.value.isEmpty })
        let lists = facts.flatMap(\.parts).compactMap(\.list)
        #expect(lists == [ArticleQuery(author: "Ada"), ArticleQuery(tag: "swift"), ArticleQuery(source: "library")])
        try await application.send(.open(.articles(ArticleList(query: lists[1]))))
        #expect(application.stack == ["/library", "/articles", "/articles/article-1", "/articles?tag=swift"])
        try await application.back()
        #expect(application.place == "/articles/article-1")
        try await application.coordinator.start(at: .article("later"))
        facts = try #require(try await application.screen.document?.facts)
        #expect(facts.count == 4 && facts[0].value == "1970-01-01")
        #expect(facts[1].value == "1970-01-02")
    }

    @Test("Regions are chosen by letters as in an index, ignoring accents")
    func regions() async throws {
        let application = try await Application()
        try await application.coordinator.start(at: .signUpRegion)
        guard case .choice(let choices)? = try await application.screen.form?.fields.first?.kind else {
            throw Application.Missing(what: "a choice", on: application.place)
        }
        let names = choices.map(\.label)
        let accented = try #require(names.firstIndex { $0.hasPrefix("Å") })
        #expect(names.dropFirst(accented + 1).first?.hasPrefix("A") == true)
    }

    @Test("Answers never print their values")
    func answersAreSecret() {
        let answers: Answers = [.password: "hunter2", .username: "ada"]
        var dumped = ""
        dump(answers, to: &dumped)
        for text in ["\(answers)", String(reflecting: answers), dumped, "\(AppEvent.submitted(answers))"] {
            #expect(!text.contains("hunter2") && !text.contains("ada"), "\(text)")
        }
    }

    @Test("Each action of a screen or row has its own ID", arguments: AppRoute.screens)
    func actionIDs(place: AppRoute) async throws {
        let application = try await Application()
        try await application.seed(2)
        try await application.register()
        try await application.register("eve")
        try await application.auth.setRole(.operator, of: Username("ada"), by: .system(user: "test"))
        try await application.coordinator.start(at: .articles())
        if place.isProtected { try await application.logIn() }
        try await application.coordinator.start(at: place == .user(1) ? .user(2) : place.about("article-1"))
        let screen = try await application.screen
        for actions in [screen.actions] + (screen.list?.rows.map(\.actions) ?? []) {
            #expect(Set(actions.map(\.id)).count == actions.count, "\(actions.map(\.id))")
        }
    }

    @Test("The event of an action on a row of articles is the same with and without the row")
    func rowEvents() async throws {
        let application = try await Application()
        try await application.seed(2)
        try await application.register()
        try await application.coordinator.start(at: .articles())
        try await application.logIn()
        for change in [[], [MarkChange.read(true), .starred(true), .later(true)]] {
            for change in change { try await application.send(.marked(change, ["article-1"])) }
            let row = try #require(try await application.screen.list?.rows.last)
            // The articles above depend on the shown list.
            let actions = row.actions.filter { $0.purpose != .readAbove }
            #expect(actions.count == 3)
            for action in actions {
                guard case .marked(let change, ["article-1"]) = action.event,
                    case .marked(change, ["1"])? = AppRoute.articles().event(ofAction: action.id, onRow: "1")
                else {
                    Issue.record("\(action.id)")
                    continue
                }
            }
        }
    }

    @Test("The name of an event is its case, without its values")
    func names() throws {
        let session = try #require(Session.ID("0123456789abcdef"))
        let secret = "hunter2"
        let events: [(AppEvent, String)] = [
            (.submitted([.password: secret]), "submitted"), (.submitted([:]), "submitted"),
            (.open(.article(ArticleReference(secret))), "open"), (.moreRowsWanted, "moreRowsWanted"),
            (.searched(secret), "searched"), (.sortChosen(.title), "sortChosen"),
            (.linkFollowed(secret), "linkFollowed"),
            (.sessionRevocationChosen(session), "sessionRevocationChosen"),
            (.appearancePicked(.dark), "appearancePicked"),
            (.logOutEverywhereChosen, "logOutEverywhereChosen"),
        ]
        for (event, name) in events { #expect(event.name == name) }
    }

    @Test("The journal holds no password")
    func journal() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.submit([.username: "ada", .password: "hunter2 is wrong"])
        try await application.logIn()
        var dumped = ""
        dump(application.coordinator.navigator.journal, to: &dumped)
        #expect(!dumped.contains("hunter2") && !dumped.contains(Application.password))
        #expect(dumped.contains("submitted"))
    }
}

import ArticleStore
import AuthService
import FlowCoordinators
import Testing
import Text

@Suite("The form of rules")
struct RuleTests {
    /// Returns an application with articles, where `ada` is signed in at a place.
    private func reader(at place: AppRoute = .articles(), of count: Int = 12) async throws -> Application {
        let application = try await Application()
        try await application.seed(count)
        try await application.register("ada")
        try await application.register("eve")
        try await application.coordinator.start(at: place)
        try await application.logIn()
        return application
    }

    /// The values of the fields that are not empty.
    private func values(_ application: Application) async throws -> [FieldName: String] {
        var values: [FieldName: String] = [:]
        for field in try await application.screen.form?.fields ?? [] where !field.value.isEmpty {
            values[field.name] = field.value
        }
        return values
    }

    private func rows(_ application: Application) async throws -> [[String]] {
        try await application.screen.list?.rows.map { $0.cells.map(\.text) } ?? []
    }

    @Test("A rule is made from a list, tried, saved, changed, renamed, and removed")
    func story() async throws {
        let application = try await reader()
        #expect(try await !application.screen.actions.contains { $0.label == "Make rule" })
        let source = try #require(try await application.articles.sources().first).name
        try await application.coordinator.start(
            at: .articles(ArticleList(query: ArticleQuery(text: "1", source: source))))
        try await application.choose("/rules/save")
        #expect(try await values(application) == [.words: "1", .source: source, .field: "title"])
        // The four articles 1, 10, 11, and 12 contain a word that begins with 1.
        let answers: Answers = [
            .name: "Ones", .words: "title:1*", .source: source, .field: "title", .star: "yes", .tags: "one, two",
        ]
        try await application.send(.tried(answers))
        #expect(
            try await application.screen.notice?.text
                == "The condition meets 4 of the last 12 articles. The latest: “Article 12”, “Article 11”, “Article 10”."
        )
        #expect(try await application.screen.notice?.error == nil)
        let typed = try await values(application)
        #expect(
            typed == [
                .name: "Ones", .words: "title:1*", .source: source, .field: "title", .star: "yes", .tags: "one, two",
            ])
        try await application.choose("/rules/try")
        #expect(try await application.screen.title == "4 of the last 12 articles")
        #expect(try await rows(application).map { $0[1] } == ["Article 12", "Article 11", "Article 10", "Article 1"])
        try await application.chooseRow("Article 11")
        #expect(application.place == "/articles/article-11")
        try await application.back()
        try await application.back()
        #expect(try await values(application) == typed)

        try await application.submit(answers)
        #expect(try await application.hasSucceeded)
        #expect(application.stack.count == 2)
        try await application.choose("library")
        try await application.choose("/rules")
        #expect(
            try await rows(application) == [
                [
                    "Ones",
                    "Star, tag with “one”, tag with “two”: articles matching in the title “1…”, from \(source)",
                ]
            ])
        try await application.chooseRow("Ones")
        #expect(application.place == "/rules/save?rule=Ones")
        #expect(try await values(application) == typed)
        try await application.submit([.name: "Many", .pattern: "^article", .field: "title", .hide: "yes", .read: ""])
        #expect(application.place == "/rules")
        #expect(try await rows(application) == [["Many", "Hide: articles with the pattern title:^article"]])
        try await application.chooseRow("Many")
        #expect(
            try await values(application) == [.name: "Many", .pattern: "^article", .field: "title", .hide: "yes"])
        let removal = try #require(try await application.screen.actions.first { $0.label == "Remove" })
        #expect(removal.confirmation == "Remove the rule “Many”?")
        try await application.send(removal.event)
        #expect(try await application.hasSucceeded)
        #expect(try await rows(application).isEmpty)
        #expect(try await application.screen.list?.placeholder.contains("A rule hides articles") == true)
        try await application.choose("/rules/save")
        #expect(application.place == "/rules/save")
    }

    @Test("Trying a rule saves nothing, and a condition without articles has no list of them")
    func trial() async throws {
        let application = try await reader(at: .savingRule())
        try await application.send(.tried([.words: "nothing", .field: "title"]))
        #expect(try await application.screen.notice?.text == "The condition meets 0 of the last 12 articles.")
        #expect(try await application.screen.actions.isEmpty)
        #expect(application.place == "/rules/save?words=nothing")
        try await application.send(.tried([.words: "article"]))
        #expect(try await application.screen.actions.map(\.label) == ["Show the articles"])
        try await application.back()
        #expect(application.place == "/rules")
        #expect(try await rows(application).isEmpty)
        // The path of the trial may be typed.
        try await application.coordinator.start(at: AppRoute(path: "/rules/try?words=is:read"))
        #expect(application.place == "/rules/try?words=is%3Aread")
        #expect(try await application.screen.notice?.error as? RuleError == .marksInSearch)
    }

    @Test(
        "An error is at its field, and the form stays open",
        arguments: [
            ([.words: "a", .star: "yes"], FieldName.name), ([.name: "a,b", .words: "a", .star: "yes"], .name),
            ([.name: "b", .star: "yes"], .words), ([.name: "b", .words: "is:unread", .star: "yes"], .words),
            ([.name: "b", .words: "a", .source: "nowhere", .star: "yes"], .source),
            ([.name: "b", .address: "a b", .star: "yes"], .address),
            ([.name: "b", .field: "title", .pattern: "a(", .star: "yes"], .pattern),
            ([.name: "b", .words: "a"], .hide), ([.name: "b", .words: "a", .hide: ""], .hide),
            ([.name: "b", .words: "a", .tags: String(repeating: "x", count: 101)], .tags),
            ([.name: "TAKEN", .words: "a", .star: "yes"], .name),
        ] as [([FieldName: String], FieldName)])
    func errors(texts: [FieldName: String], field: FieldName) async throws {
        let application = try await reader(at: .savingRule())
        try await application.submit([.name: "Taken", .words: "a", .star: "yes"])
        try await application.choose("/rules/save")
        try await application.submit(Answers(texts))
        let notice = try await application.screen.notice
        #expect(notice?.error != nil && notice?.field == field)
        #expect(application.place == "/rules/save")
        if field == .pattern {
            #expect(notice?.text == "“title:a(” is not a valid pattern: missing closing parenthesis, after “a(”")
            let pattern = try await application.screen.form?.fields.first { $0.name == .pattern }
            #expect(pattern?.check?(Answers(texts)) == .wrong(notice?.text ?? ""))
        }
        if texts[.name] == "TAKEN" { #expect(notice?.error as? RuleError == .nameIsTaken(try TagName("taken"))) }
        try await application.back()
        #expect(try await rows(application).count == 1)
    }

    @Test("A new rule cannot replace another, and a changed rule cannot take the name of another")
    func taken() async throws {
        let application = try await reader(at: .rules)
        for name in ["First", "Second"] {
            try await application.choose("/rules/save")
            try await application.submit([.name: name, .words: name, .star: "yes"])
        }
        try await application.chooseRow("First")
        try await application.submit([.name: "second", .words: "x", .star: "yes"])
        #expect(try await application.screen.notice?.error as? RuleError == .nameIsTaken(try TagName("Second")))
        // The case of the own name may change.
        try await application.submit([.name: "FIRST", .words: "x", .star: "yes"])
        #expect(try await rows(application).map { $0[0] } == ["FIRST", "Second"])
    }

    @Test("A user neither sees nor changes the rules of another")
    func others() async throws {
        let application = try await reader(at: .savingRule())
        try await application.submit([.name: "Mine", .words: "a", .star: "yes"])
        #expect(try await rows(application).count == 1)
        try await application.coordinator.start(at: .articles())
        try await application.choose("log-out")
        try await application.logIn("eve")
        try await application.coordinator.start(at: .rules)
        #expect(try await rows(application).isEmpty)
        let mine = try #require(AppRoute(path: "/rules/save?rule=Mine"))
        try await application.coordinator.start(at: mine)
        await #expect(throws: RuleError.noRule("Mine")) { try await application.screen }
        for event in [AppEvent.submitted([.name: "Mine", .words: "b", .hide: "yes"]), .ruleRemovalChosen("Mine")] {
            try await application.send(event)
            #expect(application.coordinator.notice?.error as? RuleError == .noRule("Mine"))
        }
        try await application.coordinator.start(at: .articles())
        try await application.choose("log-out")
        try await application.logIn("ada")
        try await application.coordinator.start(at: .rules)
        #expect(try await rows(application) == [["Mine", "Star: articles matching “a”"]])
    }

    @Test(
        "The list of articles prefills a rule with its source, words, author, and tag",
        arguments: [
            ("/articles?search=swift%2A&source=Blog", "/rules/save?words=swift&source=Blog"),
            ("/articles?author=Ada%20L", "/rules/save?words=author%3A%22Ada%20L%22"),
            ("/articles?search=a%20OR%20b&tag=c", "/rules/save?words=tag%3A%22c%22%20%28a%20OR%20b%29"),
            ("/articles?unread=yes", nil), ("/articles?sort=oldest", nil),
        ])
    func prefilled(list: String, form: String?) async throws {
        let application = try await reader(at: try #require(AppRoute(path: list)))
        let action = try await application.screen.actions.first { $0.label == "Make rule" }
        guard case .open(let place)? = action?.event else {
            #expect(form == nil)
            return
        }
        #expect(place.path == form)
        #expect(AppRoute(path: place.path) == place)
    }

    @Test(
        "A path of the form with an invalid value is refused",
        arguments: ["/rules/save?hide=on", "/rules/save?met=1", "/rules/save?x=1", "/rules?name=a", "/rules/x"])
    func refused(path: String) { #expect(AppRoute(path: path) == nil) }
}

import ArticleStore
import AuthService
import Database
import FlowCoordinators
import Foundation
import Navigation
import StoreEngines
import Testing

@Suite("The user's own tags and notes")
struct NotingTests {
    private func reader(at place: AppRoute = .article("article-1"), keepsMarks: Bool = true) async throws -> Application
    {
        let application = try await Application(keepsMarks: keepsMarks)
        try await application.seed(2)
        try await application.register()
        try await application.coordinator.start(at: place)
        try await application.logIn()
        return application
    }

    /// The user's own tags and note on the shown article.
    private func marks(in application: Application) async throws -> ArticleMarks? {
        if case .article(_, let marks) = try await application.screen.model { marks } else { nil }
    }

    private func tags(in application: Application) async throws -> [String]? {
        try await marks(in: application)?.tags.map(\.value.name)
    }

    private func field(in application: Application) async throws -> String? {
        try await application.screen.form?.fields.first?.value
    }

    @Test("The tags of an article are those typed, and the form shows them the next time")
    func tags() async throws {
        let application = try await reader()
        try await application.choose("own-tags")
        #expect(application.place == "/articles/article-1/tags")
        #expect(try await field(in: application)?.isEmpty == true)
        try await application.fill([.tags: " one , two words,, ONE,"])
        #expect(application.stack == ["/library", "/articles", "/articles/article-1"])
        #expect(try await application.hasSucceeded)
        #expect(try await tags(in: application) == ["one", "two words"])
        try await application.choose("own-tags")
        #expect(try await field(in: application) == "one, two words")
        try await application.fill([.tags: "two words, three"])
        #expect(try await tags(in: application) == ["three", "two words"])
        let before = try await marks(in: application)
        application.advance(hours: 1)
        try await application.choose("own-tags")
        try await application.fill([.tags: "three, TWO words"])
        #expect(try await application.hasSucceeded)
        #expect(try await marks(in: application) == before)
        try await application.choose("own-tags")
        try await application.fill([.tags: " , "])
        #expect(try await application.hasSucceeded)
        #expect(try await tags(in: application) == [])
    }

    @Test("A hundred tags are replaced by a hundred others, and an invalid one changes nothing")
    func limits() async throws {
        let application = try await reader(at: .ownTags("article-1"))
        #expect(application.stack == ["/library", "/articles", "/articles/article-1", "/articles/article-1/tags"])
        func names(_ letter: String, _ count: Int) -> String {
            (1...count).map { "\(letter)\($0)" }.joined(separator: ",")
        }
        try await application.fill([.tags: names("a", 101)])
        #expect(application.coordinator.notice?.error as? MarkError == .tooManyTags)
        #expect(application.place == "/articles/article-1/tags")
        try await application.fill([.tags: "good, " + String(repeating: "x", count: 101)])
        #expect(application.coordinator.notice?.error is TagError)
        #expect(try await field(in: application)?.isEmpty == true)
        try await application.fill([.tags: names("a", 100)])
        try await application.choose("own-tags")
        try await application.fill([.tags: names("b", 100)])
        #expect(try await tags(in: application)?.count == 100)
        #expect(try await tags(in: application)?.contains { $0.hasPrefix("a") } == false)
    }

    @Test("A user with the maximum number of tags is told so, and can use existing ones")
    func ownTagBound() async throws {
        let application = try await Application()
        try await application.seed(1)
        let ada = try await application.register()
        let tags = try await application.marks.giveAllTags(to: ada.id, in: application.articles)
        try await application.coordinator.start(at: .ownTags("article-1"))
        try await application.logIn()
        try await application.fill([.tags: "another"])
        #expect(application.coordinator.notice?.error as? MarkError == .tooManyOwnTags)
        #expect(application.place == "/articles/article-1/tags")
        try await application.fill([.tags: tags[0].name])
        #expect(try await self.tags(in: application) == [tags[0].name])
    }

    @Test("A note keeps its lines, is shown in the form, and is deleted when it is empty")
    func note() async throws {
        let application = try await reader()
        try await application.choose("note")
        #expect(application.place == "/articles/article-1/note")
        try await application.fill([.note: "first\n\nthird\n"])
        #expect(try await marks(in: application)?.note.value == "first\n\nthird\n")
        try await application.choose("note")
        let field = try #require(try await application.screen.form?.fields.first)
        #expect(field.value == "first\n\nthird\n")
        guard case .lines = field.kind else { return #expect(Bool(false)) }
        try await application.fill([.note: " \n"])
        #expect(try await application.hasSucceeded)
        #expect(try await marks(in: application)?.note.value == nil)
    }

    @Test("A change on another device is not overwritten until the user has seen it")
    func conflict() async throws {
        let application = try await reader(at: .note("article-1"))
        let version = try #require(try await application.screen.form?.version)
        let other = try await Application(sharing: application)
        try await other.coordinator.start(at: .note("article-1"))
        try await other.logIn()
        try await other.fill([.note: "theirs"])
        // Loading the form again does not mean that the user has seen the change.
        #expect(try await application.screen.form?.version == version)
        try await application.fill([.note: "mine"])
        #expect(application.coordinator.notice?.error as? ScreenError == .editConflict(to: "theirs"))
        #expect(application.place == "/articles/article-1/note")
        #expect(try await field(in: application) == "theirs")
        try await application.fill([.note: "mine"])
        #expect(try await marks(in: application)?.note.value == "mine")
        try await other.choose("own-tags")
        try await application.choose("own-tags")
        #expect(try await field(in: application) == "")
        try await other.fill([.tags: "theirs"])
        try await application.fill([.tags: "mine"])
        #expect(application.coordinator.notice?.error as? ScreenError == .editConflict(to: "theirs"))
        try await application.submit([.tags: "mine"])
        #expect(application.coordinator.notice?.error as? ScreenError == .editConflict(to: "theirs"))
        // Sending the current value again changes nothing.
        try await application.submit([.tags: "theirs"])
        #expect(try await application.hasSucceeded)
        #expect(try await tags(in: application) == ["theirs"])
    }

    @Test("A change during the save is not overwritten either", arguments: [FieldName.note, .tags])
    func race(field: FieldName) async throws {
        let tag = try TagName("theirs")
        let meanwhile = MeanwhileMarks()
        let application = try await Application(marking: meanwhile)
        try await application.seed(1)
        let ada = try await application.register().id
        let article = try #require(try await application.articles.article(slug: "article-1")).id
        try await application.coordinator.start(at: field == .note ? .note("article-1") : .ownTags("article-1"))
        try await application.logIn()
        let version = try await application.screen.form?.version
        let change: MarkChange = field == .note ? .note("theirs") : .tag(tag, true)
        meanwhile.happens {
            try await $0.change(change, of: .ids([article]), by: ada, at: Date(timeIntervalSince1970: 0))
        }
        var answers = Answers()
        answers[field] = "mine"
        answers[.version] = version
        try await application.submit(answers)
        #expect(application.coordinator.notice?.error as? ScreenError == .editConflict(to: "theirs"))
        let marks = try await application.marks.marks(of: [article], by: ada)[article]
        #expect(field == .note ? marks?.note.value == "theirs" : marks?.tags.map(\.value) == [tag])
    }

    @Test("After another error, a change elsewhere is still not overwritten")
    func wrongBefore() async throws {
        let application = try await reader(at: .ownTags("article-1"))
        let version = try #require(try await application.screen.form?.version)
        let other = try await Application(sharing: application)
        try await other.coordinator.start(at: .ownTags("article-1"))
        try await other.logIn()
        try await other.fill([.tags: "theirs"])
        try await application.fill([.tags: String(repeating: "x", count: 101)])
        #expect(application.coordinator.notice?.error is TagError)
        #expect(try await application.screen.form?.version == version)
        try await application.fill([.tags: "mine"])
        #expect(application.coordinator.notice?.error as? ScreenError == .editConflict(to: "theirs"))
    }

    @Test("For a deleted article, or without a store, the form says so")
    func missing() async throws {
        let application = try await reader(at: .note("article-1"))
        try await application.delete("article-1")
        try await application.submit([.note: "late"])
        #expect(application.coordinator.notice?.error as? ArticleError == .noArticle("article-1"))
        let without = try await reader(at: .note("article-1"), keepsMarks: false)
        await #expect(throws: ScreenError.noMarks) { try await without.screen }
    }
}

@Suite("Making an API token on a screen")
struct NewTokenTests {
    private func maker() async throws -> Application {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .tokens)
        try await application.logIn()
        try await application.choose("/account/tokens/new")
        return application
    }

    private func shown(_ application: Application) async throws -> String? {
        try await application.screen.document?.facts.first { SessionToken($0.value) != nil }?.value
    }

    private static let answers: Answers = [.name: "backup", .scope: "write", .days: "30"]

    @Test("A new token is shown once, and never in a place or a bookmark")
    func once() async throws {
        let application = try await maker()
        try await application.submit(Self.answers)
        #expect(application.stack == ["/account", "/account/tokens", "/account/tokens/made"])
        let text = try #require(try await shown(application))
        let session = try await application.auth.currentSession(token: try #require(SessionToken(text)))
        #expect(session?.apiToken?.scope == .write && session?.apiToken?.name == "backup")
        #expect(session?.expiresAt == application.now.addingTimeInterval(30 * 86_400))
        try await application.saveBookmark()
        #expect(try await application.savedBookmark?.contains(text) == false)
        #expect(!"\(application.coordinator.navigator.journal)".contains(text))
        try await application.back()
        #expect(application.place == "/account/tokens")
        #expect(try await application.screen.list?.rows.count == 1)
        try await application.coordinator.start(at: .madeToken)
        #expect(try await shown(application) == nil)
    }

    @Test("An error is shown, and the form stays", arguments: ["0", "367", "-1", "x", "", "1.5", "nan"])
    func wrong(days: String) async throws {
        let application = try await maker()
        let answers: Answers = [.name: "backup", .scope: "read", .days: days]
        let check = try #require(try await application.screen.form?.fields.last?.check)
        #expect(check(answers) != .good)
        try await application.submit(answers)
        #expect(application.place == "/account/tokens/new")
        #expect(application.coordinator.notice?.error is AuthError)
        #expect(try await application.apiTokens().isEmpty)
    }

    @Test("Some time after the login the form asks for the password, and then makes the token")
    func confirmed() async throws {
        let application = try await maker()
        application.advance(hours: 2)
        try await application.submit(Self.answers)
        #expect(application.place == "/account/confirm")
        #expect(try await application.apiTokens().isEmpty)
        try await application.submit([.password: Application.password])
        #expect(application.place == "/account/tokens/made")
        #expect(try await shown(application).flatMap { SessionToken($0) }?.isAPIToken == true)
    }

    @Test("A token with an unknown scope may only read")
    func unknownScope() async throws {
        let application = try await maker()
        try await application.submit([.name: "x", .scope: "everything", .days: "1"])
        #expect(try await application.apiTokens().map(\.scope) == [.read])
    }
}

import Foundation
import Text
import StoreEngines
import ArticleStore
import AuthService
import FlowCoordinators
import Terminal
import TestSupport
import Testing

@testable import articlesctl

/// A login watches for interrupts, which tests of signals send.
@Suite("The command line as a front", .processSignals)
struct FrontTests {
    private let folder: TemporaryFolder
    private let counter = CallCounter()
    private let auth: AuthService
    private let front: Front

    private static let password = "correct horse battery staple"

    init() async throws {
        folder = try TemporaryFolder()
        let path = folder.path + "/articles.db"
        try await Stores.migrate(.file(path))
        let stores = counter.counting(try await Stores.open(.file(path)))
        auth = AuthService(store: stores.accounts, hasher: PasswordHasher(parameters: .weakest))
        front = Front(
            application: ApplicationCoordinator(
                auth: auth, articles: stores.articles, tokens: NoTokens(), client: "test", origin: Origin("test")),
            prompter: Prompter(isInteractive: false, prompt: Prompt(), say: { _ in }), isSessionGiven: false)
    }

    @Test("A login does not read the library, because nobody sees the list that it leads to")
    func logIn() async throws {
        try await auth.register(
            username: Username("ada"), password: Password(Self.password), region: Region("SE"),
            from: Origin("test"))
        try await front.go(to: .login(), answers: [.username: "ada", .password: Self.password]) { $0.flow != .login }
        #expect(front.application.place == .articles())
        #expect(counter.calls.isEmpty)
        // A front that shows the screen reads the library.
        _ = try await front.application.screen()
        #expect(!counter.calls.isEmpty)
    }
}

@Suite("Faults of the session file")
struct TokenFileErrorTests {
    @Test("The advice for a full disk is not about rights", arguments: [ENOSPC, EDQUOT])
    func fullDisk(code: Int32) {
        let hint = TokenFileError.failed("session", code).hint
        #expect(hint != nil && hint != TokenFileError.failed("session", EACCES).hint)
    }
}

/// Stores no token.
private struct NoTokens: TokenStore {
    func load() -> String? { nil }
    func save(_ token: String) {}
    func remove() {}
}

import SQLiteStores
import AuthService
import FoundationEssentials
import StoreEngines
import TestSupport
import Testing

@Suite("Addresses of feeds")
struct FeedAddressTests {
    private struct House {
        let stores: Stores
        let clock = TestClock()
        let auth: AuthService
        var token: SessionToken

        init(_ engine: StoreEngine) async throws {
            let stores = try await engine.open()
            let clock = clock
            self.stores = stores
            auth = AuthService(
                store: stores.accounts,
                hasher: PasswordHasher(parameters: .weakest), clock: { clock.now }, pause: { _ in })
            _ = try await stores.insert("op")
            _ = try await auth.register(
                username: Username("ada"), password: Password(Self.password), region: Region("SE"), from: Origin("t"))
            token = try await auth.logIn(
                username: "ada", password: Password(Self.password), client: "t", from: Origin("t")
            ).newSession.token
        }

        static let password = "correct horse battery staple"
    }

    @Test(
        "A secret is valid until it is replaced or removed, or the user may not log in",
        arguments: StoreEngine.allCases)
    func secret(engine: StoreEngine) async throws {
        let house = try await House(engine)
        #expect(try await house.auth.feedAddressDate(token: house.token) == nil)
        let first = try await house.auth.renewFeedAddress(token: house.token)
        #expect(try await house.auth.user(of: first)?.username.text == "ada")
        #expect(try await house.auth.user(of: try #require(FeedSecret(first.text)))?.username.text == "ada")
        #expect(try await house.auth.feedAddressDate(token: house.token) != nil)
        let second = try await house.auth.renewFeedAddress(token: house.token)
        #expect(try await house.auth.user(of: first) == nil)
        let user = try #require(try await house.auth.user(of: second))
        #expect(try await house.auth.removeFeedAddress(token: house.token))
        #expect(try await house.auth.user(of: second) == nil)
        #expect(try await house.auth.removeFeedAddress(token: house.token) == false)
        let third = try await house.auth.renewFeedAddress(token: house.token)
        _ = try await house.stores.accounts.change(
            .disabled(since: house.clock.now), of: user.id, recording: event(.disabled, user: user))
        #expect(try await house.auth.user(of: third) == nil)
        let kinds = try await house.stores.kinds(of: user)
        #expect(kinds.count { $0 == .feedAddressMade } == 3 && kinds.count { $0 == .feedAddressRemoved } == 1)
    }

    @Test("A new password ends the address", arguments: StoreEngine.allCases)
    func password(engine: StoreEngine) async throws {
        let house = try await House(engine)
        let secret = try await house.auth.renewFeedAddress(token: house.token)
        _ = try await house.auth.changePassword(
            token: house.token, old: Password(House.password), new: Password("another horse battery staple"))
        #expect(try await house.auth.user(of: secret) == nil)
    }

    @Test("A new address needs a recent password, and an API token cannot make one")
    func confirmation() async throws {
        let house = try await House(.sqlite)
        let (_, program) = try await house.auth.createToken(
            named: "p", scope: .write, lifetime: 60, token: house.token)
        await #expect(throws: AuthError.outOfScope) { _ = try await house.auth.renewFeedAddress(token: program) }
        house.clock.advance(by: 7200)
        await #expect(throws: AuthError.passwordNeeded) {
            _ = try await house.auth.renewFeedAddress(token: house.token)
        }
    }

    @Test("An address never prints itself, and other text is not an address")
    func text() async throws {
        let house = try await House(.sqlite)
        let secret = try await house.auth.renewFeedAddress(token: house.token)
        #expect("\(secret)" == "<redacted>" && secret.text.utf8.count == 43)
        for text in ["", "x", secret.text + "x", String(secret.text.dropLast())] { #expect(FeedSecret(text) == nil) }
    }
}

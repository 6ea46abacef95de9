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
        let feeds: FeedAddresses
        var token: SessionToken

        init(_ engine: StoreEngine) async throws {
            let stores = try engine.open()
            let clock = clock
            self.stores = stores
            auth = AuthService(
                users: stores.users, sessions: stores.sessions, throttle: stores.throttle, devices: stores.devices,
                tokens: stores.tokens, secondFactors: stores.secondFactors, audit: stores.audit,
                hasher: PasswordHasher(parameters: .minimum), clock: { clock.now }, pause: { _ in })
            feeds = FeedAddresses(auth: auth, repository: stores.feeds)
            _ = try await stores.insert("op")
            _ = try await auth.register(
                username: Username("ada"), password: Password(Self.password), region: Region("SE"), from: Origin("t"))
            token = try await auth.logIn(
                username: "ada", password: Password(Self.password), client: "t", from: Origin("t")
            ).token
        }

        static let password = "correct horse battery staple"
    }

    @Test(
        "A secret is valid until it is replaced or removed, or the user may not log in",
        arguments: StoreEngine.allCases)
    func secret(engine: StoreEngine) async throws {
        let house = try await House(engine)
        #expect(try await house.feeds.date(token: house.token) == nil)
        let first = try await house.feeds.renew(token: house.token)
        #expect(try await house.feeds.reader(first)?.username.text == "ada")
        #expect(try await house.feeds.reader(try #require(FeedSecret(first.text)))?.username.text == "ada")
        #expect(try await house.feeds.date(token: house.token) != nil)
        let second = try await house.feeds.renew(token: house.token)
        #expect(try await house.feeds.reader(first) == nil)
        let user = try #require(try await house.feeds.reader(second))
        #expect(try await house.feeds.remove(token: house.token))
        #expect(try await house.feeds.reader(second) == nil)
        #expect(try await house.feeds.remove(token: house.token) == false)
        let third = try await house.feeds.renew(token: house.token)
        _ = try await house.stores.users.change(
            .disabled(since: house.clock.now), of: user.id, recording: event(.disabled, user: user))
        #expect(try await house.feeds.reader(third) == nil)
        let kinds = try await house.stores.kinds(of: user)
        #expect(kinds.count { $0 == .feedAddressMade } == 3 && kinds.count { $0 == .feedAddressRemoved } == 1)
    }

    @Test("A new password ends the address", arguments: StoreEngine.allCases)
    func password(engine: StoreEngine) async throws {
        let house = try await House(engine)
        let secret = try await house.feeds.renew(token: house.token)
        _ = try await house.auth.changePassword(
            token: house.token, old: Password(House.password), new: Password("another horse battery staple"))
        #expect(try await house.feeds.reader(secret) == nil)
    }

    @Test("A new address needs a recent password, and an API token cannot make one")
    func confirmation() async throws {
        let house = try await House(.sqlite)
        let (_, program) = try await house.auth.createToken(
            named: "p", scope: .write, lifetime: 60, token: house.token)
        await #expect(throws: AuthError.outOfScope) { _ = try await house.feeds.renew(token: program) }
        house.clock.advance(by: 7200)
        await #expect(throws: AuthError.passwordNeeded) { _ = try await house.feeds.renew(token: house.token) }
    }

    @Test("An address never prints itself, and other text is not an address")
    func text() async throws {
        let house = try await House(.sqlite)
        let secret = try await house.feeds.renew(token: house.token)
        #expect("\(secret)" == "<redacted>" && secret.text.utf8.count == 43)
        for text in ["", "x", secret.text + "x", String(secret.text.dropLast())] { #expect(FeedSecret(text) == nil) }
    }
}

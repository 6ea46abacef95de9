import AuthService
import FoundationEssentials
import TestSupport
import Testing

@Suite("AuthService: changing the password")
struct PasswordChangeTests {
    @Test("A user who changes the password stays logged in here, with a new token, and nowhere else")
    func changes() async throws {
        let world = try World()
        let user = try await world.register()
        let (here, elsewhere) = try await (world.logIn(client: "desk"), world.logIn(client: "phone"))
        world.clock.advance(by: minute)
        let next = try await world.auth.changePassword(token: here.token, old: .good, new: .other)
        #expect(next.session.client == "desk")
        #expect(next.session.id != here.session.id)
        #expect(next.session.user.passwordChangedAt == world.clock.now)
        for token in [here.token, elsewhere.token] {
            #expect(try await world.auth.currentSession(token: token) == nil)
        }
        #expect(try await world.auth.currentSession(token: next.token) == next.session)
        await #expect(throws: AuthError.invalidCredentials) { try await world.logIn(password: .good) }
        #expect(try await world.logIn(password: .other).session.user.id == user.id)
        #expect(try await world.events(of: user).contains(.passwordChanged))
    }

    @Test("Nothing changes if the old password is wrong, the new one weak, or one endless")
    func refused() async throws {
        let world = try World()
        try await world.register()
        let (session, token) = try await world.logIn()
        let endless = Password(String(repeating: "x", count: 10_000_000))
        for (old, new, error) in [
            (.wrong, .other, .wrongPassword), (endless, .other, .wrongPassword),
            (.good, Password("correcthorsebatterystaple"), .weakPassword(.common)),
            (.good, Password("4lic3alice1alice"), .weakPassword(.guessable(.username))),
            (.good, endless, .weakPassword(.tooLong(maximumBytes: 1_024))),
        ] as [(Password, Password, AuthError)] {
            await #expect(throws: error) {
                try await world.auth.changePassword(token: token, old: old, new: new)
            }
        }
        #expect(try await world.auth.currentSession(token: token) == session)
        #expect(try await world.logIn().session.user == session.user)
    }

    @Test("If the clock was set back, later logins can still distinguish the change from the last")
    func clockSetBack() async throws {
        let world = try World()
        let user = try await world.register()
        var (_, token) = try await world.logIn()
        world.clock.advance(by: -minute)
        for (old, new) in [(Password.good, Password.other), (.other, .good)] {
            let next = try await world.auth.changePassword(token: token, old: old, new: new)
            #expect(next.session.user.passwordChangedAt > user.passwordChangedAt)
            token = next.token
        }
        #expect(try await world.auth.currentSession(token: token)?.user.passwordChangedAt == user.passwordChangedAt + 2)
    }

    @Test("Of two changes of a password at once, one succeeds, and only its session is left")
    func race() async throws {
        let world = try World()
        let user = try await world.register()
        let (first, second) = try await (world.logIn(), world.logIn())
        let outcomes = await withTaskGroup { group in
            for token in [first.token, second.token] {
                group.addTask {
                    do {
                        _ = try await world.auth.changePassword(token: token, old: .good, new: .other)
                        return "changed"
                    } catch AuthError.notLoggedIn {
                        return "too late"
                    } catch AuthError.wrongPassword {
                        return "too late"
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.sorted() == ["changed", "too late"])
        #expect(try await world.auth.sessions(of: user.id, by: .system(user: "test")).count == 1)
    }

    @Test("Nothing changes if the caller is gone before the new password is hashed")
    func cancelled() async throws {
        let world = try World()
        try await world.register()
        let (session, token) = try await world.logIn()
        let auth = world.auth
        let change = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await auth.changePassword(token: token, old: .good, new: .other)
        }
        await #expect(throws: CancellationError.self) { try await change.value }
        #expect(try await auth.currentSession(token: token) == session)
        #expect(try await world.logIn(password: .good).session.user == session.user)
    }
}

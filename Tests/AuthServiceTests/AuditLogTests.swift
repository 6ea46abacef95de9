import AuthService
import StoreEngines
import Testing

@Suite("AuditLog contract")
struct AuditLogTests {
    @Test("every kind of event is read back as it was recorded, the latest first", arguments: StoreEngine.allCases)
    func kinds(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let user = try await stores.insert("alice")
        let session = try stores.session(1, of: user).session
        let events = AuditEvent.Kind.allCases.enumerated().map { index, kind in
            event(
                kind, at: Double(index), user: user, session: index.isMultiple(of: 2) ? session : nil,
                client: "' \0 🙂 \(index)")
        }
        try await stores.audit.record(events)
        let read = try await stores.audit.events(of: user.id, limit: events.count)
        #expect(read == events.reversed())
    }

    @Test(
        "a user sees no events of others or of nobody, and no more than asked for", arguments: StoreEngine.allCases
    )
    func limits(engine: StoreEngine) async throws {
        let stores = try engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        try await stores.audit.record([
            event(.logInFailed, user: other), event(.logInFailed), event(.logInFailed, user: user),
        ])
        #expect(try await stores.kinds(of: user) == [.registered, .logInFailed])
        #expect(try await stores.audit.events(of: user.id, limit: 1).map(\.kind) == [.logInFailed])
        for limit in [0, -1, .min] {
            #expect(try await stores.audit.events(of: user.id, limit: limit).isEmpty)
        }
        #expect(try await stores.audit.events(of: user.id, limit: .max).count == 2)
    }
}

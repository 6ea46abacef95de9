import AuthService
import Testing

@Suite("AuditLog contract")
struct AuditLogTests {
    @Test("every kind of event is read back as it was recorded, the latest first", arguments: RepositoryEngine.allCases)
    func kinds(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let user = try await repositories.insert("alice")
        let session = try repositories.session(1, of: user).session
        let events = AuditEvent.Kind.allCases.enumerated().map { index, kind in
            event(
                kind, at: Double(index), user: user, session: index.isMultiple(of: 2) ? session : nil,
                client: "' \0 🙂 \(index)")
        }
        try await repositories.audit.record(events)
        let read = try await repositories.audit.events(of: user.id, limit: events.count)
        #expect(read == events.reversed())
    }

    @Test(
        "a user sees no events of others or of nobody, and no more than asked for", arguments: RepositoryEngine.allCases
    )
    func limits(engine: RepositoryEngine) async throws {
        let repositories = try engine.open()
        let (user, other) = try await (repositories.insert("alice"), repositories.insert("bob"))
        try await repositories.audit.record([
            event(.logInFailed, user: other), event(.logInFailed), event(.logInFailed, user: user),
        ])
        #expect(try await repositories.kinds(of: user) == [.registered, .logInFailed])
        #expect(try await repositories.audit.events(of: user.id, limit: 1).map(\.kind) == [.logInFailed])
        for limit in [0, -1, .min] {
            #expect(try await repositories.audit.events(of: user.id, limit: limit).isEmpty)
        }
        #expect(try await repositories.audit.events(of: user.id, limit: .max).count == 2)
    }
}

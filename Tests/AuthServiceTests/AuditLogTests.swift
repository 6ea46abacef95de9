import AuthService
import StoreEngines
import Testing

@Suite("Contract of AccountStore: audit log")
struct AuditLogTests {
    @Test("Every kind of event is read back as it was recorded, the latest first", arguments: StoreEngine.allCases)
    func kinds(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        let session = try stores.session(1, of: user).session
        let events = AuditEvent.Kind.allCases.enumerated().map { index, kind in
            event(
                kind, at: Double(index), user: user, session: index.isMultiple(of: 2) ? session : nil,
                client: "' \0 🙂 \(index)")
        }
        try await stores.accounts.record(events)
        let read = try await stores.accounts.events(of: user.id, limit: events.count)
        #expect(read == events.reversed())
    }

    @Test(
        "A user sees only their own events, and no more than requested", arguments: StoreEngine.allCases
    )
    func limits(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        try await stores.accounts.record([
            event(.logInFailed, user: other), event(.logInFailed), event(.logInFailed, user: user),
        ])
        #expect(try await stores.kinds(of: user) == [.registered, .logInFailed])
        #expect(try await stores.accounts.events(of: user.id, limit: 1).map(\.kind) == [.logInFailed])
        for limit in [0, -1, .min] {
            #expect(try await stores.accounts.events(of: user.id, limit: limit).isEmpty)
        }
        #expect(try await stores.accounts.events(of: user.id, limit: .max).count == 2)
    }

    @Test(
        "The actor, the origin, and the details are read back as they were recorded",
        arguments: StoreEngine.allCases)
    func details(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let id = try #require(Session.ID("0123456789abcdef"))
        let actors: [AuditEvent.Actor] = [.holder, .user(7), .token(id), .system("a:b")]
        let events = actors.map { actor in
            AuditEvent(
                .exported, at: time(1), userID: 3, client: "c", actor: actor, origin: Origin("2001:db8::1"),
                detail: "'\0\(actor)")
        }
        try await stores.accounts.record(events)
        let read = try await stores.accounts.events(matching: AuditQuery())
        #expect(read.map(\.event) == events.reversed())
        #expect(read.map(\.id) == [4, 3, 2, 1])
        #expect(try await stores.accounts.verifyAuditLog() == nil)
    }

    @Test("All conditions of a query apply together", arguments: StoreEngine.allCases)
    func queries(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let (user, other) = try await (stores.insert("alice"), stores.insert("bob"))
        try await stores.accounts.record(
            (1...6).map { number in
                event(
                    number.isMultiple(of: 2) ? .loggedIn : .logInFailed, at: Double(number),
                    user: number.isMultiple(of: 3) ? other : user)
            })
        let cases: [(AuditQuery, [Int64])] = [
            (AuditQuery(user: other.id), [8, 5, 2]), (AuditQuery(kind: .loggedIn), [8, 6, 4]),
            (AuditQuery(since: time(4)), [8, 7, 6]), (AuditQuery(until: time(2)), [3, 2, 1]),
            (AuditQuery(since: time(2), until: time(4)), [5, 4]), (AuditQuery(limit: 2), [8, 7]),
            (AuditQuery(user: user.id, kind: .loggedIn, since: time(3), limit: 1), [6]), (AuditQuery(user: 99), []),
        ]
        for (query, expected) in cases {
            #expect(try await stores.accounts.events(matching: query).map(\.id) == expected, "\(query)")
        }
    }

    @Test(
        "Events are in the order of recording, even if the clock was set back",
        arguments: StoreEngine.allCases)
    func order(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        let user = try await stores.insert("alice")
        try await stores.accounts.record([40, 10, 30, 10, 20].map { event(.logInFailed, at: $0, user: user) })
        let times = [20.0, 10, 30, 10, 40].map { time($0) }
        #expect(try await stores.accounts.events(of: user.id, limit: 5).map(\.at) == times)
        #expect(
            try await stores.accounts.events(matching: AuditQuery(user: user.id, limit: 5)).map(\.event.at) == times)
        #expect(try await stores.accounts.events(matching: AuditQuery(kind: .logInFailed)).map(\.event.at) == times)
        #expect(try await stores.accounts.events(matching: AuditQuery()).map(\.id) == [6, 5, 4, 3, 2, 1])
    }

    @Test("Old events are removed from the start, and the removal is recorded", arguments: StoreEngine.allCases)
    func pruned(engine: StoreEngine) async throws {
        let stores = try await engine.open()
        try await stores.accounts.record([10, 11, 30, 12, 40].map { event(.logInFailed, at: $0) })
        func prune(before seconds: Double, once limit: Double) async throws -> [Int64] {
            try await stores.accounts.removeExpired(
                at: time(50), idleSince: time(50), eventsBefore: time(seconds), onceBefore: time(limit),
                recording: event(.logPruned, at: 50))
            return try await stores.accounts.events(matching: AuditQuery()).map(\.id)
        }
        #expect(try await prune(before: 20, once: 10) == [5, 4, 3, 2, 1])
        // The fourth record is as old as the second, but comes after one that stays.
        #expect(try await prune(before: 20, once: 11) == [6, 5, 4, 3])
        let last = try await stores.accounts.events(matching: AuditQuery(limit: 1)).first
        #expect(last?.event.kind == .logPruned && last?.event.detail == "2")
        #expect(try await stores.accounts.verifyAuditLog() == nil)
        #expect(try await prune(before: 60, once: 60) == [7])
        #expect(try await stores.accounts.verifyAuditLog() == nil)
        try await stores.accounts.record([event(.logInFailed, at: 60)])
        #expect(try await stores.accounts.events(matching: AuditQuery()).map(\.id) == [8, 7])
    }
}

internal import AuthService

/// Where an account is logged in.
struct SessionsScreen: Sendable {
    let sessions: [Session]
    /// The session of this front.
    let current: Session

    /// Asks for the sessions of who is signed in.
    ///
    /// - Throws: what the service throws.
    init(current: Session, from auth: AuthService, by authority: Authority) async throws {
        self.current = current
        sessions = try await auth.sessions(of: current.user.id, by: authority)
    }

    private var columns: [ListColumn<Session>] {
        [
            .init("ID", .identity, \.id.description),
            .init("Since", .detail, \.createdAt.minute),
            .init("Last used", .fact, \.lastUsedAt.minute),
            .init("From", .detail, \.origin.text),
            .init("Where", .primary) { [id = current.id] in ($0.id == id ? "this one, " : "") + $0.client },
        ]
    }

    var screen: Screen {
        let columns = columns
        return Screen(
            title: "Sessions",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: sessions.map { session in
                        List.Row(
                            columns.map { $0.cell(session) }, event: .sessionRevoked(session.id),
                            confirmation: session.id == current.id
                                ? "End this session, and log out here?" : "End this session elsewhere?",
                            id: session.id.description)
                    },
                    placeholder: "No session.", choice: "End the session")),
            model: .sessions(sessions, current: current))
    }
}

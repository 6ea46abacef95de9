public import AuthService

/// The sessions of an account.
public struct SessionsScreen: Sendable {
    private let sessions: [Session]
    private let current: Session?

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - sessions: the sessions of one user, in display order.
    ///   - current: the session of the front, if it is one of them.
    public init(_ sessions: [Session], current: Session? = nil) {
        self.sessions = sessions
        self.current = current
    }

    private var columns: [ListColumn<Session>] {
        [
            .init("ID", .identity, \.id.description),
            .init("Since", .detail, value: { .time($0.createdAt) }),
            .init("Last used", .fact, value: { .time($0.lastUsedAt) }),
            .init("Address", .detail, \.origin.text),
            .init("Program", .primary) { [id = current?.id] in ($0.id == id ? "current, " : "") + $0.client },
        ]
    }

    /// The screen.
    public var screen: Screen {
        let columns = columns
        return Screen(
            title: "Sessions",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: sessions.map { session in
                        List.Row(
                            columns.map { $0.cell(session) }, event: .sessionRevocationChosen(session.id),
                            confirmation: session.id == current?.id
                                ? "End this session, and log out here?" : "End this session on another device?",
                            id: session.id.description)
                    },
                    placeholder: "There are no sessions.", choice: "End the session")),
            model: .sessions(sessions, current: current))
    }
}

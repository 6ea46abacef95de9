public import AuthService

extension Screen {
    /// The audit log, latest entry first.
    ///
    /// - Parameters:
    ///   - records: the records to show.
    ///   - users: the users, for their names. A deleted user is shown by number.
    ///   - isFiltered: whether the log may have other records.
    public static func audit(_ records: [AuditRecord], users: [User], isFiltered: Bool = false) -> Screen {
        let names = Dictionary(users.map { ($0.id, $0.username.text) }, uniquingKeysWith: { first, _ in first })
        @Sendable func name(_ id: User.ID) -> String { names[id] ?? "user \(id)" }
        let columns: [ListColumn<AuditRecord>] = [
            .init("ID", .identity) { String($0.id) },
            .init("When", .fact, value: { .time($0.event.at) }),
            .init("Event", .primary, \.event.kind.rawValue),
            .init("Outcome", .fact, \.event.kind.outcome.rawValue),
            .init("User", .fact) { $0.event.userID.map(name) ?? "" },
            .init("By", .fact) { record in
                switch record.event.actor {
                case .holder: ""
                case .user(let id): name(id)
                case .token, .system: record.event.actor.description
                }
            },
            .init("Session", .detail) { $0.event.sessionID?.description ?? "" },
            .init("From", .detail) {
                [$0.event.client, $0.event.origin.text].filter { !$0.isEmpty }.joined(separator: ", ")
            },
            .init("Detail", .detail, \.event.detail),
        ]
        return Screen(
            title: "Audit log",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: records.map { record in List.Row(columns.map { $0.cell(record) }, id: String(record.id)) },
                    placeholder: isFiltered ? "No record matches." : "The log is empty.")),
            model: .audit(records))
    }
}

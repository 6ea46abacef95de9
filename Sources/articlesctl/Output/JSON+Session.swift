import ArticleStore
import AuthService

extension JSON {
    /// Who is logged in, as `whoami` and `login` write it.
    init(account session: Session) {
        self = [
            "username": .string(session.user.username.text),
            "region": .string(session.user.region.code),
            "registered": .string(RFC3339.string(from: session.user.createdAt)),
            "session": JSON(session: session),
        ]
    }

    /// A session, as the list of them shows it where `isCurrent` tells whether it is this one.
    init(session: Session, isCurrent: Bool? = nil) {
        var members: [Member] = [
            Member(key: "id", value: .string(session.id.description)),
            Member(key: "client", value: .string(session.client)),
            Member(key: "created", value: .string(RFC3339.string(from: session.createdAt))),
            Member(key: "lastUsed", value: .string(RFC3339.string(from: session.lastUsedAt))),
            Member(key: "expires", value: .string(RFC3339.string(from: session.expiresAt))),
        ]
        if let isCurrent { members.append(Member(key: "current", value: .bool(isCurrent))) }
        self = .object(members)
    }
}

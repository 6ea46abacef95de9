import Arguments
import AuthService
import FlowCoordinators
import Text

/// `sessions`: manages the sessions of the account.
struct SessionsCommand: Command {
    private enum Task {
        case list
        case revoke(String)
        case rename(String, to: String)
    }

    private static let id = ArgumentSpec(
        name: "ID", summary: "the ID of the session, as shown by list", values: .names(.session))

    static let name = "sessions"
    static let spec = CommandSpec(
        name: name, summary: "list, rename, or end the sessions of the account",
        subcommands: [
            CommandSpec(
                name: "list", summary: "list the sessions",
                discussion: "The time of the last use can be up to five minutes old."),
            CommandSpec(
                name: "rename", summary: "give a session a name",
                arguments: [id, ArgumentSpec(name: "NAME", summary: "the name, such as “kitchen”")]),
            CommandSpec(
                name: "revoke", summary: "end a session",
                discussion: """
                    To end a session other than this one, the command asks for the password if you logged in more than \
                    an hour ago.
                    """,
                arguments: [id], options: [Credentials.passwordOption]),
        ],
        examples: [
            Example(command: "articlesctl sessions", summary: "list the sessions"),
            Example(command: "articlesctl sessions rename ID kitchen", summary: "give a session a name"),
            Example(command: "articlesctl sessions revoke ID", summary: "end a session"),
            Example(command: "articlesctl sessions list --json", summary: "list the sessions as JSON"),
        ])

    private let task: Task
    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) {
        self.parsed = parsed
        task =
            switch parsed.path.last {
            case "revoke": .revoke(parsed.argument("ID") ?? "")
            case "rename": .rename(parsed.argument("ID") ?? "", to: parsed.argument("NAME") ?? "")
            default: .list
            }
    }

    func run(in context: Context) async throws {
        switch task {
        case .list: try await context.show(.sessions)
        case .revoke(let text):
            let answers = try Credentials.password(parsed, in: context)
            let (front, id) = try await front(for: text, in: context)
            let notice = try await front.send(.sessionRevocationChosen(id), answers: answers)
            try context.report(notice, json: ["revoked": .string(text)])
        case .rename(let text, let name):
            let (front, id) = try await front(for: text, in: context)
            let account = front.application.currentUser.account
            guard try await account.auth.rename(id, to: name, token: account.token) else {
                throw ScreenError.noSession(text)
            }
            try context.report("Renamed session \(id).", json: ["renamed": .string(text)])
        }
    }

    private func front(for text: String, in context: Context) async throws -> (Front, Session.ID) {
        let front = try await context.front()
        try await front.go(to: .sessions) { $0 == .sessions }
        guard let id = Session.ID(text) else { throw ScreenError.noSession(text) }
        return (front, id)
    }
}

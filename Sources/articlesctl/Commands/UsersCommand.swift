import AuthService
import FlowCoordinators
import Terminal
import Text

/// `users`: who has an account, and what they may do.
struct UsersCommand: Command {
    /// What is asked for.
    private enum Task {
        case list
        case show(Username)
        case role(Username, Role)
    }

    private static let name = ArgumentSpec(name: "NAME", summary: "the name of the account")

    static let spec = CommandSpec(
        name: "users", summary: "look after the accounts",
        discussion: """
            Like seed, this needs no log-in: who may write the database is the operator of the machine. What is changed is \
            recorded under the name that this person has there.
            """,
        subcommands: [
            CommandSpec(name: "list", summary: "list the accounts"),
            CommandSpec(name: "show", summary: "show an account", arguments: [name]),
            CommandSpec(
                name: "role", summary: "let an account do more or less",
                discussion: """
                    A reader reads, and looks after their own account; an editor brings articles in, too; an operator looks \
                    after the users, too. The first account of all is an operator, every other one a reader.
                    """,
                arguments: [
                    name,
                    ArgumentSpec(
                        name: "ROLE", summary: "what it may do", values: .choices(Role.allCases.map(\.rawValue))),
                ]),
        ],
        examples: [
            Example(command: "articlesctl users", summary: "list them"),
            Example(command: "articlesctl users role ada editor", summary: "let somebody bring articles in"),
        ])

    private let task: Task

    init(_ parsed: ParsedCommand) throws {
        switch parsed.path.last {
        case "show": task = .show(try parsed.username("NAME"))
        case "role":
            task = .role(try parsed.username("NAME"), parsed.argument("ROLE").flatMap(Role.init) ?? .reader)
        default: task = .list
        }
    }

    func run(in context: Context) async throws {
        let (auth, authority) = (try context.accounts(), context.operatorOfTheMachine)
        switch task {
        case .list:
            try context.write(Screen.users(try await auth.users(by: authority)))
        case .show(let name):
            let user = try await auth.user(name, by: authority)
            if context.json { return try context.report(nil, json: JSON(user: user)) }
            try context.write(Screen.user(user))
        case .role(let name, let role):
            try await auth.setRole(role, of: name, by: authority)
            try context.report(
                "\(name) is \(role.withArticle) now.",
                json: ["username": .string(name.text), "role": .string(role.rawValue)])
        }
    }
}

extension ParsedCommand {
    /// An argument as the name of an account; what can be nobody's name is told so.
    func username(_ argument: String) throws -> Username { try Username(self.argument(argument) ?? "") }
}

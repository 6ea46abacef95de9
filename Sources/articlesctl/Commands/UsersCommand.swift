import Arguments
import AuthService
import FlowCoordinators
import LibraryServices
import Terminal
import Text

/// `users`: manages users.
struct UsersCommand: Command {
    private enum Task {
        case list
        case show(Username)
        case role(Username, Role)
        case disable(Username)
        case enable(Username)
        case sessions(Username)
        case logOut(Username, Session.ID?)
        case rename(Username, to: Username)
        case reset(Username)
        case removeSecondFactor(Username)
        case invite
        case registration(RegistrationPolicy?)
        case delete(Username)
    }

    private static let nameArgument = ArgumentSpec(
        name: "NAME", summary: "the name of the account", values: .names(.user))

    static let name = "users"
    static let spec = CommandSpec(
        name: name, summary: "manage accounts",
        discussion: """
            Like seed, this command needs no login: whoever can write the database is its operator. Changes are \
            recorded in the audit log under your user name on this machine.
            """,
        subcommands: [
            CommandSpec(name: "list", summary: "list the accounts"),
            CommandSpec(name: "show", summary: "show an account", arguments: [nameArgument]),
            CommandSpec(
                name: "role", summary: "change the role of an account",
                discussion: """
                    A reader reads and manages their own account; an editor also imports articles; an operator also \
                    manages users. The first account is an operator, all others begin as readers.
                    """,
                arguments: [
                    nameArgument,
                    ArgumentSpec(
                        name: "ROLE", summary: "the new role", values: .choices(Role.allCases.map(\.rawValue))),
                ]),
            CommandSpec(
                name: "disable", summary: "disable an account",
                discussion: """
                    All sessions of the user end immediately, and a login fails as with a wrong password. Nothing is \
                    deleted.
                    """,
                arguments: [nameArgument]),
            CommandSpec(name: "enable", summary: "enable an account", arguments: [nameArgument]),
            CommandSpec(name: "sessions", summary: "list the sessions of a user", arguments: [nameArgument]),
            CommandSpec(
                name: "logout", summary: "end all sessions of a user, or one",
                arguments: [
                    nameArgument,
                    ArgumentSpec(name: "ID", summary: "the ID of one session, as shown by sessions", isRequired: false),
                ]),
            CommandSpec(
                name: "rename", summary: "rename an account",
                arguments: [
                    ArgumentSpec(name: "OLD", summary: "the current name", values: .names(.user)),
                    ArgumentSpec(name: "NEW", summary: "the new name"),
                ]),
            CommandSpec(
                name: "reset", summary: "create a code for a user who forgot the password",
                discussion: """
                    The code is shown once. The user sets a new password with it: articlesctl passwd --reset-code. It \
                    expires after an hour, when it is used, when you create another, and when the password changes. \
                    Until then the password stays valid; a second factor stays valid afterwards too.
                    """,
                arguments: [nameArgument]),
            CommandSpec(
                name: "remove-second-factor", summary: "remove the second factor of a user who lost it",
                discussion:
                    "After that, a login needs only the password, until the user sets up another second factor.",
                arguments: [nameArgument]),
            CommandSpec(
                name: "invite", summary: "create an invitation to register",
                discussion: """
                    Prints a code, only once, with which one account can be created within a week: articlesctl \
                    register --invited.
                    """),
            CommandSpec(
                name: "registration", summary: "show or set who may register",
                discussion: """
                    open: everybody; invitation: everybody with the code of an invitation; closed: nobody.
                    """,
                arguments: [
                    ArgumentSpec(
                        name: "POLICY", summary: "the new policy", isRequired: false,
                        values: .choices(RegistrationPolicy.allCases.map(\.rawValue)))
                ]),
            CommandSpec(
                name: "delete", aliases: ["rm"], summary: "delete an account and all of its data",
                discussion: """
                    The command asks for confirmation first. The audit log keeps the records of the account, under its \
                    number and without its name.
                    """,
                arguments: [nameArgument], options: [Confirmation.option]),
        ],
        examples: [
            Example(command: "articlesctl users", summary: "list the accounts"),
            Example(
                command: "articlesctl users reset ada", summary: "create a code for a user who forgot the password"),
            Example(command: "articlesctl users role ada editor", summary: "let a user import articles"),
            Example(command: "articlesctl users list --json", summary: "list the accounts as JSON"),
            Example(command: "articlesctl users show ada", summary: "show an account"),
            Example(command: "articlesctl users disable ada", summary: "disable an account"),
            Example(command: "articlesctl users enable ada", summary: "enable an account"),
            Example(command: "articlesctl users sessions ada", summary: "list the sessions of a user"),
            Example(command: "articlesctl users logout ada", summary: "end all sessions of a user"),
            Example(command: "articlesctl users rename ada grace", summary: "rename an account"),
            Example(
                command: "articlesctl users remove-second-factor ada",
                summary: "remove the second factor of a user who lost their phone"),
            Example(command: "articlesctl users registration invitation", summary: "require an invitation to register"),
            Example(command: "articlesctl users invite", summary: "create an invitation"),
            Example(command: "articlesctl users delete ada", summary: "delete an account after a confirmation"),
        ])

    private let task: Task
    private let confirmation: Confirmation?

    init(_ parsed: ParsedCommand) throws {
        switch parsed.path.last {
        case "show": task = .show(try parsed.username("NAME"))
        case "role":
            task = .role(try parsed.username("NAME"), parsed.argument("ROLE").flatMap(Role.init) ?? .reader)
        case "disable": task = .disable(try parsed.username("NAME"))
        case "enable": task = .enable(try parsed.username("NAME"))
        case "sessions": task = .sessions(try parsed.username("NAME"))
        case "logout":
            let name = try parsed.username("NAME")
            let id = try parsed.argument("ID").map { text in
                guard let id = Session.ID(text) else { throw Self.unknownSession(text, of: name) }
                return id
            }
            task = .logOut(name, id)
        case "rename": task = .rename(try parsed.username("OLD"), to: try parsed.username("NEW"))
        case "reset": task = .reset(try parsed.username("NAME"))
        case "remove-second-factor": task = .removeSecondFactor(try parsed.username("NAME"))
        case "invite": task = .invite
        case "registration": task = .registration(parsed.argument("POLICY").flatMap(RegistrationPolicy.init))
        case "delete": task = .delete(try parsed.username("NAME"))
        default: task = .list
        }
        confirmation = if case .delete = task { Confirmation(parsed) } else { nil }
    }

    private static func unknownSession(_ id: String, of name: Username) -> CommandError {
        CommandError(
            "\(ScreenError.noSession(id))", hint: "list them with: articlesctl users sessions \(name)",
            code: .noInput)
    }

    func run(in context: Context) async throws {
        let (auth, authority) = (try await context.accounts(), context.operatorOfTheMachine)
        switch task {
        case .list:
            try context.write(Screen.users(try await auth.users(by: authority)))
        case .show(let name):
            let user = try await auth.user(name, by: authority)
            let secondFactor = try await auth.secondFactor(of: name, by: authority)
            if context.json {
                let json = JSON(user: user, more: [.init("secondFactor", JSON(secondFactor: secondFactor))])
                return try context.report(nil, json: json)
            }
            try context.write(Screen.user(user, secondFactor: secondFactor))
        case .role(let name, let role):
            let isChanged = try await auth.setRole(role, of: name, by: authority)
            try context.report(
                "\(name) is \(isChanged ? "now" : "already") \(role.withArticle).",
                json: ["username": .string(name.text), "role": .string(role.rawValue)])
        case .disable(let name):
            let isChanged = try await auth.setDisabled(true, name, by: authority)
            try context.report(
                isChanged
                    ? "Disabled \(name), and ended all of their sessions." : "\(name) is already disabled.",
                json: ["username": .string(name.text)])
        case .enable(let name):
            let isChanged = try await auth.setDisabled(false, name, by: authority)
            try context.report(
                isChanged ? "Enabled \(name)." : "\(name) is not disabled.", json: ["username": .string(name.text)])
        case .sessions(let name):
            let user = try await auth.user(name, by: authority)
            let sessions = try await auth.sessions(of: user.id, by: authority)
            try context.write(SessionsScreen(sessions).screen)
        case .logOut(let name, let id?):
            let user = try await auth.user(name, by: authority)
            guard try await auth.revoke(id, of: user.id, by: authority) else {
                throw Self.unknownSession(id.description, of: name)
            }
            try context.report(
                "Ended session \(id) of \(name).", json: ["username": .string(name.text), "ended": JSON(1)])
        case .logOut(let name, nil):
            let count = try await auth.logOut(name, by: authority)
            try context.report(
                "Ended \(count.quantity(of: "session")) of \(name).",
                json: ["username": .string(name.text), "ended": JSON(count)])
        case .rename(let old, let new):
            let isChanged = try await auth.rename(old, to: new, by: authority)
            try context.report(
                isChanged ? "Renamed \(old) to \(new)." : "The account already has the name \(new).",
                json: ["username": .string(new.text)])
        case .reset(let name):
            let (code, end) = try await auth.issueReset(for: name, by: authority)
            context.say(
                "\(name) can use this code once until \(RFC3339.string(from: end)): articlesctl passwd --reset-code")
            try context.report(
                code.text,
                json: [
                    "username": .string(name.text), "code": .string(code.text),
                    "expires": .string(RFC3339.string(from: end)),
                ])
        case .removeSecondFactor(let name):
            try await auth.removeSecondFactor(of: name, by: authority)
            try context.report("Removed the second factor of \(name).", json: ["username": .string(name.text)])
        case .invite:
            let (code, end) = try await auth.invite(by: authority)
            context.say(
                "This code can be used once until \(RFC3339.string(from: end)): articlesctl register --invited")
            try context.report(
                code.text, json: ["code": .string(code.text), "expires": .string(RFC3339.string(from: end))])
        case .registration(let policy):
            if let policy { try await auth.setRegistration(policy, by: authority) }
            let present = try await auth.registration()
            let word = (policy ?? present).rawValue
            try context.report(word, json: ["registration": .string(word)])
        case .delete(let name):
            let user = try await auth.user(name, by: authority)
            let question = "Delete the account \(user.username) and all of its data?"
            if let confirmation, try !confirmation.agrees(to: question, in: context) {
                throw CommandError("nothing was deleted", code: .declined)
            }
            try await auth.delete(name, by: authority)
            try context.report("Deleted \(name).", json: ["deleted": .string(name.text)])
        }
    }
}

extension ParsedCommand {
    /// Returns an argument as a username. Throws if it is not a valid name.
    func username(_ argument: String) throws -> Username { try Username(self.argument(argument) ?? "") }
}

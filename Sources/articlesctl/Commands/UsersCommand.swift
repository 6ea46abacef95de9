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

    private static let name = ArgumentSpec(
        name: "NAME", summary: "the name of the account", values: .names(.user))

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
            CommandSpec(
                name: "disable", summary: "keep a user out",
                discussion: """
                    All their sessions end at once, and a log-in is answered as with a wrong password. Nothing is deleted.
                    """,
                arguments: [name]),
            CommandSpec(name: "enable", summary: "let a user in again", arguments: [name]),
            CommandSpec(name: "sessions", summary: "list the sessions of a user", arguments: [name]),
            CommandSpec(
                name: "logout", summary: "end every session of a user, or one",
                arguments: [
                    name, ArgumentSpec(name: "ID", summary: "the one session, as the list shows it", isRequired: false),
                ]),
            CommandSpec(
                name: "rename", summary: "give an account another name",
                arguments: [
                    ArgumentSpec(name: "OLD", summary: "the name that it has", values: .names(.user)),
                    ArgumentSpec(name: "NEW", summary: "the name that it is to have"),
                ]),
            CommandSpec(
                name: "reset", summary: "issue a code for who has forgotten the password",
                discussion: """
                    It is shown once. With it the user chooses another password: articlesctl passwd --reset-code. It ends in an \
                    hour, when it is used, and when another is issued or the password changes. The password stays as it is until \
                    then, and a second factor also after it.
                    """,
                arguments: [name]),
            CommandSpec(
                name: "remove-second-factor", summary: "help somebody who has lost the second factor",
                discussion: "The password alone is enough to log in from then on, until the user sets up another.",
                arguments: [name]),
            CommandSpec(
                name: "invite", summary: "issue an invitation to make an account",
                discussion: """
                    It is a code, shown once, by which one account can be made within a week: articlesctl register --invited.
                    """),
            CommandSpec(
                name: "registration", summary: "show or decide who may make an account",
                discussion: """
                    open: anybody; invitation: who has the code of an invitation; closed: nobody.
                    """,
                arguments: [
                    ArgumentSpec(
                        name: "POLICY", summary: "who may from now on", isRequired: false,
                        values: .choices(RegistrationPolicy.allCases.map(\.rawValue)))
                ]),
            CommandSpec(
                name: "delete", aliases: ["rm"], summary: "delete an account, with all that is kept for it",
                discussion: """
                    It asks first. What happened to the account stays in the log, under its number and without its name.
                    """,
                arguments: [name], options: [Confirmation.option]),
        ],
        examples: [
            Example(command: "articlesctl users", summary: "list them"),
            Example(command: "articlesctl users reset ada", summary: "help somebody who has forgotten the password"),
            Example(command: "articlesctl users role ada editor", summary: "let somebody bring articles in"),
            Example(command: "articlesctl users list --json", summary: "the same for a program"),
            Example(command: "articlesctl users show ada", summary: "what there is to know of one"),
            Example(command: "articlesctl users disable ada", summary: "keep somebody out"),
            Example(command: "articlesctl users enable ada", summary: "let them in again"),
            Example(command: "articlesctl users sessions ada", summary: "see where somebody is logged in"),
            Example(command: "articlesctl users logout ada", summary: "end all sessions of somebody"),
            Example(command: "articlesctl users rename ada grace", summary: "give an account another name"),
            Example(
                command: "articlesctl users remove-second-factor ada",
                summary: "help somebody who has lost their telephone"),
            Example(command: "articlesctl users registration invitation", summary: "let nobody in who was not invited"),
            Example(command: "articlesctl users invite", summary: "invite somebody"),
            Example(command: "articlesctl users delete ada", summary: "delete an account, after a question"),
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
            "\(ScreenError.noSession(id))", hint: "see what there is with: articlesctl users sessions \(name)",
            code: .noInput)
    }

    func run(in context: Context) async throws {
        let (auth, authority) = (try context.accounts(), context.operatorOfTheMachine)
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
            try await auth.setRole(role, of: name, by: authority)
            try context.report(
                "\(name) is \(role.withArticle) now.",
                json: ["username": .string(name.text), "role": .string(role.rawValue)])
        case .disable(let name):
            try await auth.setDisabled(true, name, by: authority)
            try context.report(
                "\(name) is disabled, and logged out everywhere.", json: ["username": .string(name.text)])
        case .enable(let name):
            try await auth.setDisabled(false, name, by: authority)
            try context.report("\(name) can log in again.", json: ["username": .string(name.text)])
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
                "Session \(id) of \(name) has ended.", json: ["username": .string(name.text), "ended": JSON(1)])
        case .logOut(let name, nil):
            let count = try await auth.logOut(name, by: authority)
            try context.report(
                "\(name) is logged out of \(count) \(count == 1 ? "session" : "sessions").",
                json: ["username": .string(name.text), "ended": JSON(count)])
        case .rename(let old, let new):
            try await auth.rename(old, to: new, by: authority)
            try context.report("\(old) is called \(new) now.", json: ["username": .string(new.text)])
        case .reset(let name):
            let (code, end) = try await auth.issueReset(for: name, by: authority)
            context.say(
                "Until \(RFC3339.string(from: end)), \(name) can use this once: articlesctl passwd --reset-code")
            try context.report(
                code.text,
                json: [
                    "username": .string(name.text), "code": .string(code.text),
                    "expires": .string(RFC3339.string(from: end)),
                ])
        case .removeSecondFactor(let name):
            try await auth.removeSecondFactor(of: name, by: authority)
            try context.report("\(name) logs in with the password alone.", json: ["username": .string(name.text)])
        case .invite:
            let (code, end) = try await auth.invite(by: authority)
            context.say(
                "Until \(RFC3339.string(from: end)) somebody can use this once: articlesctl register --invited")
            try context.report(
                code.text, json: ["code": .string(code.text), "expires": .string(RFC3339.string(from: end))])
        case .registration(let policy):
            if let policy { try await auth.setRegistration(policy, by: authority) }
            let present = try await auth.registration()
            let word = (policy ?? present).rawValue
            try context.report(word, json: ["registration": .string(word)])
        case .delete(let name):
            let user = try await auth.user(name, by: authority)
            let question = "Delete the account \(user.username), with all that is kept for it?"
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

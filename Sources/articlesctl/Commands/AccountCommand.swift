import Arguments
import ArticleStore
import AuthService
import FlowCoordinators
import LibraryServices
import Terminal
import Text

/// `account`: the user's account.
struct AccountCommand: Command {
    private enum Task {
        case show
        case rename(String)
        case move(String)
        case delete
        case export
        case secondFactor(SecondFactorCommand)
    }

    static let name = "account"
    static let spec = CommandSpec(
        name: name, summary: "show, change, export, or delete the account",
        subcommands: [
            CommandSpec(name: "show", summary: "show who is logged in"),
            CommandSpec(
                name: "rename", summary: "change the name of the account",
                discussion: "If you logged in more than an hour ago, the command asks for the password.",
                arguments: [ArgumentSpec(name: "USERNAME", summary: "the new name")],
                options: [Credentials.passwordOption]),
            CommandSpec(
                name: "region", summary: "change the region of the account",
                arguments: [
                    ArgumentSpec(
                        name: "CODE", summary: "the two-letter code of a country or region",
                        values: .suggestions(Region.all.map(\.code)))
                ]),
            SecondFactorCommand.spec,
            CommandSpec(
                name: "export", summary: "write all data of the account as JSON",
                discussion: """
                    The export contains the user, the sessions and where each of them left off, the appearance of the \
                    screens, the marks on articles, and the audit log of the account.
                    """),
            CommandSpec(
                name: "delete", summary: "delete the account and all of its data",
                discussion: """
                    The command asks for confirmation and for the password. The audit log keeps the records of the \
                    account, under its number and without its name.
                    """,
                options: [Confirmation.option, Credentials.passwordOption]),
        ],
        examples: [
            Example(command: "articlesctl account rename ada.l", summary: "change the name"),
            Example(command: "articlesctl account second-factor on", summary: "require a code at each login"),
            Example(command: "articlesctl account export > me.json", summary: "save all data of the account"),
            Example(command: "articlesctl account delete", summary: "delete the account after a confirmation"),
            Example(command: "articlesctl account show --json", summary: "show the account as JSON"),
            Example(command: "articlesctl account region NO", summary: "change the region"),
        ])

    private let task: Task
    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) {
        self.parsed = parsed
        if parsed.path.contains(SecondFactorCommand.name) {
            task = .secondFactor(SecondFactorCommand(parsed))
            return
        }
        task =
            switch parsed.path.last {
            case "rename": .rename(parsed.argument("USERNAME") ?? "")
            case "region": .move(parsed.argument("CODE") ?? "")
            case "delete": .delete
            case "export": .export
            default: .show
            }
    }

    func run(in context: Context) async throws {
        switch task {
        case .show: try await context.show(.account)
        case .rename(let name):
            var answers = try Credentials.password(parsed, in: context)
            answers[.username] = name
            try await change(at: .name, answers, in: context)
        case .move(let code): try await change(at: .region, [.region: code], in: context)
        case .delete: try await delete(in: context)
        case .export: try await export(in: context)
        case .secondFactor(let command): try await command.run(in: context)
        }
    }

    private func change(at form: AppRoute, _ answers: Answers, in context: Context) async throws {
        let front = try await context.front()
        let notice = try await front.go(to: form, answers: answers) { $0 == .account }
        guard let session = front.application.currentUser.session else { throw AuthError.notLoggedIn }
        try context.report(notice?.text, json: JSON(account: session))
    }

    private func delete(in context: Context) async throws {
        let confirmation = Confirmation(parsed)
        try confirmation.check(in: context)
        let answers = try Credentials.answers(
            parsed, given: [:], passwords: [.password],
            needs: [.init(field: .password, spelling: "--password-stdin")], in: context)
        let front = try await context.front()
        try await front.go(to: .deletion) { $0 == .deletion }
        guard let user = front.application.currentUser.session?.user else { throw AuthError.notLoggedIn }
        let question = "Delete the account \(user.username) and all of its data?"
        guard try confirmation.agrees(to: question, in: context) else {
            throw CommandError("nothing was deleted", code: .declined)
        }
        let form = try await front.application.screen().form ?? Form([], submitLabel: "")
        let notice = try await front.send(.submitted(try front.prompter.fill(form, given: answers)))
        try context.report(notice, json: ["deleted": .string(user.username.text)])
    }

    private func export(in context: Context) async throws {
        let front = try await context.front()
        try await front.go(to: .account) { $0 == .account }
        let account = front.application.currentUser.account
        let records = try await account.auth.records(token: account.token)
        let reading = try await context.reading()
        var sessions: [JSON] = []
        for session in records.sessions {
            let place = try await reading.bookmark(ofSession: session.id.description)
            sessions.append(["session": JSON(session: session), "place": JSON(place)])
        }
        try await account.auth.record(.exported, detail: "account", by: account.authority)
        let appearance = try await reading.preferences(ofUser: records.user.id)
        let marks = try await context.marks()
        let allRead = try await marks.changes(of: records.user.id, after: 0, limit: 1).allRead
        let marked = try await self.marks(of: records.user.id, in: marks, context)
        let quiet = try await context.listing(for: records.user.id).sources().filter {
            $0.subscription?.isQuiet == true
        }
        .map(\.source)
        let sources = try await context.articles().sources()
        let object: JSON = [
            "user": JSON(user: records.user), "secondFactor": JSON(secondFactor: records.secondFactor),
            "appearance": JSON(appearance), "sessions": .array(sessions),
            "tokens": .array(records.tokens.map { JSON(apiToken: $0) }),
            "allRead": allRead.map { ["upTo": JSON($0.upTo), "changed": .string(RFC3339.string(from: $0.changed))] }
                ?? .null,
            "marks": .array(marked),
            "savedSearches": .array(try await marks.savedSearches(of: records.user.id).map { JSON($0) }),
            "rules": .array(
                try await marks.rules(of: records.user.id).map { rule in
                    JSON(rule, source: rule.condition.sourceName(among: sources))
                }),
            "quietSources": .array(quiet.map { ["name": .string($0.name), "id": .string($0.uid.description)] }),
            "log": .array(records.events.map { JSON(event: $0) }),
        ]
        try context.output.writeLine(object.description)
    }

    /// Returns all marks of a user.
    private func marks(of user: User.ID, in marks: any MarkRepository, _ context: Context) async throws -> [JSON] {
        let articles = try await context.articles()
        var marked: [JSON] = []
        var last: Int64 = 0
        while true {
            let numbers = try await marks.markedArticles(by: user, after: last, limit: 1000)
            guard let end = numbers.last else { return marked }
            let found = try await marks.marks(of: numbers, by: user)
            try await articles.forEachArticle(ids: numbers) { article in
                if let marks = found[article.id] { marked.append(JSON(record: marks, of: article)) }
            }
            last = end
        }
    }
}

import Arguments
import FlowCoordinators
import Text

/// `passwd`: changes the password.
struct PasswdCommand: Command {
    static let spec = CommandSpec(
        name: "passwd", summary: "change the password",
        discussion: """
            Every session and API token of the account ends, on every machine; this session is replaced by a new one.

            Who has forgotten the password is given a code by an operator (“articlesctl users reset NAME”), and chooses \
            another with --reset-code. Every session ends; log in with the new password then.

            With --password-stdin the first line of standard input is the current password, or the code, and the second \
            the new password.
            """,
        options: [
            OptionSpec(name: "reset-code", summary: "by the code that an operator has given, instead of the password"),
            OptionSpec(
                name: "password-stdin",
                summary: "read the current and the new password from two lines of standard input"),
        ],
        examples: [
            Example(command: "articlesctl passwd", summary: "change it, asking for the old one and the new one"),
            Example(command: "articlesctl passwd --reset-code", summary: "choose another with a code"),
        ])

    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) { self.parsed = parsed }

    func run(in context: Context) async throws {
        let front = try context.front()
        if parsed.flag("reset-code") { return try await reset(front, in: context) }
        let answers = try Credentials.answers(
            parsed, given: [:], passwords: [.password, .newPassword], confirming: .newPassword,
            needs: [.init(field: .password, spelling: "--password-stdin")], in: context)
        let notice = try await front.go(to: .password, answers: answers) { $0 == .account }
        try context.report(notice?.text, json: ["changed": true])
    }

    private func reset(_ front: Front, in context: Context) async throws {
        let answers = try Credentials.answers(
            parsed, given: [:], passwords: [.code, .newPassword], confirming: .newPassword,
            needs: [.init(field: .code, spelling: "--password-stdin")], in: context)
        let notice = try await front.go(to: .reset, answers: answers) { $0 != .reset }
        try context.report(notice?.text, json: ["changed": true])
    }
}

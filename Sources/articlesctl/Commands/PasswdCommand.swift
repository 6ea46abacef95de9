import Arguments
import FlowCoordinators
import Text

/// `passwd`: changes the password.
struct PasswdCommand: Command {
    static let name = "passwd"
    static let spec = CommandSpec(
        name: name, summary: "change the password",
        discussion: """
            All other sessions and all API tokens of the account end, on all machines; this session gets a new token.

            If you forgot your password, an operator gives you a code (“articlesctl users reset NAME”), with which you \
            set a new password: --reset-code. All sessions end; then log in with the new password.

            With --password-stdin, the first line of standard input is the current password or the code, and the \
            second line is the new password.
            """,
        options: [
            OptionSpec(name: "reset-code", summary: "use a code from an operator instead of the password"),
            OptionSpec(
                name: "password-stdin",
                summary: "read the current and the new password from two lines of standard input"),
        ],
        examples: [
            Example(command: "articlesctl passwd", summary: "change the password with prompts for both passwords"),
            Example(command: "articlesctl passwd --reset-code", summary: "set a new password with a code"),
        ])

    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) { self.parsed = parsed }

    func run(in context: Context) async throws {
        let front = try await context.front()
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

import FlowCoordinators
import Text

/// `passwd`: the form that changes the password.
struct PasswdCommand: Command {
    static let spec = CommandSpec(
        name: "passwd", summary: "change the password",
        discussion: """
            Every session of the account ends, on every machine; this one is replaced by a new one.

            With --password-stdin the first line of standard input is the current password, the second the new one.
            """,
        options: [
            OptionSpec(
                name: "password-stdin",
                summary: "read the current and the new password from two lines of standard input")
        ])

    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) { self.parsed = parsed }

    func run(in context: Context) async throws {
        let front = try context.front()
        let answers = try Credentials.answers(
            parsed, given: [:], passwords: [.password, .newPassword], confirming: .newPassword,
            needs: [.init(field: .password, spelling: "--password-stdin")], in: context)
        let notice = try await front.go(to: .password, answers: answers) { $0 == .account }
        try context.report(notice?.text, json: ["changed": true])
    }
}

import Arguments
import AuthService
import FlowCoordinators
import Terminal
import Text

/// `account second-factor`: manages codes that a login requires in addition to the password.
struct SecondFactorCommand: Command {
    private enum Task {
        case status
        case on
        case codes
        case off
    }

    static let name = "second-factor"
    static let spec = CommandSpec(
        name: name, summary: "show, set up, or turn off the second factor",
        discussion: """
            With a second factor, a login needs a code in addition to the password: the six digits that an \
            authenticator app shows for half a minute each (RFC 6238). A new password does not turn it off.
            """,
        subcommands: [
            CommandSpec(name: "status", summary: "show whether it is on"),
            CommandSpec(
                name: "on", summary: "set up the second factor, at a terminal",
                discussion: """
                    The command shows a QR code for the authenticator app and asks for a code of the app. Then it \
                    prints ten recovery codes, only once. Each recovery code replaces one code of the app, if you do \
                    not have the app at hand.
                    """),
            CommandSpec(
                name: "codes", summary: "create new recovery codes, and print them once",
                discussion:
                    "The previous codes become invalid. If you logged in more than an hour ago, the command asks for the password.",
                options: [Credentials.passwordOption]),
            CommandSpec(
                name: "off", summary: "turn off the second factor",
                discussion:
                    "The command asks for confirmation, and for the password if you logged in more than an hour ago. If you lost the second factor, ask an operator to run: articlesctl users remove-second-factor NAME",
                options: [Confirmation.option, Credentials.passwordOption]),
        ],
        examples: [
            Example(command: "articlesctl account second-factor", summary: "show whether it is on"),
            Example(command: "articlesctl account second-factor status", summary: "do the same"),
            Example(command: "articlesctl account second-factor on", summary: "set it up"),
            Example(
                command: "articlesctl account second-factor codes > codes.txt",
                summary: "save new recovery codes in a file"),
            Example(command: "articlesctl account second-factor off", summary: "turn it off"),
        ])

    private let task: Task
    private let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) {
        self.parsed = parsed
        task =
            switch parsed.path.last {
            case "on": .on
            case "codes": .codes
            case "off": .off
            default: .status
            }
    }

    func run(in context: Context) async throws {
        switch task {
        case .status: try await context.show(.secondFactorSettings)
        case .on: try await turnOn(in: context)
        case .codes:
            let answers = try Credentials.password(parsed, in: context)
            let front = try await front(in: context)
            _ = try await front.send(.recoveryCodesChosen, answers: answers)
            try await writeCodes(of: front, in: context)
        case .off: try await turnOff(in: context)
        }
    }

    /// Returns a front at the screen of the second factor.
    private func front(in context: Context) async throws -> Front {
        let front = try await context.front()
        try await front.go(to: .secondFactorSettings) { $0 == .secondFactorSettings }
        return front
    }

    private func secondFactor(of front: Front) async throws -> SecondFactor? {
        let account = front.application.currentUser.account
        return try await account.auth.secondFactor(token: account.token)
    }

    private func turnOn(in context: Context) async throws {
        guard context.isInteractive else {
            throw parsed.error(.other("this command needs a terminal, to ask for a code of the authenticator"))
        }
        let front = try await front(in: context)
        guard try await secondFactor(of: front) == nil else { throw AuthError.secondFactorThere }
        _ = try await front.send(.open(.secondFactorSetUp))
        guard let form = try await front.application.screen().form else { throw AuthError.notLoggedIn }
        if let handover = form.handover { context.show(handover) }
        for attempt in 1...3 {
            do {
                _ = try await front.send(.submitted(try front.prompter.fill(form, given: [:])))
                break
            } catch let error as AuthError where error == .wrongCode && attempt < 3 {
                context.say("\(error)")
            }
        }
        context.say("The second factor is on.")
        try await writeCodes(of: front, in: context)
    }

    private func turnOff(in context: Context) async throws {
        let confirmation = Confirmation(parsed)
        let answers = try Credentials.password(parsed, in: context)
        let front = try await front(in: context)
        guard try await secondFactor(of: front) != nil else { throw AuthError.noSecondFactor }
        try confirmation.check(in: context)
        let question = "Turn off the second factor, so that a login needs only the password?"
        guard try confirmation.agrees(to: question, in: context) else {
            throw CommandError("the second factor is still on", code: .declined)
        }
        try context.report(
            try await front.send(.secondFactorRemovalChosen, answers: answers), json: ["secondFactor": .null])
    }

    private func writeCodes(of front: Front, in context: Context) async throws {
        guard case .recoveryCodes(let codes) = try await front.application.screen().model else {
            throw AuthError.notLoggedIn
        }
        context.say(
            "Each recovery code replaces a code of the authenticator once. Store them separately from the password; they are shown only once:"
        )
        if context.json {
            return try context.report(nil, json: ["recoveryCodes": .array(codes.map { .string($0.text) })])
        }
        try context.output.write(codes.map { $0.text + "\n" }.joined())
    }
}

extension Context {
    /// Shows the data for an authenticator app on standard error.
    fileprivate func show(_ handover: Form.Handover) {
        var text = StyledText(lines: [[Span(handover.hint)]])
        // A scanner reads the dark squares of a code, so it is colored even if the text is not.
        let isDrawn = terminal.error.isTerminal && terminal.isCapable
        if isDrawn, let code = QRCode(handover.address), code.width <= terminal.width {
            text.lines += code.lines.map { [Span($0, QRCode.style(isColored: true))] }
        } else {
            // Omit the address next to the code: it contains the same data, and would push the code off a screen of 24
            // lines.
            text.lines.append([Span(handover.address)])
        }
        text.lines.append([Span(handover.text)])
        try? error.write(text.rendered(isColored: isDrawn))
        try? error.flush()
    }
}

import Arguments
import FlowCoordinators
import Terminal

/// The answers of account commands from arguments and standard input.
struct Credentials {
    /// The option that reads passwords from standard input.
    static let passwordOption = OptionSpec(
        name: "password-stdin", summary: "read the password from the first line of standard input")

    /// A required field, and the argument that answers it.
    struct Need {
        let field: FieldName
        let spelling: String
    }

    /// Returns the password from standard input, if `--password-stdin` was given.
    static func password(_ parsed: ParsedCommand, in context: Context) throws -> Answers {
        try answers(parsed, given: [:], passwords: [.password], needs: [], in: context)
    }

    /// Returns the answers in the arguments and on standard input.
    ///
    /// - Parameter passwords: the fields that the lines of standard input answer, in order. The confirmation repeats
    ///   the new password, because a program does not mistype.
    /// - Throws: `UsageError` with the missing arguments, if the program cannot ask without a terminal.
    static func answers(
        _ parsed: ParsedCommand, given: [FieldName: String?], passwords: [FieldName], confirming: FieldName? = nil,
        needs: [Need], in context: Context
    ) throws -> Answers {
        var values = given.compactMapValues { $0 }
        if parsed.flag(passwordOption.name) {
            for field in passwords {
                do {
                    values[field] = try Prompt().firstLine(of: 0)
                } catch PromptError.endOfInput {
                    let lines =
                        passwords.count == 1 ? "one line, the password" : "\(passwords.count) lines of passwords"
                    throw parsed.error(.other("--password-stdin needs \(lines), on standard input"))
                }
            }
            if let confirming { values[.confirmation] = values[confirming] }
        }
        if !context.isInteractive {
            let missing = needs.filter { values[$0.field] == nil }.map(\.spelling)
            let reason = parsed.flag("no-input") ? "--no-input forbids prompts" : "there is no terminal for a prompt"
            guard missing.isEmpty else { throw parsed.error(.unasked(missing, reason: reason)) }
        }
        return Answers(values)
    }
}

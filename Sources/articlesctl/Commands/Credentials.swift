import Arguments
import FlowCoordinators
import Terminal

/// The answers that account commands take from the arguments and from standard input.
struct Credentials {
    /// The option that reads passwords from standard input.
    static let passwordOption = OptionSpec(
        name: "password-stdin", summary: "read the password from the first line of standard input")

    /// A field, and how to answer it on the command line.
    struct Need {
        let field: FieldName
        let spelling: String
    }

    /// The password, where it is on standard input.
    static func password(_ parsed: ParsedCommand, in context: Context) throws -> Answers {
        try answers(parsed, given: [:], passwords: [.password], needs: [], in: context)
    }

    /// The answers that the arguments bring.
    ///
    /// - Parameter passwords: the fields that lines of standard input answer, in order; the confirmation is the new
    ///   password again, because nobody mistypes a line that a program writes.
    /// - Throws: `UsageError` that names what is missing, when nobody is there to ask.
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
            let reason = parsed.flag("no-input") ? "with --no-input nothing is asked" : "there is no terminal to ask on"
            guard missing.isEmpty else { throw parsed.error(.unasked(missing, reason: reason)) }
        }
        return Answers(values)
    }
}

import FlowCoordinators
import Terminal
import Text

/// Asks the user for the fields of a form.
struct Prompter {
    let isInteractive: Bool
    let prompt: Prompt
    /// Prints a line before a question.
    let say: (String) -> Void

    /// The number of attempts for a field. After that, the answer is sent as it is, and the service rejects it.
    private static let attempts = 3

    /// Returns the answers to all fields: the given ones, and those that the user types. A wrong answer is asked for
    /// again before the next field.
    func fill(_ form: Form, given: Answers) throws -> Answers {
        var answers = given
        answers[.version] = form.version
        for field in form.fields where answers[field.name] == nil {
            if let hint = field.hint { say(hint) }
            for attempt in 1...Self.attempts {
                answers[field.name] = try ask(for: field)
                guard attempt < Self.attempts, case .wrong(let complaint) = field.check?(answers) else { break }
                say(complaint)
            }
        }
        return answers
    }

    private func ask(for field: Form.Field) throws -> String {
        let label = field.label.sanitized()
        if case .secret = field.kind { return try prompt.password("\(label): ") }
        let value = field.value.sanitized()
        var notes: [String] = []
        if case .choice(let choices) = field.kind {
            notes.append("two-letter code" + (value.isEmpty ? choices.first.map { ", such as \($0.value)" } ?? "" : ""))
        }
        if !value.isEmpty { notes.append("default: \(value)") }
        let answer = try prompt.line("\(label)\(notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"): ")
        return answer.isEmpty ? field.value : answer
    }
}

import Arguments
import FlowCoordinators
import Terminal
import Text

/// Asks the user for the fields of a form.
struct Prompter {
    let isInteractive: Bool
    let prompt: Prompt
    /// Prints a line before a question.
    let say: (String) -> Void

    /// The number of attempts for a field.
    private static let attempts = 3

    /// Returns the answers to all fields: the given ones, and those that the user types. A wrong answer is asked for
    /// again before the next field. If a repetition differs, the user types both answers again.
    ///
    /// - Throws: `PromptError`; `CommandError` if the last attempt for a field is wrong.
    func fill(_ form: Form, given: Answers) throws -> Answers {
        var answers = given
        answers[.version] = form.version
        let asked = form.fields.filter { given[$0.name] == nil }
        for field in asked {
            if let hint = field.hint { say(hint) }
            try fill(field, among: asked, &answers)
        }
        return answers
    }

    private func fill(_ field: Form.Field, among asked: [Form.Field], _ answers: inout Answers) throws {
        for attempt in 1...Self.attempts {
            answers[field.name] = try ask(for: field)
            guard let mistake = mistake(in: field, answers) else { return }
            guard attempt < Self.attempts else { throw CommandError(mistake, code: .badData) }
            say(mistake)
            if let repeated = asked.first(where: { $0.name == field.repeated }) {
                try fill(repeated, among: asked, &answers)
            }
        }
    }

    /// Returns the reason why an answer is wrong; nil if it may be right.
    private func mistake(in field: Form.Field, _ answers: Answers) -> String? {
        switch field.check?(answers) {
        case .wrong(let reason): reason
        // The user has finished the answer.
        case .unfinished where field.repeated != nil: "\(FormError.passwordsDiffer)"
        case .unfinished where answers[field.name]?.isEmpty != false: "the answer is empty"
        case .unfinished, .good, nil: nil
        }
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

import FlowCoordinators

/// Asks a person for what a form wants.
struct Prompter {
    let isInteractive: Bool
    let prompt: Prompt
    /// Shows a line before a question.
    let say: (String) -> Void

    /// The answers to every field: those given, and for the others what a person types.
    func fill(_ form: Form, given: Answers) throws -> Answers {
        var answers = given
        for field in form.fields where answers[field.name] == nil {
            if let hint = field.hint { say(hint) }
            let label = field.label.sanitized()
            switch field.kind {
            case .secret:
                answers[field.name] = try prompt.password("\(label): ")
            case .text, .choice:
                let suggestion = field.value.isEmpty ? "" : " [\(field.value.sanitized())]"
                let code = if case .choice = field.kind { " (two-letter code)" } else { "" }
                let answer = try prompt.line("\(label)\(code)\(suggestion): ")
                answers[field.name] = answer.isEmpty ? field.value : answer
            }
        }
        return answers
    }
}

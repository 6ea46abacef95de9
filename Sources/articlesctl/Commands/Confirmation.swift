import Arguments
import Platform
import Terminal
import Text

/// The confirmation of commands whose effect cannot be undone. They ask first, unless `--yes` is given.
struct Confirmation {
    static let option = OptionSpec(name: "yes", short: "y", summary: "do not ask for confirmation")

    private let parsed: ParsedCommand
    private let isGiven: Bool

    init(_ parsed: ParsedCommand) {
        self.parsed = parsed
        isGiven = parsed.flag(Self.option.name)
    }

    /// Checks in advance that the confirmation is possible.
    ///
    /// - Throws: `UsageError` if `--yes` is missing and the program cannot ask without a terminal.
    func check(in context: Context) throws {
        guard !isGiven, !context.isInteractive else { return }
        let reason = parsed.flag("no-input") ? "--no-input forbids prompts" : "there is no terminal for a prompt"
        throw parsed.error(.unasked([Self.option.spelling], reason: reason))
    }

    /// Returns whether the user agrees, by `--yes` or by answering the question.
    ///
    /// - Parameter question: a line that ends with a question mark.
    /// - Throws: `PromptError`.
    func agrees(to question: String, in context: Context) throws -> Bool {
        if isGiven { return true }
        try check(in: context)
        return try context.choice(of: [("y", "yes"), ("n", "no")], question, standard: "n") == "y"
    }
}

extension Context {
    /// Asks the user to choose by a letter until the answer is valid.
    ///
    /// - Parameters:
    ///   - choices: the letters, each with a word that is accepted too.
    ///   - standard: the answer for Return alone; nil without a default.
    /// - Throws: `PromptError`.
    func choice(
        of choices: [(letter: String, word: String)], _ question: String, standard: String? = nil
    ) throws -> String {
        let letters = choices.map { $0.letter == standard ? $0.letter.uppercased() : $0.letter }
        let prompt = "\(question.sanitized()) [\(letters.joined(separator: "/"))] "
        while true {
            let answer = try Prompt().line(prompt).trimmed.lowercased()
            if answer.isEmpty, let standard { return standard }
            if let choice = choices.first(where: { $0.letter == answer || $0.word == answer }) { return choice.letter }
        }
    }
}

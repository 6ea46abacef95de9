import Terminal
import Text

/// A mistake in a command line, with a message that helps to correct it.
package struct UsageError: Error, Hashable {
    package enum Problem: Hashable, Sendable {
        case unknownCommand(String)
        case missingCommand
        case unknownOption(String)
        /// An option was given before the command that it belongs to.
        case misplacedOption(String, command: String)
        case repeatedOption(String)
        case missingValue(of: String, name: String)
        case optionAsValue(of: String, value: String)
        /// A value was given, but it is empty.
        case emptyValue(of: String)
        case unexpectedValue(of: String)
        case invalidValue(of: String, value: String, expected: String)
        case invalidTemplate(String, reason: String)
        case missingArguments([String])
        /// The command would ask for values, but `reason` prevents it.
        case unasked([String], reason: String)
        case unexpectedArgument(String)
        /// Any other mistake, as a sentence without a full stop.
        case other(String)
    }

    package let problem: Problem
    /// The names of the program and of the commands below it, as far as they were recognized.
    package let command: [String]
    /// Similar names, the best first.
    package let suggestions: [String]
    /// The word that may be meant as an argument instead of an option.
    package var operand: String?

    package init(_ problem: Problem, command: [String], suggestions: [String] = []) {
        self.problem = problem
        self.command = command
        self.suggestions = suggestions
    }
}

extension UsageError {
    /// Whether `word`, which begins with a hyphen, may be meant as an argument: its letters are not options, or the
    /// rest of the word is not a value of its first option.
    func mayBeAboutOperand(_ word: String) -> Bool {
        switch problem {
        case .unknownOption: true
        case .invalidValue(_, let value, _): !word.hasPrefix("--") && word.count > 2 && word.hasSuffix(value)
        default: false
        }
    }
}

extension UsageError: CustomStringConvertible {
    /// The error on one line, safe for a terminal.
    package var message: String {
        let text =
            switch problem {
            case .unknownCommand(let name): "unknown command '\(name)'"
            case .missingCommand:
                command.count > 1
                    ? "'\(command.dropFirst().joined(separator: " "))' needs a subcommand" : "missing command"
            case .unknownOption(let name): "unknown option '\(name)'"
            case .misplacedOption(let name, let command): "option '\(name)' belongs after the command '\(command)'"
            case .repeatedOption(let name): "option '\(name)' is given twice"
            case .missingValue(let option, let name): "option '\(option)' needs a value: \(option) \(name)"
            case .optionAsValue(let option, let value):
                "option '\(option)' needs a value, but '\(value)' looks like an option; to pass it as a value: \("\(option)=\(value)".shellWord)"
            case .emptyValue(let option): "option '\(option)' needs a value that is not empty"
            case .unexpectedValue(let option): "option '\(option)' does not accept a value"
            case .invalidValue(let name, let value, let expected):
                "'\(value)' is not a valid value for \(name): expected \(expected)"
            case .invalidTemplate(let text, let reason): "'\(text)' is not a valid template: \(reason)"
            case .missingArguments(let names): "missing \(names.listed(with: "and"))"
            case .unasked(let names, let reason): "missing \(names.listed(with: "and")): \(reason)"
            case .unexpectedArgument(let argument): "unexpected argument '\(argument)'"
            case .other(let message): message
            }
        return text.sanitized()
    }

    /// Similar names, and the command that shows the help, one line each.
    package var advice: String {
        var lines: [String] = []
        if problem == .missingCommand {
            if !suggestions.isEmpty { lines.append("Valid values: \(suggestions.joined(separator: ", ")).") }
        } else if !suggestions.isEmpty {
            lines.append("Did you mean \(suggestions.map { "'\($0)'" }.listed(with: "or"))?")
        }
        if let operand {
            let line = (command + ["--", operand.shellQuoted]).joined(separator: " ")
            lines.append("If it is not an option, write -- before it: \(line.sanitized())")
        }
        lines.append("Run '\(command.joined(separator: " ")) --help' for usage.")
        return lines.joined(separator: "\n")
    }

    /// The message after the name of the program, and the advice.
    package var description: String { "\(command.first ?? ""): \(message)\n\(advice)" }
}

extension [String] {
    /// Returns the texts as a list in a sentence: `a, b and c`.
    fileprivate func listed(with conjunction: String) -> String {
        guard count > 1, let last else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}

package import Text

/// The request of a command line.
package enum Invocation: Hashable, Sendable {
    case run(ParsedCommand)
    /// `--help`, for the command at `path`.
    case help(path: [String])
    /// `--version`, with the other options.
    case version(ParsedCommand)
}

/// A valid command line.
package struct ParsedCommand: Hashable, Sendable {
    /// The names of the commands below the root, without aliases; empty for the root.
    package let path: [String]
    /// The present time, to which dates such as “yesterday” are relative.
    package var now = Date()
    private let command: [CommandSpec]
    private let optionValues: [String: [String]]
    private let argumentValues: [String: [String]]

    package init(command: [CommandSpec], options: [String: [String]], arguments: [String: [String]]) {
        self.command = command
        path = command.dropFirst().map(\.name)
        optionValues = options
        argumentValues = arguments
    }

    /// Whether the flag was given.
    package func flag(_ name: String) -> Bool {
        !values(name).isEmpty
    }

    /// Returns the value of an option, or else its default.
    package func value(_ name: String) -> String? {
        values(name).first ?? option(name)?.defaultValue
    }

    /// Returns the value of an option, which must contain visible text.
    ///
    /// - Throws: `UsageError` if the value consists only of white space.
    package func filled(_ name: String) throws(UsageError) -> String? {
        guard let text = value(name) else { return nil }
        guard text.contains(where: { !$0.isWhitespace }) else { throw error(.emptyValue(of: "--" + name)) }
        return text
    }

    /// Returns all values of an option that can be repeated, in order. A flag has an empty value for each time that it
    /// was given.
    package func values(_ name: String) -> [String] {
        assert(option(name) != nil, "the table has no option \(name)")
        return optionValues[name] ?? []
    }

    /// Returns the value of an option as a whole number.
    ///
    /// - Throws: `UsageError` if the value is not a whole number or is out of range.
    package func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            throw error(.invalidValue(of: "--" + name, value: text, expected: expected))
        }
        return number
    }

    /// Returns the argument with a name; nil if it was not given.
    package func argument(_ name: String) -> String? {
        arguments(name).first
    }

    /// Returns all arguments with a name, in order.
    package func arguments(_ name: String) -> [String] {
        assert(command.last?.arguments.contains { $0.name == name } == true, "the table has no argument \(name)")
        return argumentValues[name] ?? []
    }

    /// Returns the same command line with another value of an option, quoted for a shell.
    package func line(with name: String, _ value: String) -> String {
        var words = command.map(\.name)
        for option in command.options {
            for given in option.name == name ? [value] : optionValues[option.name] ?? [] {
                if option.value == nil || option.isValueOptional && given.isEmpty {
                    words.append(option.spelling)
                } else if option.isValueOptional || given.hasPrefix("-") || given.isEmpty {
                    words.append((option.spelling + "=" + given).shellWord)
                } else {
                    words += [option.spelling, given.shellWord]
                }
            }
        }
        let arguments = (command.last?.arguments ?? []).flatMap { argumentValues[$0.name] ?? [] }
        if arguments.contains(where: { $0.hasPrefix("-") }) { words.append("--") }
        return (words + arguments.map(\.shellWord)).joined(separator: " ")
    }

    /// Returns a usage error of this command, for mistakes that only the command itself can find.
    package func error(_ problem: UsageError.Problem, suggestions: [String] = []) -> UsageError {
        UsageError(problem, command: command.map(\.name), suggestions: suggestions)
    }

    private func option(_ name: String) -> OptionSpec? {
        command.options.first { $0.name == name }
    }
}

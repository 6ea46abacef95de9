import Text

extension CommandSpec {
    /// Parses a command line, without the name of the program.
    ///
    /// The conventions are those of GNU: `--option=value` and `--option value` (if the value is optional and the
    /// command takes arguments, only the first form), `-o value` and `-ovalue`, several flags in `-ab`, options at any
    /// position, `--` before arguments that begin with a hyphen, and `-` alone as an argument. `--help`, `-h`,
    /// `--version`, and `-V` are always understood. A request for help is answered even if other words are wrong. A
    /// word that begins with a hyphen and a digit is not an option, because option names never begin with a digit. So
    /// for `-n -1`, the error is about the value.
    ///
    /// - Throws: `UsageError` for the first mistake.
    package func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        var parser = ArgumentParser(root: self)
        return try parser.parse(arguments)
    }
}

private struct ArgumentParser {
    private var commands: [CommandSpec]
    private var options: [String: [String]] = [:]
    private var positionals: [String] = []
    private var wantsHelp = false
    private var wantsVersion = false

    init(root: CommandSpec) {
        commands = [root]
    }

    private var command: CommandSpec { commands[commands.count - 1] }

    mutating func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        var rest = arguments[...]
        var optionsEnded = false
        var mistake: UsageError?
        while let argument = rest.popFirst() {
            do throws(UsageError) {
                if optionsEnded || !argument.looksLikeOption {
                    try addPositional(argument, mayBeCommand: !optionsEnded)
                } else if argument == "--" {
                    optionsEnded = true
                } else if argument.hasPrefix("--") {
                    try addLong(argument.dropFirst(2), &rest)
                } else {
                    try addShort(argument.dropFirst(), &rest)
                }
            } catch {
                var error = error
                // Commands that take one name may take a password: do not repeat a word of theirs.
                if error.mayBeAboutOperand(argument), command.arguments.last?.isRepeating == true {
                    error.operand = argument
                }
                mistake = mistake ?? error
            }
        }
        if wantsHelp { return .help(path: commands.dropFirst().map(\.name)) }
        if let mistake { throw mistake }
        if wantsVersion { return .version(ParsedCommand(command: commands, options: options, arguments: [:])) }
        if command.needsSubcommand, !command.worksAlone {
            throw error(.missingCommand, suggestions: command.subcommands.filter { !$0.isHidden }.map(\.name))
        }
        return .run(ParsedCommand(command: commands, options: options, arguments: try bound()))
    }

    private mutating func addPositional(_ argument: String, mayBeCommand: Bool) throws(UsageError) {
        let isCommand = mayBeCommand && positionals.isEmpty && !command.subcommands.isEmpty
        if isCommand, let next = command.subcommand(named: argument) { return commands.append(next) }
        positionals.append(argument)
        if isCommand, command.arguments.isEmpty {
            throw error(.unknownCommand(argument), suggestions: command.suggestions(for: argument))
        }
    }

    private mutating func addLong(_ text: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let value = parts.count == 2 ? String(parts[1]) : nil
        if let option = visible({ $0.name == name }) {
            try add(option, value: value, &rest)
        } else if value == nil, name == "help" {
            wantsHelp = true
        } else if value == nil, name == "version" {
            wantsVersion = true
        } else {
            throw unknown("--" + name)
        }
    }

    private mutating func addShort(_ letters: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = visible({ $0.short == letter }) else {
                switch letter {
                case "h": wantsHelp = true
                case "V": wantsVersion = true
                default: throw unknown("-" + String(letter))
                }
                continue
            }
            if option.value == nil {
                try add(option, value: nil, &rest)
            } else {
                return try add(option, value: letters.isEmpty ? nil : String(letters), &rest)
            }
        }
    }

    private mutating func add(
        _ option: OptionSpec, value given: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        var value = given ?? ""
        if let valueName = option.value {
            if given == nil, option.isValueOptional {
                // If the command does not take arguments, the next word must be the value.
                if command.arguments.isEmpty, command.subcommands.isEmpty, let next = rest.first,
                    !next.looksLikeOption
                {
                    value = next
                    rest.removeFirst()
                }
            } else if option.isValueOptional, value.isEmpty {
                throw error(.emptyValue(of: option.spelling))
            } else if given == nil {
                // If the next word looks like an option, the value was probably forgotten. `--option=-x` passes such a
                // value.
                guard let next = rest.first else {
                    throw error(.missingValue(of: option.spelling, name: valueName))
                }
                guard !next.looksLikeOption else {
                    throw error(.optionAsValue(of: option.spelling, value: next))
                }
                value = next
                rest.removeFirst()
            }
            try check(value, option.values, for: option.spelling)
        } else if given != nil {
            throw error(.unexpectedValue(of: option.spelling))
        }
        if !option.isRepeating, options[option.name] != nil { throw error(.repeatedOption(option.spelling)) }
        options[option.name, default: []].append(value)
    }

    /// Assigns the arguments to the names in the command's specification, in order.
    private func bound() throws(UsageError) -> [String: [String]] {
        var result: [String: [String]] = [:]
        var rest = positionals[...]
        for (index, argument) in command.arguments.enumerated() {
            guard !rest.isEmpty else {
                let missing = command.arguments[index...].filter(\.isRequired).map(\.name)
                if missing.isEmpty { break }
                if let reason = argument.whenMissing { throw error(.unasked(missing, reason: reason)) }
                throw error(.missingArguments(missing))
            }
            let values = argument.isRepeating ? Array(rest) : Array(rest.prefix(1))
            rest = rest.dropFirst(values.count)
            for value in values {
                try check(value, argument.values, for: argument.name)
            }
            result[argument.name] = values
        }
        if let extra = rest.first { throw error(.unexpectedArgument(extra)) }
        return result
    }

    private func check(_ value: String, _ values: Values, for name: String) throws(UsageError) {
        guard case .choices(let choices) = values, !choices.contains(value) else { return }
        let expected = choices.count == 1 ? choices[0] : "one of " + choices.joined(separator: ", ")
        throw error(
            .invalidValue(of: name, value: value, expected: expected),
            suggestions: choices.suggestions(for: value)
        )
    }

    private func visible(_ isMeant: (OptionSpec) -> Bool) -> OptionSpec? {
        commands.options.first(where: isMeant)
    }

    private func unknown(_ spelling: String) -> UsageError {
        let isMeant = { (option: OptionSpec) in option.spelling == spelling || option.short.map { "-\($0)" } == spelling
        }
        if let owner = command.subcommands.first(where: { $0.options.contains(where: isMeant) }) {
            return error(.misplacedOption(spelling, command: owner.name))
        }
        let known = commands.options.map(\.spelling) + ["--help", "--version"]
        return error(.unknownOption(spelling), suggestions: known.suggestions(for: spelling))
    }

    private func error(_ problem: UsageError.Problem, suggestions: [String] = []) -> UsageError {
        UsageError(problem, command: commands.map(\.name), suggestions: suggestions)
    }
}

extension String {
    /// Whether the text looks like an option. `-` alone and negative numbers are arguments.
    fileprivate var looksLikeOption: Bool {
        guard let next = dropFirst().first else { return false }
        return hasPrefix("-") && !("0"..."9").contains(next)
    }
}

extension CommandSpec {
    /// The completion script for fish. It has a function that goes through the words before the cursor to find the
    /// command, and a rule for each possible completion.
    package var fishCompletions: String {
        var cases: [String] = []
        var rules: [String] = []
        for chain in chains {
            guard let command = chain.last else { continue }
            let key = chain.key
            let at = "complete -c \(name) -n \("__\(name)_at \(key.fishQuoted)".fishQuoted)"
            for subcommand in command.shownSubcommands {
                let names = ([subcommand.name] + subcommand.aliases).map { "\(key)|\($0)".fishQuoted }.joined(
                    separator: " ")
                cases.append("case \(names)\n    set path \("\(key) \(subcommand.name)".fishQuoted)")
                rules.append("\(at) -a \(subcommand.name.fishQuoted) -d \(subcommand.summary.fishQuoted)")
            }
            for option in chain.visibleOptions {
                if option.value != nil, !option.isValueOptional {
                    let names = option.spellings.map { "\(key)|\($0)".fishQuoted }.joined(separator: " ")
                    cases.append("case \(names)\n    set waits 1")
                }
                let short = option.short.map { " -s \($0)" } ?? ""
                let value =
                    option.value == nil
                    ? "" : (option.isValueOptional ? "" : " -x") + option.values.fishArguments(by: name)
                rules.append("\(at) -l \(option.name)\(short)\(value) -d \(option.summary.fishQuoted)")
            }
            // fish cannot tell the position of an argument, so offer the values of all arguments.
            for values in command.arguments.map(\.values) where values != .any {
                rules.append(at + values.fishArguments(by: name))
            }
        }
        return """
            # fish completion for \(name)
            function __\(name)_at
                set -l path ''
                set -l waits 0
                for word in (commandline -opc)[2..-1]
                    if test $waits = 1
                        set waits 0
                        continue
                    end
                    switch "$path|$word"
            \(cases.map { $0.indented(by: 12) }.joined(separator: "\n"))
                    end
                end
                test "$path" = "$argv[1]"
            end

            function __\(name)_names
                set -l token (string replace -r -- '^--[a-z-]+=' '' (commandline -ct))
                set -l start (string unescape -- $token)
                or set start (string unescape -- (string replace -r -- '^[\\'"]' '' $token))
                command \(name) complete-names $argv[1] -- "$start" 2> /dev/null
            end

            complete -c \(name) -f
            \(rules.joined(separator: "\n"))

            """
    }
}

extension Values {
    /// Returns the options of `complete` that offer only these values.
    fileprivate func fishArguments(by program: String) -> String {
        switch self {
        case .names(let kind): " -a '(__\(program)_names \(kind.rawValue))'"
        case .any: ""
        case .file: " -a '(__fish_complete_path (commandline -ct))'"
        case .directory: " -a '(__fish_complete_directories (commandline -ct))'"
        case .choices(let choices), .suggestions(let choices): " -a " + choices.joined(separator: " ").fishQuoted
        }
    }
}

extension String {
    /// The text as a single word for fish. Only `\` and `'` have a meaning inside its single quotation marks.
    fileprivate var fishQuoted: String {
        "'" + replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}

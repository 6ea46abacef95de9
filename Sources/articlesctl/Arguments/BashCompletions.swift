extension CommandSpec {
    /// Walks the words before the cursor to find the command and the option that waits for its value, then offers what fits.
    /// Needs bash alone, not the bash-completion package.
    var bashCompletions: String {
        var moves: [String] = []
        var waits: [String] = []
        var values: [String] = []
        var words: [String] = []
        for chain in chains {
            guard let command = chain.last else { continue }
            let key = chain.key
            for subcommand in command.subcommands {
                let names = [subcommand.name] + subcommand.aliases
                moves.append(
                    "\(pattern(names.map { "\(key)|\($0)" }))) path=\("\(key) \(subcommand.name)".shellQuoted) ;;")
            }
            for option in chain.visibleOptions where option.value != nil && !option.isValueOptional {
                let pattern = pattern(option.spellings.map { "\(key)|\($0)" })
                waits.append("\(pattern)) option=$word ;;")
                values.append("\(pattern)) \(option.values.bashReply) ;;")
            }
            let options = chain.visibleOptions.map(\.spelling).joined(separator: " ")
            let names = command.subcommands.map(\.name).joined(separator: " ")
            words.append(
                """
                \(key.shellQuoted))
                    if [[ $current == -* && $ended == 0 ]]; then
                        COMPREPLY=($(compgen -W \(options.shellQuoted) -- "$current"))
                    else
                        \(command.bashArguments(names: names))
                    fi ;;
                """.indented(by: 8))
        }
        return """
            # bash completion for \(name)
            _\(name)() {
                local current=${COMP_WORDS[COMP_CWORD]} path='' option='' ended=0 index=0 word i
                COMPREPLY=()
                for ((i = 1; i < COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]}
                    if [[ $word == = ]]; then continue; fi
                    if [[ -n $option ]]; then option=''; continue; fi
                    if [[ $word == -- ]]; then ended=1; continue; fi
                    if [[ $ended == 0 ]]; then
                        case "$path|$word" in
            \((moves + waits).map { $0.indented(by: 16) }.joined(separator: "\n"))
                            *'|-'?*) ;;
                            *) index=$((index + 1)) ;;
                        esac
                    else
                        index=$((index + 1))
                    fi
                done
                if [[ $current == = ]]; then current=''; fi
                if [[ -n $option ]]; then
                    case "$path|$option" in
            \(values.map { $0.indented(by: 12) }.joined(separator: "\n"))
                    esac
                    return
                fi
                case "$path" in
            \(words.joined(separator: "\n"))
                esac
            }
            complete -F _\(name) \(name)

            """
    }

    /// Subcommands where there are any, else what the argument at `$index` may be.
    fileprivate func bashArguments(names: String) -> String {
        if !names.isEmpty {
            return "COMPREPLY=($(compgen -W \(names.shellQuoted) -- \"$current\"))"
        }
        let cases = arguments.enumerated().map { index, argument in
            "\(argument.isRepeating ? "*" : String(index))) \(argument.values.bashReply) ;;"
        }
        return "case $index in \((cases + ["*) ;;"]).joined(separator: " ")) esac"
    }

    private func pattern(_ words: [String]) -> String {
        words.map(\.shellQuoted).joined(separator: "|")
    }
}

extension Values {
    fileprivate var bashReply: String {
        switch self {
        case .any: ":"
        case .file: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
        case .directory: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
        case .choices(let choices), .suggestions(let choices):
            "COMPREPLY=($(compgen -W \(choices.joined(separator: " ").shellQuoted) -- \"$current\"))"
        }
    }
}

extension String {
    /// Each line with spaces before it.
    func indented(by count: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
    }
}

extension CommandSpec {
    /// The completion script for zsh. It has a function for each command and uses zsh's `_arguments`.
    package var zshCompletions: String {
        let functions = chains.map(zshFunction).joined(separator: "\n")
        return """
            #compdef \(name)
            # zsh completion for \(name)

            _\(name)_names() {
                local kind=$argv[-1]
                local -a names
                names=("${(@f)$(command \(name) complete-names $kind -- "${(Q)PREFIX}" 2> /dev/null)}")
                names=(${names:#})
                [[ $kind == (fields|template) ]] && set -- -S '' "$@"
                compadd "${@[1,-2]}" -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -a names
            }

            \(functions)
            if [ "$funcstack[1]" = "_\(name)" ]; then
                _\(name) "$@"
            else
                compdef _\(name) \(name)
            fi

            """
    }

    private func zshFunction(_ chain: [CommandSpec]) -> String {
        guard let command = chain.last else { return "" }
        var specs = chain.visibleOptions.flatMap { zshSpecs($0, program: chain[0].name) }
        var choice = ""
        if command.shownSubcommands.isEmpty {
            for (index, argument) in command.arguments.enumerated() {
                let position = argument.isRepeating ? "*" : "\(index + 1)"
                let colon = argument.isRequired || argument.isRepeating ? ":" : "::"
                specs.append(
                    "\(position)\(colon)\(argument.name.zshEscaped):\(argument.values.zshAction(by: chain[0].name))"
                        .shellQuoted)
            }
        } else {
            specs += ["': :->command'", "'*:: :->arguments'"]
            let names = command.shownSubcommands.map {
                "\($0.name.zshEscaped):\($0.summary)".shellQuoted
            }
            let cases = command.shownSubcommands.map { subcommand in
                let names = ([subcommand.name] + subcommand.aliases).joined(separator: "|")
                return "\(names)) \(zshName(chain + [subcommand])) ;;"
            }
            choice = """

                    case $state in
                        command)
                            local -a commands=(
                \(names.map { $0.indented(by: 16) }.joined(separator: "\n"))
                            )
                            _describe -t commands command commands ;;
                        arguments)
                            case $words[1] in
                \(cases.map { $0.indented(by: 16) }.joined(separator: "\n"))
                            esac ;;
                    esac
                """
        }
        return """
            \(zshName(chain))() {
                local context state state_descr line
                typeset -A opt_args
                _arguments -C -s -S : \\
            \(specs.map { $0.indented(by: 8) }.joined(separator: " \\\n"))\(choice)
            }

            """
    }

    private func zshName(_ chain: [CommandSpec]) -> String {
        "_" + chain.map(\.name).joined(separator: "_")
    }

    private func zshSpecs(_ option: OptionSpec, program: String) -> [String] {
        option.spellings.map { spelling in
            let others = option.isRepeating ? "*" : "(\(option.spellings.joined(separator: " ")))"
            let isLong = spelling.hasPrefix("--")
            let form =
                spelling + (option.value == nil ? "" : option.isValueOptional ? "=-" : isLong ? "=" : "+")
            let value = option.value.map {
                "\(option.isValueOptional ? "::" : ":")\($0.zshEscaped):\(option.values.zshAction(by: program))"
            }
            return "\(others)\(form)[\(option.summary.zshEscaped)]\(value ?? "")".shellQuoted
        }
    }
}

extension Values {
    fileprivate func zshAction(by program: String) -> String {
        switch self {
        case .names(let kind): "_\(program)_names \(kind.rawValue)"
        case .any: " "
        case .file: "_files"
        case .directory: "_files -/"
        case .choices(let choices), .suggestions(let choices): "(\(choices.joined(separator: " ")))"
        }
    }
}

extension String {
    /// The text with escapes for the characters that have a meaning in `_arguments`.
    fileprivate var zshEscaped: String {
        reduce(into: "") { result, character in
            if "\\:[]".contains(character) { result += "\\" }
            result.append(character)
        }
    }
}

extension CommandSpec {
    /// The completion script for bash. It goes through the words before the cursor to find the command and a possible
    /// option without its value, and then offers the completions that fit. It does not need the bash-completion
    /// package.
    package var bashCompletions: String {
        var moves: [String] = []
        var waits: [String] = []
        var values: [String] = []
        var words: [String] = []
        for chain in chains {
            guard let command = chain.last else { continue }
            let key = chain.key
            for subcommand in command.shownSubcommands {
                let names = [subcommand.name] + subcommand.aliases
                moves.append(
                    "\(pattern(names.map { "\(key)|\($0)" }))) path=\("\(key) \(subcommand.name)".shellQuoted) ;;")
            }
            for option in chain.visibleOptions where option.value != nil {
                let pattern = pattern(option.spellings.map { "\(key)|\($0)" })
                waits.append("\(pattern)) \(option.isValueOptional ? "flag" : "option")=$word ;;")
                values.append("\(pattern)) \(option.values.bashReply(by: name)) ;;")
            }
            let options = chain.visibleOptions.map(\.spelling).joined(separator: " ")
            let names = command.shownSubcommands.map(\.name).joined(separator: " ")
            words.append(
                """
                \(key.shellQuoted))
                    if [[ $current == -* && $ended == 0 ]]; then
                        COMPREPLY=($(compgen -W \(options.shellQuoted) -- "$current"))
                    else
                        \(command.bashArguments(names: names, program: name))
                    fi ;;
                """.indented(by: 8))
        }
        return """
            # bash completion for \(name)
            \(bashNames)
            _\(name)() {
                local current='' path='' option='' flag='' ended=0 index=0 joins=0 word i
                local -a words=()
                COMPREPLY=()
                # bash takes a word apart at its colons.
                for ((i = 0; i <= COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]}
                    if [[ $word == : || $joins == 1 ]] && ((i > 1)); then words[${#words[@]}-1]+=$word; else words+=("$word"); fi
                    if [[ $word == : ]]; then joins=1; else joins=0; fi
                done
                current=${words[${#words[@]}-1]}
                for ((i = 1; i < ${#words[@]} - 1; i++)); do
                    word=${words[i]}
                    if [[ $word == = ]]; then option=${flag:-$option}; flag=''; continue; fi
                    flag=''
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
                if [[ $current == = ]]; then option=${flag:-$option}; current=''; fi
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

    /// Returns the bash code that offers subcommands if there are any, and otherwise the values of the argument at
    /// `$index`.
    fileprivate func bashArguments(names: String, program: String) -> String {
        if !names.isEmpty {
            return "COMPREPLY=($(compgen -W \(names.shellQuoted) -- \"$current\"))"
        }
        let cases = arguments.enumerated().map { index, argument in
            "\(argument.isRepeating ? "*" : String(index))) \(argument.values.bashReply(by: program)) ;;"
        }
        return "case $index in \((cases + ["*) ;;"]).joined(separator: " ")) esac"
    }

    /// The bash function that offers the names of a kind that begin with the word at the cursor. Each name is quoted in
    /// the way that the shell requires.
    private var bashNames: String {
        """
        _\(name)_names() {
            local current=$2 quote='' plain='' cut='' name
            case $current in
                \\'*) quote="'"; plain=${current#?}; current='' ;;
                '"'*) quote='"'; current=${current#?} ;;
            esac
            while [[ $current == *'\\'* ]]; do
                plain+=${current%%'\\'*}; current=${current#*'\\'}
                plain+=${current:0:1}; current=${current:1}
            done
            plain+=$current
            # What stands before a colon stays.
            if [[ -z $quote && $COMP_WORDBREAKS == *:* && $plain == *:* ]]; then cut=${plain%:*}:; fi
            case $1 in fields|template) compopt -o nospace 2> /dev/null ;; esac
            while IFS= read -r name; do
                if [[ $name != "$cut"* ]]; then continue; fi
                name=${name#"$cut"}
                case $quote in
                    '') if [[ $name == *[!a-zA-Z0-9_./:@%+,-]* ]]; then printf -v name %q "$name"; fi ;;
                    "'") name=${name//"'"/"'\\''"} ;;
                    *)
                        # Nothing takes its meaning there from what recalls a line.
                        if [[ $name == *'!'* ]]; then continue; fi
                        name=${name//'\\'/'\\\\'}; name=${name//'"'/'\\"'}
                        name=${name//'$'/'\\$'}; name=${name//'`'/'\\`'} ;;
                esac
                COMPREPLY+=("$name")
            done < <(command \(name) complete-names "$1" -- "$plain" 2> /dev/null)
        }
        """
    }

    private func pattern(_ words: [String]) -> String {
        words.map(\.shellQuoted).joined(separator: "|")
    }
}

extension Values {
    fileprivate func bashReply(by program: String) -> String {
        switch self {
        case .any: ":"
        case .names(let kind): "_\(program)_names \(kind.rawValue) \"$current\""
        case .file: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
        case .directory: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
        case .choices(let choices), .suggestions(let choices):
            "COMPREPLY=($(compgen -W \(choices.joined(separator: " ").shellQuoted) -- \"$current\"))"
        }
    }
}

extension String {
    /// Returns the text with spaces before each line.
    package func indented(by count: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
    }
}

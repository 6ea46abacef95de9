import TestSupport
import Testing

@testable import articlesctl

@Suite("Shell completions")
struct CompletionsTests {
    /// A command line up to the cursor, and what is offered there.
    static let cases: [(words: [String], offers: Set<String>)] = [
        (["l"], ["list"]),
        (["se"], ["seed", "sessions"]),
        (["list", "--a"], ["--author"]),
        (["list", "--j"], ["--json"]),
        (["--color", ""], ["auto", "always", "never"]),
        (["--color", "never", "list", "--re"], ["--reverse"]),
        (["list", "--author", "seed", "--re"], ["--reverse"]),
        (["--database", "list", "sh"], ["show"]),
        (["seed", "--format", "json"], ["json", "jsonl"]),
        (["ls", "--re"], ["--reverse"]),
        (["sessions", "r"], ["revoke"]),
        (["completions", "z"], ["zsh"]),
        (["help", "se"], ["seed", "sessions"]),
        (["seed", "./inp"], ["./input"]),
    ]

    @Test("bash offers what fits", .enabled(if: isInstalled("bash")), arguments: cases.indices)
    func bash(place: Int) throws {
        let (words, offers) = Self.cases[place]
        let line = (["shelf"] + words).map(\.shellQuoted).joined(separator: " ")
        let script =
            exampleCommands.completions(for: .bash)
                + """
                compopt() { :; }
                COMP_WORDS=(\(line)); COMP_CWORD=\(words.count); _shelf; printf '%s\\n' "${COMPREPLY[@]}"
                """
        #expect(try offered(["bash", "--norc", "-u"], script) == offers)
    }

    @Test(
        "bash offers the values of an option written with =, which it sees as a word of its own",
        .enabled(if: isInstalled("bash")))
    func bashEquals() throws {
        let script =
            exampleCommands.completions(for: .bash)
                + """
                COMP_WORDS=(shelf list --color = n); COMP_CWORD=4; _shelf; echo "${COMPREPLY[@]}"
                COMP_WORDS=(shelf list --color =); COMP_CWORD=3; _shelf; echo "${COMPREPLY[@]}"
                """
        #expect(try runProgram(["bash", "--norc"], input: script).output == "never\nauto always never\n")
    }

    @Test("fish offers what fits", .enabled(if: isInstalled("fish")), arguments: cases.indices)
    func fish(place: Int) throws {
        let (words, offers) = Self.cases[place]
        let line = (["shelf"] + words).joined(separator: " ")
        let script = exampleCommands.completions(for: .fish) + "complete -C '\(line)'\n"
        #expect(try offered(["fish", "--no-config"], script) == offers)
    }

    @Test("zsh offers what fits", .enabled(if: isInstalled("zsh")), arguments: cases.indices)
    func zsh(place: Int) throws {
        let (words, offers) = Self.cases[place]
        let line = (["shelf"] + words).joined(separator: " ")
        // Completion works in a line editor only, so the script starts a second zsh on a terminal and has it print each match.
        let inner = """
            PROMPT= ; autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' list-colors ''
            unsetopt list_beep; LISTMAX=0; zstyle ':completion:*' verbose no
            \(exampleCommands.completions(for: .zsh))
            compadd() {
                if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return $?; fi
                typeset -a matches; builtin compadd -A matches "$@"; builtin compadd "$@"
                local match; for match in $matches; do print -r -- "MATCH:$match:"; done
            }
            report() { zle complete-word; print -r -- DONE; }
            zle -N report; bindkey '^I' report
            print READY
            """
        let script = """
            print -r -- \(inner.shellQuoted) > inner.zsh
            zmodload zsh/zpty
            zpty z zsh -f -i
            zpty -w z 'source ./inner.zsh'
            while zpty -r z text; do [[ $text == READY* ]] && break; done
            zpty -w -n z \("\(line)\t".shellQuoted)
            while zpty -r z text; do
                [[ $text == *MATCH:* ]] && { text=${text#*MATCH:}; print -r -- "${text%%:*}" }
                [[ $text == *DONE* ]] && break
            done
            zpty -d z
            """
        let found = try offered(["zsh", "-f"], script)
        #expect(Set(found.map { $0 == "input" ? "./input" : $0 }) == offers)
    }

    /// What a script prints, a line each; of a fish line, what is before the description.
    private func offered(_ shell: [String], _ script: String) throws -> Set<String> {
        let output = try runProgram(shell, input: script).output
        return Set(output.split(separator: "\n").map { String($0.prefix { $0 != "\t" && $0 != "\r" }) })
    }
}

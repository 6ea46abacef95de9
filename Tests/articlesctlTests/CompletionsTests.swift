import Arguments
import TestSupport
import Testing

@testable import articlesctl

@Suite("Shell completions")
struct CompletionsTests {
    /// A command line up to the cursor, and its completions.
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

    @Test("bash offers the matching names", .enabled(if: isInstalled("bash")), arguments: cases.indices)
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

    @Test("fish offers the matching names", .enabled(if: isInstalled("fish")), arguments: cases.indices)
    func fish(place: Int) throws {
        let (words, offers) = Self.cases[place]
        let line = (["shelf"] + words).joined(separator: " ")
        let script = exampleCommands.completions(for: .fish) + "complete -C '\(line)'\n"
        #expect(try offered(["fish", "--no-config"], script) == offers)
    }

    @Test("zsh offers the matching names", .enabled(if: isInstalled("zsh")), arguments: cases.indices)
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

    /// Names that would run a command if they were not quoted.
    static let hostile = [
        "$(touch x)", "'; touch x; '", "\"`touch x`", "a\\b & c", "id,slug", "~", "#1", "Ada Lindqvist", "Tomás*",
    ]

    /// Puts a program into PATH that prints these names, and writes its arguments to the file `asked`.
    private func answering(_ names: [String]) -> String {
        let lines = names.map(\.shellQuoted).joined(separator: " ")
        let program = "#!/bin/sh\nprintf '%s\\n' \"$*\" >> asked\nprintf '%s\\n' \(lines)\n"
        return "mkdir bin; printf %s \(program.shellQuoted) > bin/shelf; chmod 700 bin/shelf; PATH=$PWD/bin:$PATH\n"
    }

    @Test(
        "bash quotes names so that they are never run", .enabled(if: isInstalled("bash")),
        arguments: ["", "'", "\""])
    func bashNames(quote: String) throws {
        let script =
            answering(Self.hostile) + exampleCommands.completions(for: .bash)
                + """

                compopt() { :; }
                quote=\(quote.shellQuoted)
                COMP_WORDS=(shelf show "$quote"); COMP_CWORD=2; _shelf
                for reply in "${COMPREPLY[@]}"; do
                    eval "set -- $quote$reply$quote"
                    printf '%s\\n' "$#" "$1"
                done
                cat asked; ls
                """
        let expected = Self.hostile.flatMap { ["1", $0] } + ["complete-names article -- ", "asked", "bin", "input"]
        let found = try runProgram(["bash", "--norc", "-u"], input: script).output
        #expect(found.split(separator: "\n").map(String.init).filter { $0 != "output" } == expected)
    }

    @Test("bash completes the text before the cursor, and keeps the rest", .enabled(if: isInstalled("bash")))
    func bashStarts() throws {
        let script =
            answering(["mine:for the talk"]) + exampleCommands.completions(for: .bash)
                + #"""

                compopt() { :; }
                try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shelf; printf '%s\n' "${COMPREPLY[@]}"; }
                COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
                try shelf show --label mine : fo
                try shelf show -l 'for\ t'
                try shelf show -l \''mine:f'
                try shelf show --label = mine :
                try shelf show --fields = a,b
                try shelf show --fields we
                cat asked
                """#
        let found = try runProgram(["bash", "--norc"], input: script).output
        #expect(
            found == #"""
                for\ the\ talk
                mine:for\ the\ talk
                mine:for the talk
                for\ the\ talk
                mine:for\ the\ talk
                mine:for\ the\ talk
                complete-names tag -- mine:fo
                complete-names tag -- for t
                complete-names tag -- mine:f
                complete-names tag -- mine:
                complete-names fields -- a,b
                complete-names article -- we

                """#)
    }

    @Test("fish offers names as they are, and runs none", .enabled(if: isInstalled("fish")))
    func fishNames() throws {
        let script =
            "cat > make.sh <<'END'\n" + answering(Self.hostile) + "END\nsh make.sh\nexec fish --no-config names.fish\n"
        let names =
            "set -x PATH $PWD/bin $PATH\n" + exampleCommands.completions(for: .fish)
                + """
                complete -C 'shelf show '
                complete -C 'shelf show --label=A'
                complete -C "shelf show 'Ada L"
                cat asked; ls
                """
        let whole = "cat > names.fish <<'END'\n" + names + "\nEND\n" + script
        let lines = try runProgram(["bash", "--norc"], input: whole).output.split(separator: "\n").map(String.init)
        // A colon or a backslash may be shown as it would be typed.
        for name in Self.hostile where !name.contains("\\") { #expect(lines.contains(name), "\(name)") }
        #expect(lines.contains { $0.hasPrefix("--label=Ada Lindqvist\t") })
        #expect(lines.contains("complete-names article -- Ada L"))
        #expect(lines.contains("complete-names tag -- A"))
        #expect(!lines.contains("x"))
    }

    @Test("zsh offers names as they are, and runs none", .enabled(if: isInstalled("zsh")))
    func zshNames() throws {
        let script =
            answering(Self.hostile) + "autoload -Uz compinit; compinit -u -D\n" + exampleCommands.completions(for: .zsh)
                + #"""

                compadd() { print -rl -- $names; print -r -- "${@[-2]}"; }
                PREFIX='Ada\ L' _shelf_names tag; PREFIX='' _shelf_names article
                cat asked; ls
                """#
        let expected =
            Self.hostile + ["-a"] + Self.hostile + ["-a"]
            + ["complete-names tag -- Ada L", "complete-names article -- ", "asked", "bin", "input"]
        let found = try runProgram(["zsh", "-f"], input: script).output
        #expect(found.split(separator: "\n").map(String.init).filter { $0 != "output" } == expected)
    }

    /// The lines that a script prints; for fish, the part before the description.
    private func offered(_ shell: [String], _ script: String) throws -> Set<String> {
        let output = try runProgram(shell, input: script).output
        return Set(output.split(separator: "\n").map { String($0.prefix { $0 != "\t" && $0 != "\r" }) })
    }
}

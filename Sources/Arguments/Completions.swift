/// The shells that completions are written for.
package enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
}

extension CommandSpec {
    /// A script that teaches the shell to complete this program's commands, options, values and files.
    package func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: bashCompletions
        case .zsh: zshCompletions
        case .fish: fishCompletions
        }
    }

    /// The commands in the order of the table, each with those above it, the root first.
    package var chains: [[CommandSpec]] {
        func below(_ chain: [CommandSpec]) -> [[CommandSpec]] {
            [chain] + (chain.last?.shownSubcommands ?? []).flatMap { below(chain + [$0]) }
        }
        return below([self])
    }
}

extension [CommandSpec] {
    /// Every option that can be given at the last command of the chain, those that are built in included.
    package var visibleOptions: [OptionSpec] {
        options + [OptionSpec(name: "help", short: "h", summary: "Show help")]
            + (count == 1 ? [OptionSpec(name: "version", short: "V", summary: "Show the version")] : [])
    }

    /// The names below the root, a space before each: how the scripts name a command.
    package var key: String { dropFirst().map { " " + $0.name }.joined() }
}

extension OptionSpec {
    /// `--database` and `-d`.
    package var spellings: [String] { [spelling] + (short.map { ["-\($0)"] } ?? []) }
}

extension String {
    /// The text as one word of a POSIX shell or zsh.
    package var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }

    /// The same without quotation marks where nothing in it means anything to a shell.
    package var shellWord: String {
        let isPlain = utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case let byte: "_-./:,=@%+".utf8.contains(byte)
            }
        }
        return isPlain && !isEmpty ? self : shellQuoted
    }
}

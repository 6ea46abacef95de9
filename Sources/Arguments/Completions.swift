/// The supported shells for completions.
package enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
}

extension CommandSpec {
    /// Returns the script that lets a shell complete the commands, options, values, and files of this program.
    package func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: bashCompletions
        case .zsh: zshCompletions
        case .fish: fishCompletions
        }
    }

    /// All commands in the order of the specification, each with the commands above it, the root first.
    package var chains: [[CommandSpec]] {
        func below(_ chain: [CommandSpec]) -> [[CommandSpec]] {
            [chain] + (chain.last?.shownSubcommands ?? []).flatMap { below(chain + [$0]) }
        }
        return below([self])
    }
}

extension [CommandSpec] {
    /// All options that can be given at the last command in the chain, including the built-in options.
    package var visibleOptions: [OptionSpec] {
        options + [OptionSpec(name: "help", short: "h", summary: "Show help")]
            + (count == 1 ? [OptionSpec(name: "version", short: "V", summary: "Show the version")] : [])
    }

    /// The names below the root, each after a space. The scripts identify a command by this text.
    package var key: String { dropFirst().map { " " + $0.name }.joined() }
}

extension OptionSpec {
    /// All spellings of the option, such as `--database` and `-d`.
    package var spellings: [String] { [spelling] + (short.map { ["-\($0)"] } ?? []) }
}

extension String {
    /// The text as a single quoted word for a POSIX shell or zsh.
    package var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }

    /// The text as a single word, without quotation marks if it does not contain special characters of a shell.
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

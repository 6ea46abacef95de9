import Arguments
import Terminal
import Testing

@testable import articlesctl

@Suite("The examples of the help")
struct ExampleTests {
    @Test("Every command has an example on its page")
    func there() throws {
        for chain in CommandTable.root.chains {
            let page = try #require(HelpPage(of: CommandTable.root, path: chain.dropFirst().map(\.name)))
            let text = page.text(width: 100).rendered(isColored: false)
            #expect(text.contains("\nEXAMPLES\n"), "\(chain.map(\.name))")
        }
    }

    @Test(
        "Each example is a valid command line",
        arguments: CommandTable.root.chains.flatMap { $0.last?.examples ?? [] })
    func understood(example: Example) throws {
        let commands = shellCommands(example.command).filter { $0.first == "articlesctl" }
        #expect(!commands.isEmpty)
        for words in commands {
            let invocation = try CommandTable.parse(Array(words.dropFirst()))
            guard case .run(let parsed) = invocation, let name = parsed.path.first else { continue }
            _ = try #require(CommandTable.command(named: name)).init(parsed)
        }
    }

    @Test(
        "The name of a command may also be a value, an argument, or a wrong word",
        arguments: [
            ("--database list show x", "show"), ("find list", "search"), ("list --tag show", "list"),
            ("show list", "show"),
            ("help list", "help"), ("", nil),
        ])
    func names(line: String, command: String?) throws {
        let words = line.split(separator: " ").map(String.init)
        guard case .run(let parsed) = try CommandTable.parse(words) else {
            Issue.record("not a command")
            return
        }
        #expect(parsed.path.first == command)
        #expect(throws: try CommandTable.root.mistake(in: ["lst"] + words)) {
            try CommandTable.parse(["lst"] + words)
        }
    }

    /// Splits a line of shell into its simple commands and their words; the examples need no more of a shell.
    private func shellCommands(_ line: String) -> [[String]] {
        var commands: [[String]] = [[]]
        var word: String?
        var quote: Character?
        func end() {
            if let done = word { commands[commands.count - 1].append(done) }
            word = nil
        }
        for character in line {
            switch character {
            case _ where quote != nil:
                if character == quote { quote = nil } else { word = (word ?? "") + String(character) }
            case "'", "\"":
                quote = character
                word = word ?? ""
            case " ":
                end()
                // An assignment for one command only.
                if commands[commands.count - 1].first?.contains("=") == true {
                    commands[commands.count - 1].removeFirst()
                }
            case "|", ">", "<", ";", "&", "(", ")", "\n":
                end()
                commands.append([])
            default: word = (word ?? "") + String(character)
            }
        }
        end()
        return commands
    }
}

extension CommandSpec {
    /// Returns the mistake in a command line.
    fileprivate func mistake(in words: [String]) throws -> UsageError {
        try #require(throws: UsageError.self) { try parse(words) }
    }
}

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
            let invocation = try CommandTable.root.parse(Array(words.dropFirst()))
            guard case .run(let parsed) = invocation, let name = parsed.path.first else { continue }
            _ = try #require(CommandTable.command(named: name)).init(parsed)
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

import Arguments
@testable import articlesctl
import FlowCoordinators
import Foundation
import Navigation
import Testing

@Suite("The reference")
struct ReferenceTests {
    @Test("The reference has exactly the existing commands")
    func commands() throws {
        let expected = allCommands.map { path, command in
            let names = path.isEmpty ? [command.name] + command.aliases : [spelling(path, command)]
            return [names.map(code).joined(separator: ", "), command.summary]
        }
        try GeneratedTable(page: Page("docs/reference.md"), name: "commands", rows: expected).check()
    }

    @Test("The reference has exactly the options of every command")
    func options() throws {
        let shared = CommandTable.root.options.map { [""] + row($0) }
        let own = allCommands.flatMap { path, command in
            command.options.map { [code(spelling(path, command))] + row($0) }
        }
        try GeneratedTable(page: Page("docs/reference.md"), name: "options", rows: shared + own).check()
    }

    @Test("The reference has exactly the exit codes with their meanings")
    func exitCodes() throws {
        #expect(
            try rows(under: "Exit codes").map { $0.map { $0.replacing("`", with: "") } }
                == ExitCode.allCases.map { [String($0.rawValue), $0.meaning] })
    }

    @Test("The reference has the variables and files of the manual page")
    func surroundings() throws {
        let variables = try rows(under: "Environment").map { $0[0] }.joined(separator: " ")
        for term in CommandTable.root.environment.flatMap({ $0.term.components(separatedBy: ", ") }) {
            #expect(variables.contains(code(term)), "\(term)")
        }
        let files = try rows(under: "Files").map { $0[0] }
        for file in CommandTable.root.files { #expect(files.contains(code(file.term)), "\(file.term)") }
    }

    @Test("The reference has exactly the paths of the screens")
    func paths() throws {
        #expect(try Set(rows(under: "Paths").map { $0[0] }) == Set(AppRoute.graph.nodes.map { code($0.screen) }))
    }

    @Test("The reference names the parameters of the list's path")
    func query() throws {
        let text = try Page("docs/reference.md").text()
        let example = try #require(text.firstMatch(of: /`(\/articles\?[^`]+)`/)?.output.1)
        #expect(AppRoute(path: String(example))?.path == String(example))
        for name in ["search", "author", "tag", "language", "sort", "limit", "cursor", "since", "until"] {
            #expect(text.contains("`\(name)`"), "\(name)")
        }
    }

    /// All commands below the root with their parents' names, in the order of the help.
    private var allCommands: [(path: [String], command: CommandSpec)] {
        commands(of: CommandTable.root, at: [])
    }

    private func commands(of command: CommandSpec, at path: [String]) -> [(path: [String], command: CommandSpec)] {
        command.shownSubcommands.flatMap { [(path, $0)] + commands(of: $0, at: path + [$0.name]) }
    }

    private func spelling(_ path: [String], _ command: CommandSpec) -> String {
        (path + [command.name]).joined(separator: " ")
    }

    private func row(_ option: OptionSpec) -> [String] {
        let term = (option.short.map { "-\($0), " } ?? "") + option.usage
        let standard = option.defaultValue.map { " (default: \($0))" } ?? ""
        return [code(term), option.summary + option.values.note + standard]
    }

    private func code(_ text: String) -> String { "`\(text)`" }

    /// The cells of the table under a heading, without its header.
    private func rows(under heading: String) throws -> [[String]] {
        let section = try #require(
            try Page("docs/reference.md").text().components(separatedBy: "\n## \(heading)\n").last)
        let own = try #require(section.components(separatedBy: "\n## ").first)
        return own.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.dropFirst().dropLast().components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}

@Suite("The page on embedding")
struct EmbeddingTests {
    @Test("The page has a row for every library of the manifest")
    func libraries() throws {
        let rows = try Page("docs/embedding.md").prose().split(separator: "\n").filter { $0.hasPrefix("| `") }
        for library in try Page.libraries() {
            #expect(rows.contains { $0.hasPrefix("| `\(library)` |") }, "\(library)")
        }
    }
}

@Suite("The page on the reader")
struct ReaderPageTests {
    @Test("The table has every key, what it does, and where, and no other")
    func keys() throws {
        try GeneratedTable(page: Page("docs/reader.md"), name: "keys", rows: KeyTable.rows).check()
    }
}

@Suite("The page of the screens")
struct ScreensTests {
    @Test("The page has the graph that the application declares")
    func drawing() throws {
        #expect(try Page("docs/screens.md").snippets(of: "mermaid") == [AppRoute.graph.mermaid()])
    }
}

@Suite("The page on the configuration")
struct ConfigurationPageTests {
    @Test("The tables have every key with its effect, its values, and its default")
    func keys() throws {
        let tables = Dictionary(grouping: ConfigurationKey.all) { key in
            key.path.contains(".") ? String(key.path.prefix { $0 != "." }) : "top"
        }
        for (name, keys) in tables {
            let rows = keys.map { key in
                let standard = "\(key.standard)".replacing("|", with: "\\|")
                return ["`\(key.path)`", key.summary, key.values.words, "`\(standard)`"]
            }
            try GeneratedTable(page: Page("docs/configuration.md"), name: name, rows: rows).check()
        }
    }
}

import ArticleStore
import FlowCoordinators
import Foundation
import Navigation
import TestSupport
import Testing

@Suite("The Swift on the pages")
struct SnippetTests {
    @Test("The Swift of a page is compiled, here or in an example")
    func compiled() throws {
        let examples = Page.root.appending(path: "Examples")
        let files = try FileManager.default.subpathsOfDirectory(atPath: examples.path)
            .filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }.map { examples.appending(path: $0) }
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let here = ["Snippets.swift", "NavigationSnippets.swift"].map { folder.appending(path: $0) }
        let compiled = try (here + files).map { lines(try String(contentsOf: $0, encoding: .utf8)) }
        let snippets = try Page.all.flatMap { try $0.snippets(of: "swift") }
        #expect(snippets.count >= 5)
        for snippet in snippets { #expect(compiled.contains { $0.contains(lines(snippet)) }, "\(snippet)") }
    }

    /// The lines of a text without their indentation, which differs inside a function.
    private func lines(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    @Test("The Swift of the embedding page works")
    func run() async throws {
        let folder = try TemporaryFolder()
        #expect(try embedDatabase(path: folder.file("notes.db")) == ["remember"])

        let password = "a passphrase for one test"
        let (auth, articles, isSameSession, page) = try await embedServices(
            path: folder.file("articles.db"), password: password)
        #expect(isSameSession)
        #expect(page.summaries.map(\.slug) == ["hello"])

        let navigator = try await embedNavigation()
        #expect(navigator.state.frames.map(\.route) == [.list, .editor(draft: nil)])
        navigator.send(.saved)
        #expect(navigator.state.frames.map(\.route) == [.list])

        let waiting = Navigator<Place>(children: [
            ChildFlow("notes") { WaitingCoordinator(flow: $0, notes: Notes()) }
        ])
        try waiting.perform(.show([.list]))
        #expect(try await waiting.screen() == "Groceries, Letters")

        let screen = try await embedApplication(auth: auth, articles: articles, password: password)
        #expect(screen.title == "Hello")
    }
}

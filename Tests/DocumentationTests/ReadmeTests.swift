import ArticleStore
import FlowCoordinators
import Foundation
import Navigation
import Testing

@Suite("The README")
struct ReadmeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The lines of a text without their indentation, which differs inside a function.
    private func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test("every snippet of Swift is one that is compiled here")
    func snippetsAreCompiled() throws {
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let here = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ReadmeSnippets.swift")
        let compiled = lines(try String(contentsOf: here, encoding: .utf8)).joined(separator: "\n")
        let snippets = readme.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(snippets.count >= 5)
        for snippet in snippets { #expect(compiled.contains(lines(snippet).joined(separator: "\n")), "\(snippet)") }
    }

    @Test("the drawing of the screens is that of the application")
    func drawing() throws {
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains("```mermaid\n\(AppRoute.graph.mermaid())```\n"))
    }

    @Test("every snippet does what it says")
    func snippetsRun() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "readme-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        #expect(try embedDatabase(path: folder.appending(path: "notes.db").path) == ["remember"])

        let password = "a passphrase for one test"
        let (auth, articles, isSameSession, page) = try await embedServices(
            path: folder.appending(path: "articles.db").path, password: password)
        #expect(isSameSession)
        #expect(page.summaries.map(\.slug) == ["hello"])

        let navigator = try await embedNavigation()
        #expect(navigator.state.frames.map(\.route) == [.list, .editor])
        await navigator.send(.saved)
        #expect(navigator.state.frames.map(\.route) == [.list])

        let screen = try await embedApplication(auth: auth, articles: articles, password: password)
        #expect(screen.title == "Hello")
    }
}

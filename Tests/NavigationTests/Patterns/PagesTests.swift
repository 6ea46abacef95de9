import FoundationEssentials
import Testing

@Suite("The pages on patterns")
struct PagesTests {
    /// The lines of a text, without indentation, and without what keeps the names of one test from another's.
    private func lines(_ text: some StringProtocol) -> String {
        text.split(separator: "\n").map { line in
            let line = line.drop { $0 == " " }
            return line.hasPrefix("private ") && !line.hasPrefix("private var") ? line.dropFirst(8) : line
        }.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func text(_ path: String) throws -> String {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return try String(contentsOf: URL(filePath: "/\(root)/\(path)"), encoding: .utf8)
    }

    private func snippets(_ text: some StringProtocol) -> [Substring] {
        var snippets: [Substring] = []
        var isInside = false
        var start = text.startIndex
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) where line.hasPrefix("```") {
            if isInside {
                snippets.append(Substring(text[start..<line.startIndex]))
            } else {
                start = line.endIndex
            }
            isInside.toggle()
        }
        return snippets
    }

    @Test(
        "show code that is compiled and run here",
        arguments: [
            "Delegates", "ChildCoordinators", "Closures", "Segues", "EventsWithASharedProvider", "SwiftUIAndUIKit",
        ])
    func compiled(page: String) throws {
        let article = try text("Sources/Navigation/Documentation.docc/Patterns/\(page).md")
        let source = lines(try text("Tests/NavigationTests/Patterns/\(page).swift"))
        let heading = try #require(article.firstRange(of: "\n## In this kernel\n"), "the page has no kernel section")
        let snippets = snippets(article[heading.upperBound...])
        #expect(!snippets.isEmpty)
        for snippet in snippets { #expect(source.contains(lines(snippet)), "\(snippet)") }
    }
}

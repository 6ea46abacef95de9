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

    /// The Swift of a text. A comment that begins with three dots stands for what is left out.
    private func snippets(_ text: some StringProtocol) -> [String] {
        var snippets: [String] = []
        var lines: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let code = line.drop { $0 == " " }
            if line.hasPrefix("```") || (lines != nil && code.hasPrefix("// …")) {
                if let lines { snippets.append(lines.joined(separator: "\n")) }
                lines = line.hasPrefix("```") && line != "```swift" ? nil : []
            } else {
                lines?.append(Substring(line))
            }
        }
        return snippets.filter { !$0.isEmpty }
    }

    private func expect(_ text: some StringProtocol, isCompiledIn path: String) throws {
        let source = lines(try self.text("Tests/NavigationTests/Patterns/\(path).swift"))
        let snippets = snippets(text)
        #expect(!snippets.isEmpty)
        for snippet in snippets { #expect(source.contains(lines(snippet)), "\(snippet)") }
    }

    @Test(
        "show code that is compiled and run here, the usual form and ours",
        arguments: [
            "StartUp", "Delegates", "ChildCoordinators", "Closures", "Segues", "EventsWithASharedProvider",
            "SwiftUIAndUIKit",
        ])
    func compiled(page: String) throws {
        let article = try text("Sources/Navigation/Documentation.docc/Patterns/\(page).md")
        let heading = try #require(article.firstRange(of: "\n## In this kernel\n"), "the page has no kernel section")
        try expect(article[..<heading.lowerBound], isCompiledIn: "Usual/Usual\(page)")
        try expect(article[heading.upperBound...], isCompiledIn: page)
    }
}

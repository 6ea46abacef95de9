import FoundationEssentials
import Testing

@Suite("The pages on patterns")
struct PagesTests {
    /// The lines of a text, without indentation and the `private` of the test file.
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

    /// The declarations in the Swift of a text, each up to its end or a comment that begins with three dots, which
    /// stands for omitted code.
    private func snippets(_ text: some StringProtocol) -> [String] {
        var snippets: [[Substring]] = []
        var isInside = false
        var isNew = false
        for line in String(text).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInside = line == "```swift"
                isNew = true
            } else if !isInside {
                continue
            } else if line.isEmpty {
                if snippets.last?.last?.hasPrefix(" ") == false { isNew = true }
            } else if line.drop(while: { $0 == " " }).hasPrefix("// …") {
                isNew = true
            } else if isNew {
                snippets.append([line])
                isNew = false
            } else {
                snippets[snippets.count - 1].append(line)
            }
        }
        return snippets.map { $0.joined(separator: "\n") }
    }

    private func expect(_ text: some StringProtocol, isCompiledIn path: String) throws {
        try expect(text, isCompiledInFiles: ["Tests/NavigationTests/Patterns/\(path).swift"])
    }

    private func expect(_ text: some StringProtocol, isCompiledInFiles paths: [String]) throws {
        let source = lines(try paths.map { try self.text($0) }.joined(separator: "\n"))
        let snippets = snippets(text)
        #expect(!snippets.isEmpty)
        for snippet in snippets {
            let isCompiled = source.contains(lines(snippet))
            #expect(isCompiled, "\(snippet)")
        }
    }

    @Test(
        "The usual code and the kernel's code of each page are compiled and run here",
        arguments: [
            "StartUp", "Delegates", "ChildCoordinators", "Closures", "Segues", "EventsWithASharedProvider",
            "SwiftUIAndUIKit",
        ])
    func compiled(page: String) throws {
        let article = try text("Sources/Navigation/Documentation.docc/Patterns/\(page).md")
        let heading = try #require(article.firstRange(of: "\n## With this kernel\n"), "the page has no kernel section")
        try expect(article[..<heading.lowerBound], isCompiledIn: "Usual/Usual\(page)")
        try expect(article[heading.upperBound...], isCompiledIn: page)
    }

    @Test("The code of the page on tabs and split views is compiled and run here")
    func tabsAndSplitViews() throws {
        let article = try text("Sources/Navigation/Documentation.docc/Patterns/TabsAndSplitViews.md")
        try expect(
            article,
            isCompiledInFiles: ["Usual/UsualTabsAndSplitViews", "TabsAndSplitViews"].map {
                "Tests/NavigationTests/Patterns/\($0).swift"
            })
    }

    @Test("The code of the page on composing navigators is compiled and run here")
    func composing() throws {
        let article = try text("Sources/Navigation/Documentation.docc/ComposingNavigators.md")
        try expect(article, isCompiledIn: "ComposingNavigators")
    }

    @Test(
        "The code of the other pages is compiled and run here or in an example",
        arguments: [
            ("Navigation", ["Tests/NavigationTests/ExampleTests.swift"]),
            ("DeclaringRoutes", ["Tests/NavigationTests/Patterns/DeclaringRoutes.swift"]),
            ("WorkAndQuestions", ["Tests/NavigationTests/Patterns/Guides.swift"]),
            ("JudgingStates", ["Tests/NavigationTests/Patterns/Guides.swift"]),
            ("MovingOnTheStack", ["Tests/NavigationTests/Patterns/Guides.swift"]),
            ("LivesAndTurns", ["Tests/NavigationTests/Patterns/Guides.swift"]),
            (
                "FeaturesAsModules",
                [
                    "Examples/Accounts/Sources/Accounts/AccountRoute.swift",
                    "Examples/Accounts/Sources/Accounts/LoginCoordinator.swift",
                    "Examples/Features/Sources/library-on-an-actor/LibraryRoute.swift",
                    "Examples/Features/Sources/library-on-an-actor/Library.swift",
                ]
            ),
        ])
    func others(page: String, files: [String]) throws {
        try expect(text("Sources/Navigation/Documentation.docc/\(page).md"), isCompiledInFiles: files)
    }

    @Test(
        "A page on a pattern names its source",
        arguments: [
            "StartUp", "Delegates", "ChildCoordinators", "Closures", "Segues", "EventsWithASharedProvider",
        ])
    func source(page: String) throws {
        let article = try text("Sources/Navigation/Documentation.docc/Patterns/\(page).md")
        #expect(article.contains("> Source: "))
        #expect(article.contains("Khanlou"))
    }
}

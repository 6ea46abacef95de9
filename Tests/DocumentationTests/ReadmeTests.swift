import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    private let page = Page("README.md")

    @Test("is read in one go: 150 lines at most")
    func length() throws {
        #expect(try page.text().split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }

    @Test("draws every library of the manifest")
    func drawing() throws {
        let manifest = try String(contentsOf: Page.root.appending(path: "Package.swift"), encoding: .utf8)
        let libraries = manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) }
        let drawing = try #require(try page.snippets(of: "mermaid").first)
        #expect(libraries.count >= 7)
        for library in libraries {
            #expect(drawing.contains(try Regex("\\b\(library)\\b").ignoresCase()), "\(library)")
        }
    }
}

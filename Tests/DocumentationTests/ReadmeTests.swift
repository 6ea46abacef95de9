import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
    private let page = Page("README.md")

    @Test("The README has at most 150 lines")
    func length() throws {
        #expect(try page.text().split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }

    @Test("The README draws every library of the manifest")
    func drawing() throws {
        let libraries = try Page.libraries()
        let drawing = try #require(try page.snippets(of: "mermaid").first)
        #expect(libraries.count >= 7)
        for library in libraries {
            #expect(drawing.contains(try Regex("\\b\(library)\\b").ignoresCase()), "\(library)")
        }
    }
}

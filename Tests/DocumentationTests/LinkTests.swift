import Foundation
import Testing

@Suite("The links of the pages")
struct LinkTests {
    @Test("Links lead to an existing file of the project and an existing heading", arguments: Page.all)
    func lead(page: Page) throws {
        for link in try links(in: page) {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let target =
                parts[0].isEmpty
                ? page.url : URL(filePath: String(parts[0]), relativeTo: page.url.deletingLastPathComponent())
            let path = target.standardizedFileURL.path
            #expect(path.hasPrefix(Page.root.path + "/"), "\(link) leaves the project")
            #expect(FileManager.default.fileExists(atPath: path), "\(link)")
            guard parts.count == 2 else { continue }
            let anchors = try Page(String(path.dropFirst(Page.root.path.count + 1))).anchors()
            #expect(anchors.contains(String(parts[1])), "\(link)")
        }
    }

    @Test("The README links to every page in docs")
    func fromTheFirstPage() throws {
        let linked = try links(in: Page("README.md")).compactMap { $0.split(separator: "#").first.map(String.init) }
        let docs = Page.all.map(\.path).filter { $0.hasPrefix("docs/") }
        #expect(docs.count >= 5)
        #expect(docs.filter { !linked.contains($0) } == [])
    }

    /// The links without a scheme, as in `[text](docs/reader.md#keys)`.
    private func links(in page: Page) throws -> [String] {
        try page.prose().matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }.filter { !$0.contains(":") }
    }
}

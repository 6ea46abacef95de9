import Testing

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

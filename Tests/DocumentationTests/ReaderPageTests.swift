import Testing

@testable import articlesctl

@Suite("The page on the reader")
struct ReaderPageTests {
    @Test("The table has every key, what it does, and where, and no other")
    func keys() throws {
        try GeneratedTable(page: Page("docs/reader.md"), name: "keys", rows: KeyTable.rows).check()
    }
}

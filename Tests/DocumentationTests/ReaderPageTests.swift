import Foundation
import Testing

@testable import articlesctl

@Suite("The page on the reader")
struct ReaderPageTests {
    @Test("The table has every key, what it does, and where, and no other")
    func keys() throws {
        let section = try #require(
            try Page("docs/reader.md").text().components(separatedBy: "\n## Keys\n").dropFirst().first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
        #expect(rows.map(String.init) == KeyTable.rows.map { "| " + $0.joined(separator: " | ") + " |" })
    }
}

import Foundation
import TestSupport
import Testing

/// A table of a page that is generated from the code. `make docs-tables` writes it between its markers.
struct GeneratedTable {
    let page: Page
    /// The name in the markers: `<!-- table: options -->`.
    let name: String
    let rows: [[String]]

    /// Compares the page with the rows, or writes them if `UPDATE_DOCS` is set.
    func check() throws {
        let text = try page.text()
        let begin = try #require(text.range(of: "<!-- table: \(name) -->\n"), "\(page) has no table \(name)")
        let end = try #require(text.range(of: "<!-- end of table -->", range: begin.upperBound..<text.endIndex))
        let current = text[begin.upperBound..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
        // The blank line, the titles, and the line below them are written by hand.
        let head = current.prefix(3).map(String.init)
        let generated = rows.map { "| " + $0.joined(separator: " | ") + " |" }
        let table = (head + generated + ["", ""]).joined(separator: "\n")
        guard table != text[begin.upperBound..<end.lowerBound] else { return }
        if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
            try text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: table)
                .write(to: page.url, atomically: true, encoding: .utf8)
        } else {
            let lines = lineDifference(expected: String(text[begin.upperBound..<end.lowerBound]), actual: table)
            Issue.record("\(page) differs from the code: run make docs-tables\n\(lines)")
        }
    }
}

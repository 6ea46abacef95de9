import Foundation
import Testing

@testable import articlesctl

@Suite("The page on the configuration")
struct ConfigurationPageTests {
    @Test("has every key with what it does, its values and its default, and no other")
    func keys() throws {
        let rows = try Page("docs/configuration.md").text().split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(
            rows.map(String.init)
                == ConfigurationKey.all.map {
                    "| `\($0.path)` | \($0.summary) | \($0.values.words) | `\("\($0.standard)".replacing("|", with: "\\|"))` |"
                })
    }
}

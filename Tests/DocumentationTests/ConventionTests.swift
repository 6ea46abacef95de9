import Foundation
import Testing

@Suite("The conventions of the command line")
struct ConventionTests {
    @Test("Each convention names existing tests")
    func tests() throws {
        let text = try Page("CONTRIBUTING.md").text()
        let section = try #require(text.components(separatedBy: "\n## Conventions of the command line\n").last)
        let rows = try #require(section.components(separatedBy: "\n## ").first).split(separator: "\n")
            .filter { $0.hasPrefix("|") }.dropFirst(2)
        #expect(rows.count >= 20)
        let sources = try Self.suites()
        for row in rows {
            let names = try #require(row.split(separator: "|").last).matches(of: #/`(\w+)\.(\w+)`/#)
            #expect(!names.isEmpty, "\(row)")
            for name in names {
                let function = "    func \(name.output.2)("
                let isThere = sources[String(name.output.1)]?.contains { $0.contains(function) } ?? false
                #expect(isThere, "\(name.output.0)")
            }
        }
    }

    /// The files of all tests by name. Files of several targets may have the same name.
    private static func suites() throws -> [String: [String]] {
        let folder = Page.root.appending(path: "Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var suites: [String: [String]] = [:]
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            suites[file.deletingPathExtension().lastPathComponent, default: []].append(text)
        }
        return suites
    }
}

import Foundation

/// A hand-written page of the project.
struct Page: CustomStringConvertible {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().standardizedFileURL

    /// All pages: those in the root folder, and all of `docs`.
    static let all: [Page] = {
        let docs = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? []
        let pages = docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
        return (["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + pages).map(Page.init)
    }()

    /// Relative to the root of the project: `docs/embedding.md`.
    let path: String

    init(_ path: String) { self.path = path }

    var description: String { path }
    var url: URL { Self.root.appending(path: path) }

    func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

    /// The libraries of the manifest.
    static func libraries() throws -> [String] {
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        return manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) }
    }

    /// The code blocks with this language.
    func snippets(of language: String) throws -> [String] {
        try text().components(separatedBy: "```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
    }

    /// The text without its code blocks.
    func prose() throws -> String {
        try text().components(separatedBy: "```").enumerated().filter { $0.offset.isMultiple(of: 2) }
            .map(\.element).joined()
    }

    /// The anchors of the headings, in the form of GitHub.
    func anchors() throws -> Set<String> {
        let headings = try prose().split(separator: "\n").filter { $0.hasPrefix("#") }
        return Set(
            headings.map { heading in
                String(
                    heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                        .replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
            })
    }
}

import ArticleImporting
import ArticleStore
import CPlatform
import Foundation
import TestSupport
import Testing

@Suite("Inputs that fail before their end")
struct InputFailureTests {
    private let library: ImportFixture

    init() throws { library = try ImportFixture() }

    /// A terminal that was written to and then closed. Reading returns the written bytes, and then an error of the
    /// device.
    private struct BrokenTerminal {
        let descriptor: Int32

        init(_ text: String) throws {
            var (master, slave): (Int32, Int32) = (-1, -1)
            var path = [CChar](repeating: 0, count: 64)
            try #require(platform_open_pseudo_terminal(&master, &slave, &path, path.count) == 0)
            // In the form of a program, without a carriage return before each line feed.
            var settings = termios()
            try #require(tcgetattr(slave, &settings) == 0)
            cfmakeraw(&settings)
            try #require(tcsetattr(slave, TCSANOW, &settings) == 0)
            let bytes = Array(text.utf8)
            try #require(write(slave, bytes, bytes.count) == bytes.count)
            close(slave)
            // Reading this descriptor fails with EIO after the written bytes.
            descriptor = master
        }
    }

    private static let lines =
        "{\"title\":\"A\",\"body\":\"x\"}\n{\"title\":\"B\",\"body\":\"x\"}\n{\"title\":\"C\",\"bo"

    @Test(
        "A failing input ends an import, which keeps the records before that and says how far it got",
        arguments: [false, true])
    func terminal(isDryRun: Bool) async throws {
        let terminal = try BrokenTerminal(Self.lines)
        defer { close(terminal.descriptor) }
        try library.folder.write("after.md", "# After\n\nText")
        let importer = ArticleImporter(repository: library.repository, options: ImportOptions(isDryRun: isDryRun))
        let report = try await importer.runKeepingRejections([
            .descriptor(terminal.descriptor, name: "posts.jsonl"), .path(library.folder.file("after.md")),
        ])
        #expect(report.inserted == 2)
        #expect(report.rejections == [])
        #expect(
            report.failure
                == InputFailure(source: "posts.jsonl", bytes: Self.lines.utf8.count, reason: "Input/output error"))
        #expect(try await library.titles() == (isDryRun ? [] : ["A", "B"]))
    }

    @Test("A failing input leaves nothing of a strict import")
    func strict() async throws {
        let terminal = try BrokenTerminal(Self.lines)
        defer { close(terminal.descriptor) }
        let importer = ArticleImporter(repository: library.repository, options: ImportOptions(isStrict: true))
        let report = try await importer.run([.descriptor(terminal.descriptor, name: "-")])
        #expect(report.inserted == 0)
        #expect(report.failure?.bytes == Self.lines.utf8.count)
        #expect(report.failure?.description.hasPrefix("cannot read standard input after ") == true)
        #expect(try await library.titles() == [])
    }

    @Test("An input may fail at its first byte, such as a folder that is read as a file")
    func folder() async throws {
        let descriptor = open(library.folder.path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let report = try await ArticleImporter(repository: library.repository).run([
            .descriptor(descriptor, name: "-")
        ])
        #expect(report.failure == InputFailure(source: "-", bytes: 0, reason: "Is a directory"))
    }

    @Test("A failing input does not remove the missing articles")
    func mirror() async throws {
        for name in ["a", "b"] { try library.folder.write("in/\(name).md", "# \(name)\n\nText") }
        _ = try await library.run("in")
        try FileManager.default.removeItem(atPath: library.folder.file("in/a.md"))
        let descriptor = open(library.folder.path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let importer = ArticleImporter(repository: library.repository, options: ImportOptions(mirror: .all))
        let report = try await importer.run([
            .path(library.folder.file("in")), .descriptor(descriptor, name: "-"),
        ])
        #expect(report.failure != nil && report.removed == 0)
        #expect(try await library.titles() == ["a", "b"])
    }
}

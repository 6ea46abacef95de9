import Text
import ArticleImporting
import ArticleStore
import Foundation
import TestSupport
import Testing

@Suite("Imported folders")
struct FolderTests {
    private let library: ImportFixture

    init() throws { library = try ImportFixture() }

    /// The skipped file, by its name below the folder `in`.
    private func passed(_ report: ToldReport) -> [String] {
        report.notRead.map { String($0.source.dropFirst(library.folder.file("in/").count)) }
    }

    @Test("A folder is read in the order of names, without internal files")
    func order() async throws {
        for name in [
            "b/one.md", "a/two.md", "vendor/bundle/three.md", "vendor/four.md", "node_modules/five/README.md",
            "x/node_modules/six.md", ".git/seven.md", ".eight.md", "_site/nine.html", "_includes/ten.html",
            "eleven.rst",
            "twelve.txt", "bundle/thirteen.md", "x/node_modules.md",
        ] { try library.folder.write("in/" + name, "Text.") }
        let report = try await library.run("in")
        #expect(
            try await library.titles() == ["Four", "Node modules", "One", "Thirteen", "Two"])
        #expect(
            passed(report) == [
                ".eight.md", ".git", "_includes", "_site", "eleven.rst", "node_modules", "twelve.txt", "vendor/bundle",
                "x/node_modules",
            ])
        #expect(report.skippedFiles == report.notRead.count)
        #expect(report.notRead.allSatisfy { !$0.reason.isEmpty })
        // A file or folder that is named itself is read.
        #expect(try await library.run("in/node_modules/five").inserted == 1)
        #expect(try await library.run("in/.eight.md").inserted == 1)
    }

    @Test("Index pages in a folder are read if they have a text of their own")
    func indexPages() async throws {
        try library.folder.write("in/_index.md", "+++\nsort_by = \"date\"\n+++\n")
        try library.folder.write("in/blog/index.html", "---\nlayout: home\n---\n<ul>{% for post in site.posts %}</ul>")
        try library.folder.write("in/docs/_index.en.md", "---\ntitle: Docs\n---\n")
        try library.folder.write("in/guide/_index.md", "---\ntitle: Guide\n---\nHow to begin.")
        try library.folder.write("in/post/index.md", "A post.")
        try library.folder.write("in/empty.md", "---\ntitle: Empty\n---\n")
        let report = try await library.run("in")
        #expect(passed(report) == ["_index.md", "blog/index.html", "docs/_index.en.md"])
        #expect(try await library.titles() == ["Empty", "Guide", "Post"])
        #expect(try await library.run("in/docs/_index.en.md").inserted == 1)
    }

    @Test("JSON in a folder that is not an article is not an error")
    func otherJSON() async throws {
        try library.folder.write("in/package.json", #"{"name":"site","scripts":{}}"#)
        try library.folder.write("in/people.json", #"[{"name":"Ada"},{"name":"Bob"}]"#)
        try library.folder.write("in/posts.json", #"[{"title":"A","body":"x"},{"title":"B"}]"#)
        let report = try await library.run("in")
        #expect(passed(report) == ["package.json", "people.json", "posts.json"])
        #expect(report.inserted == 1 && report.rejections == [])
        #expect(try await library.run("in/package.json").rejections.count == 1)
    }

    @Test("Symbolic links do not lead out of a folder")
    func links() async throws {
        try library.folder.write("secret.md", "# Secret\n\nA token.")
        try library.folder.write("outside/a.md", "# Outside\n\nText")
        try library.folder.write("in/real/a.md", "# Real\n\nText")
        try library.link("in/b-secret.md", to: library.folder.file("secret.md"))
        try library.link("in/c-outside", to: "../outside")
        try library.link("in/d-sibling.md", to: "real/a.md")
        try library.link("in/e-gone.md", to: "nowhere")
        try library.link("in/f-self", to: "f-self")
        try library.link("in/real/up", to: "..")
        for followsLinks in [false, true] {
            let report = try await library.run("in", ImportOptions(followsLinks: followsLinks))
            #expect(report.report.inserted + report.unchanged == 1)
            #expect(report.rejections == [])
            #expect(passed(report) == ["b-secret.md", "c-outside", "d-sibling.md", "e-gone.md", "f-self", "real/up"])
            let says = followsLinks ? ["outside", "outside", "read anyway", "broken", "broken", "read anyway"] : []
            for (passed, word) in zip(report.notRead, says) {
                #expect(passed.reason.contains(word), "\(passed)")
            }
        }
        #expect(try await library.titles() == ["Real"])
    }

    @Test("With the option, links are followed to files inside that are not read otherwise")
    func followedLinks() async throws {
        try library.folder.write("in/.store/one", "# One\n\nText")
        try library.folder.write("in/.store/posts/two.md", "# Two\n\nText")
        try library.folder.write("in/.store/three.md", "# Three\n\nText")
        try library.link("in/one.md", to: ".store/one")
        try library.link("in/posts", to: library.folder.file("in/.store/posts"))
        try library.link("in/again", to: ".store/posts")
        try library.link("in/.store/posts/up", to: "../..")
        try library.link("in/three", to: ".store/three.md")
        let report = try await library.run("in", ImportOptions(followsLinks: true))
        #expect(report.rejections == [])
        #expect(try await library.titles() == ["One", "Two"])
        #expect(try await library.article(keyed: "one.md").title == "One")
        // The folder has two names, and is read under the first.
        #expect(try await library.article(keyed: "again/two.md").title == "Two")
        #expect(passed(report) == [".store", "again/up", "three"])
    }

    @Test("A link that is named itself is followed")
    func givenLinks() async throws {
        try library.folder.write("real/a.md", "# A\n\nText")
        try library.link("link", to: "real")
        try library.link("b.md", to: "real/a.md")
        #expect(try await library.run("link").inserted == 1)
        #expect(try await library.run("b.md").rejections == [])
        #expect(try await library.titles() == ["A"])
    }

    @Test("Very deep folders are read, or reported if the system cannot open them, and never crash")
    func depth() async throws {
        let path = "in/" + Array(repeating: "d", count: 400).joined(separator: "/")
        try library.folder.write(path + "/a.md", "# A\n\nText")
        let report = try await library.run("in")
        #expect(report.inserted + report.rejected == 1)
    }

    @Test("Names are printed safely, and exactly for programs")
    func harmfulNames() async throws {
        let name = "bad\n\u{1B}[31m\u{202E}.md"
        let path = try library.folder.write("in/" + name, "---\n")
        let report = try await library.run("in")
        let rejection = try #require(report.rejections.first)
        #expect(rejection.source == path)
        #expect(rejection.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
        #expect(rejection.description.contains("bad␊␛[31m�.md:1: "))
        let passed = SkippedFile(source: "a\nb", reason: "hidden")
        #expect(passed.description == "a␊b: hidden")
        #expect(ImportError.noSuchFile("a\nb").description.contains("a␊b"))
        let failure = InputFailure(source: "a\nb", bytes: 1, reason: "broken")
        #expect("\(failure)" == "cannot read a␊b after 1 byte: broken")
    }
}

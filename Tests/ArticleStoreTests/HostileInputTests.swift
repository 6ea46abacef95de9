import ArticleImporting
import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing

private let naughtyStrings = "../shared/data/naughty-strings/blns.json"

@Suite("Hostile input")
struct HostileInputTests {
    @Test(
        "The Big List of Naughty Strings is unchanged in titles and bodies",
        .enabled(if: FileManager.default.fileExists(atPath: naughtyStrings)))
    func naughty() async throws {
        let data = try Data(contentsOf: URL(filePath: naughtyStrings))
        let strings = try JSONDecoder().decode([String].self, from: data)
        #expect(strings.count > 500)
        let storage = try TemporaryDatabase()
        let repository = storage.articles
        // As JSON Lines, and from there as the package's own JSON.
        let records = try strings.enumerated().map { index, text in
            let record = ["slug": "n-\(index)", "title": "\(text) ", "body": text, "author": text, "tags": text]
            return String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        }
        let importer = ArticleImporter(repository: repository)
        let report = try await importer.runKeepingRejections([
            .path(try storage.folder.write("a.jsonl", records.joined(separator: "\n")))
        ])
        // A title needs a visible character.
        let blank = strings.filter { $0.allSatisfy(\.isWhitespace) }.count
        #expect(report.rejected == blank, "\(report.rejections)")
        #expect(report.inserted == strings.count - blank)
        var own: [String] = []
        for (index, text) in strings.enumerated() where !text.allSatisfy(\.isWhitespace) {
            let article = try #require(try await repository.article(slug: "n-\(index)"))
            #expect(Array(article.title.utf8) == Array("\(text) ".utf8))
            #expect(Array(article.body.utf8) == Array(text.utf8))
            own.append(ArticleJSON.object(article))
            for author in article.authors {
                #expect(try await repository.count(ArticleQuery(author: author)) >= 1, "\(author)")
            }
        }
        let again = try await importer.runKeepingRejections([
            .path(try storage.folder.write("own.json", "[\(own.joined(separator: ","))]"))
        ])
        #expect(again.unchanged == own.count)
        // As Markdown, whose bodies lose only the empty lines at their beginning.
        for (index, text) in strings.enumerated() {
            try storage.folder.write("md/\(index).md", "---\ntitle: T\n---\n" + text)
        }
        #expect(try await importer.runKeepingRejections([.path("\(storage.folder.path)/md")]).inserted == strings.count)
    }

    private static let whole = #"""
        [{"title":"A \"quoted\" \\ title","body":"Text\nwith \u00e9 é 😀","tags":["a","b"],"date":"2015-12-03"},
        {"title":"B","body":"","extra":{"x":[1,2.5,-3e2,true,null,{"y":"z"}]},"author":{"name":"Ada"}} , {"slug":"c","title":"C","content":"x"}]
        """#

    /// A document of each format, so small that a changed byte often has a meaning.
    private static let documents = [
        whole, whole.dropFirst().dropLast().split(separator: "\n").joined(separator: "\n"),
        "---\ntitle: \"A\"\ndate: 2015-12-03 12:01:01\nauthor: [a, b]\nx: &a {k: [1, 'two', |\n  three]}\ny: *a\n---\n\n# Head\n\n[a](b) *c* `d` <e> &amp;\n",
        "+++\ntitle = \"A\"\ndate = 2015-12-03T12:01:01Z\ntags = [\"a\", 'b']\n[x.y.\"z\"]\nk = { a = 1, b = [1.5, true] }\n+++\nText\n",
        """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <DL><p>
        <DT><H3 ADD_DATE="1">F &amp; G</H3>
        <DL><p>
        <DT><A HREF="https://a.example/?b&amp;c" ADD_DATE="1456433741" TAGS="d,e">B</A>
        <DD>C
        </DL><p>
        </DL>
        """,
        "<html><head><title>A &#x41;</title></head><body><h1>B</h1><p>C <b>d</b><!-- e --></p></body></html>",
        """
        <!DOCTYPE html><html lang=de><head><meta property="og:title" content="A"><base href="https://e.org/">
        <script type="application/ld+json">{"@graph":[{"@type":"BlogPosting","author":{"name":"A"},"datePublished":"2015"}]}</script>
        </head><body><nav>n</nav><article><h1>B</h1><time datetime="2015-12-03">d</time><p>C</article><footer>f</body></html>
        """,
        """
        <html><head><title>Pocket Export</title></head><body><h1>Unread</h1><ul>
        <li><a href="https://a.example/?b=1&amp;c" time_added="1501238811" tags="s,b">A <b>e</b></a></li></ul></body></html>
        """,
        """
        <rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
        <channel><wp:author><wp:author_login>a</wp:author_login><wp:author_display_name>A</wp:author_display_name></wp:author>
        <item><title>T</title><guid>1</guid><content:encoded><![CDATA[One [caption id="a"]<img src="x"> c[/caption]

        Two<pre>a

        b</pre>]]></content:encoded><wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item></channel></rss>
        """,
        #"{"db":[{"meta":{"version":"5.2.0"},"data":{"posts":[{"id":"p","title":"T","html":"<p>a</p>","lexical":"{}"}],"#
            + #""users":[{"id":"u","name":"A"}],"posts_authors":[{"post_id":"p","author_id":"u","sort_order":0}],"tags":[]}}]}"#,
        #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","content_html":"<p>x</p>","tags":["a"]},{"id":2}]}"#,
        #"[{"is_archived":1,"id":23,"title":"E","url":"https://a.example/1","content":"<p>T</p>","tags":[{"label":"s"},"b"]}]"#,
        #"[{"id":"i","slug":"s","title":"T","url":"https://a.example/","readingProgress":0,"labels":["l"],"savedAt":"2024"}]"#,
        "URL,Title,Selection,Folder,Timestamp,Tags\r\nhttps://a.example/,A,\"One \"\"b\"\".\n\nTwo.\",Unread,1700000000,\"[\"\"s\"\"]\"\r\n",
        "title;url;time_added;tags;status\n\"A; b\";https://a.example/;1501238811;s|b;unread\n",
    ]

    /// Cuts, repeats, swaps, and changes bytes, especially those with a meaning.
    private static func mangled(_ bytes: [UInt8], with random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        let special = Array("{}[]\",:\\-+=#&*!|>'%@`\n\r\t \0.0e".utf8) + [0xFF, 0xC3, 0xF0, 0xED]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = special.randomElement(using: &random) ?? 0
            case 1: bytes.insert(special.randomElement(using: &random) ?? 0, at: index)
            case 2: bytes.remove(at: index)
            case 3: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...30, using: &random)))
            default:
                let end = min(bytes.count, index + Int.random(in: 1...30, using: &random))
                bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &random))
            }
            if bytes.isEmpty { bytes = [0x20] }
        }
        return bytes
    }

    @Test("Mangled input is imported or rejected, and never crashes", arguments: ImportFormat.allCases)
    func mangled(format: ImportFormat) async throws {
        var random = SeededGenerator(seed: Fuzzing.firstSeed)
        let storage = try TemporaryDatabase()
        let repository = storage.articles
        let options = ImportOptions(format: format, isDryRun: true, includesDrafts: true, recordLimit: 4096)
        let rounds = Fuzzing.rounds(usual: 600, cost: 100)
        for first in stride(from: 0, to: rounds, by: 600) {
            var paths: [ImportSource] = []
            for index in first..<min(first + 600, rounds) {
                let bytes = Self.mangled(Array(Self.documents[index % Self.documents.count].utf8), with: &random)
                paths.append(.path(try storage.folder.write("\(index % 600)", bytes)))
            }
            let report = try await ArticleImporter(repository: repository, options: options)
                .runKeepingRejections(paths)
            #expect(report.inserted + report.updated + report.unchanged + report.rejected > paths.count / 2)
        }
        #expect(try await repository.count(ArticleQuery()) == 0)
    }

    @Test(
        "TOML with tables without a name is rejected", arguments: ["[&", "[[[1]]]", "[[=", "[[[a]]]\nb = 1", "[ #"])
    func namelessTables(toml: String) async throws {
        let storage = try TemporaryDatabase()
        let path = try storage.folder.write("a.md", "+++\n\(toml)\n+++\nText")
        let report = try await ArticleImporter(repository: storage.articles).runKeepingRejections([.path(path)])
        #expect(report.rejections.map(\.line) == [2])
    }

    @Test("JSON is accepted and rejected as Foundation does it")
    func differential() async throws {
        var random = SeededGenerator(seed: 11)
        let storage = try TemporaryDatabase()
        let repository = storage.articles
        let element =
            #"{"title":"A \"q\" \\ \u00e9\ud83d\ude00 é","body":"x\/\b","n":[1,-2.5e+3,0,true,false,null],"o":{"a":{}}}"#
        var disagreements: [String] = []
        for index in 0..<600 {
            let bytes = Self.mangled(Array(element.utf8), with: &random).filter { $0 != 0x0A }
            let isObject = (try? JSONSerialization.jsonObject(with: Data(bytes))) is [String: Any]
            let report = try await ArticleImporter(
                repository: repository, options: ImportOptions(format: .jsonl, isDryRun: true)
            ).runKeepingRejections([.path(try storage.folder.write("\(index)", bytes))])
            let reason = report.rejections.first?.reason ?? ""
            // Errors about articles, not about JSON.
            let isAccepted =
                report.rejected == 0 || ["no title", "no body", "a title"].contains { reason.hasPrefix($0) }
            if isAccepted != isObject { disagreements.append("\(String(decoding: bytes, as: UTF8.self)): \(reason)") }
        }
        #expect(disagreements == [])
    }

    @Test("Input in pieces of any size is split as in one piece")
    func pieces() async throws {
        let storage = try TemporaryDatabase()
        let repository = storage.articles
        // Larger than any window, so that elements cross its edges at every offset.
        let elements = (0..<3000).map {
            #"{"title":"T \#($0) \"[{","body":"\#(String(repeating: "é\\\\]}", count: $0 % 97))"}"#
        }
        for (name, text) in [
            ("a.json", "[" + elements.joined(separator: " ,\n") + "]"), ("b.jsonl", elements.joined(separator: "\n")),
            ("c.json", elements.joined()),
        ] {
            let path = try storage.folder.write(name, text)
            let importer = ArticleImporter(repository: repository, options: ImportOptions(source: "pieces"))
            let report = try await importer.runKeepingRejections([.path(path)])
            #expect(report.rejections == [])
            #expect(report.inserted + report.unchanged == 3000)
        }
        #expect(try await repository.count(ArticleQuery()) == 3000)
        #expect(try await repository.article(slug: "t-96")?.body == String(repeating: "é\\]}", count: 96))
    }
}

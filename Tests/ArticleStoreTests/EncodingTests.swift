import ArticleImporting
import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing

@Suite("Encodings of imported files")
struct EncodingTests {
    private let storage: TemporaryDatabase
    private let repository: SQLiteArticleRepository

    init() throws {
        storage = try TemporaryDatabase()
        repository = storage.articles
    }

    private func seed(_ bytes: some Sequence<UInt8>, _ name: String, _ encoding: String? = nil) async throws
        -> ToldReport
    {
        try await ArticleImporter(repository: repository, options: ImportOptions(encoding: encoding))
            .runKeepingRejections([.path(try storage.folder.write(name, bytes))])
    }

    private func title(of bytes: some Sequence<UInt8>, _ name: String, _ encoding: String? = nil) async throws -> String
    {
        let report = try await seed(bytes, name, encoding)
        #expect(report.rejections == [])
        let page = try await repository.list(ArticleQuery(), after: nil, limit: 9)
        #expect(page.summaries.count == 1)
        return page.summaries.first?.title ?? ""
    }

    private static func rss(_ encoding: String, _ title: String) -> String {
        "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<rss><channel><item><title>\(title)</title></item></channel></rss>"
    }

    /// Returns the text in an encoding that Foundation knows.
    private static func bytes(_ text: String, _ encoding: String.Encoding) throws -> [UInt8] {
        Array(try #require(text.data(using: encoding)))
    }

    @Test(
        "A byte order mark determines the encoding, in every format",
        arguments: [
            ("a.md", "# Größe 漢\n\nText.\n"), ("a.txt", "Größe 漢\n"), ("a.html", "<h1>Größe 漢</h1>"),
            ("a.json", #"{"title": "Größe 漢", "body": "x"}"#),
            ("a.jsonl", #"{"title": "Größe 漢", "body": "x"}"# + "\n"),
            ("a.xml", rss("UTF-8", "Größe 漢")), ("a", "---\ntitle: Größe 漢\n---\nText.\n"),
        ],
        [
            (String.Encoding.utf8, [0xEF, 0xBB, 0xBF]), (.utf16LittleEndian, [0xFF, 0xFE]),
            (.utf16BigEndian, [0xFE, 0xFF]),
            (.utf32LittleEndian, [0xFF, 0xFE, 0, 0]), (.utf32BigEndian, [0, 0, 0xFE, 0xFF]),
        ] as [(String.Encoding, [UInt8])])
    func marks(_ file: (name: String, text: String), _ encoding: (name: String.Encoding, mark: [UInt8])) async throws {
        let bytes = encoding.mark + (try Self.bytes(file.text, encoding.name))
        let title = try await title(of: bytes, file.name)
        #expect(file.name == "a.txt" ? title == "A" : title == "Größe 漢")
    }

    @Test(
        "UTF-16 and UTF-32 are recognized without a mark too",
        arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
    func withoutMark(_ encoding: String.Encoding) async throws {
        #expect(try await title(of: try Self.bytes("# Größe 漢\n\nText.\n", encoding), "a.md") == "Größe 漢")
    }

    @Test("A file of zeros is not text")
    func binary() async throws {
        for bytes in [
            [0, 0, 0, 0], [UInt8](repeating: 0, count: 100), Array("a\0\0b\0".utf8), Array("# Title\0".utf8),
        ] {
            let report = try await seed(bytes, "a.md")
            #expect(report.rejections.count == 1)
            #expect(report.rejections.first?.reason.contains("NUL") == true)
        }
    }

    @Test(
        "A feed has the encoding that it declares",
        arguments: [
            ("ISO-8859-1", [0x47, 0x72, 0xF6, 0xDF, 0x65, 0x20, 0x93, 0x80, 0x94], "Größe “€”"),
            ("windows-1252", [0xC9, 0x85], "É…"), ("us-ascii", [0xE9], "é"), ("ISO-8859-15", [0xA4], "€"),
            ("Shift_JIS", [0x8A, 0xBF, 0x8E, 0x9A, 0x87, 0x40], "漢字①"), ("EUC-JP", [0xB4, 0xC1, 0xBB, 0xFA], "漢字"),
            ("KOI8-R", [0xF0, 0xD2, 0xC9], "При"), ("windows-1251", [0xCF, 0xF0, 0xE8], "При"),
            ("GB2312", [0xBA, 0xBA, 0xD7, 0xD6], "汉字"), ("gb18030", [0x81, 0x39, 0xEE, 0x39], "㐀"),
            ("Big5", [0xBA, 0x7E, 0xA6, 0x72], "漢字"), ("EUC-KR", [0xC7, 0xD1], "한"), ("ISO-8859-9", [0xFD], "ı"),
            ("utf-16", Array("é".utf8), "é"), ("UTF8", Array("é".utf8), "é"),
        ] as [(String, [UInt8], String)])
    func declared(_ encoding: String, _ bytes: [UInt8], _ expected: String) async throws {
        let feed = Self.rss(encoding, "#").utf8.flatMap { $0 == UInt8(ascii: "#") ? bytes : [$0] }
        #expect(try await title(of: feed, "a.xml") == expected)
    }

    @Test("Text that claims to be Latin and is UTF-8 is read as UTF-8, also with a stray Latin letter")
    func misdeclared() async throws {
        let title = "Brøndby får æbler på øen, sådan går det på søndag, i år og næste år!"
        let feed = Array(Self.rss("ISO-8859-1", title + "#").utf8).flatMap { $0 == UInt8(ascii: "#") ? [0xF8] : [$0] }
        #expect(try await self.title(of: feed, "a.xml") == title + "ø")
    }

    @Test("Pages declare their encoding in a meta element")
    func pages() async throws {
        for (index, meta) in [
            "<meta charset=windows-1251>", "<meta charset='windows-1251' />",
            #"<META http-equiv="Content-Type" content="text/html; charset=windows-1251">"#,
        ].enumerated() {
            let page = Array("<html><head>\(meta)<title>".utf8) + [0xCF, 0xF0, 0xE8] + Array("\(index)</title>".utf8)
            #expect(try await seed(page, "\(index).html").rejections == [])
        }
        let titles = try await repository.list(ArticleQuery(), after: nil, limit: 9).summaries.map(\.title)
        #expect(Set(titles) == ["При0", "При1", "При2"])
    }

    @Test("An encoding that the text of an article names is not that of its file", arguments: ["---", "+++", ";;;"])
    func namedInText(fence: String) async throws {
        let titles = ["---": "title: Привет", "+++": #"title = "Привет""#, ";;;": #""title": "Привет""#]
        let title = try #require(titles[fence])
        let text = "\(fence)\n\(title)\n\(fence)\n<html><head><meta charset=windows-1251></head><p>Мир</p></html>\n"
        #expect(try await self.title(of: text.utf8, "a.html") == "Привет")
        let article = try #require(try await repository.list(ArticleQuery(), after: nil, limit: 1).summaries.first)
        #expect(article.summary == "Мир")
    }

    @Test("Input without a declaration is UTF-8, unless another encoding is given")
    func given() async throws {
        let bytes = Array("# Gr".utf8) + [0xF6, 0xDF] + Array("e\n".utf8)
        let refused = try await seed(bytes, "a.md")
        #expect(refused.rejections.map { $0.reason.hasSuffix(" UTF-8") } == [true])
        #expect(try await title(of: bytes, "a.md", "latin1") == "Größe")
        let wrong = try await seed([0x23, 0x20, 0xFF, 0x0A], "b.md", "EUC-JP")
        #expect(wrong.rejections.map { $0.reason.hasSuffix(" EUC-JP") } == [true])
        let wide = try await seed([0xFF, 0xFE, 0x23, 0, 0x20, 0, 0, 0xD8, 0x0A], "c.md")
        #expect(wide.rejections.map { $0.reason.hasSuffix(" UTF-16LE") } == [true])
    }

    @Test("An unknown encoding is reported with its name")
    func unknown() async throws {
        let report = try await seed(Self.rss("x-none", "T").utf8, "a.xml")
        #expect(report.rejections.map { $0.reason.contains("\"x-none\"") } == [true])
        for name in ["x-none", "UTF-8//IGNORE", "", " "] {
            await #expect(throws: ImportError.unknownEncoding(name)) { _ = try await seed("# T\n".utf8, "a.md", name) }
        }
    }

    @Test("A text in many pieces is the same as in UTF-8")
    func long() async throws {
        let text = "# T\n\n" + (0..<60_000).map { "Zeile \($0) ß漢😀\n" }.joined()
        let bytes = try Self.bytes(text, .utf16BigEndian)
        #expect(try await seed([0xFE, 0xFF] + bytes, "a.md").rejections == [])
        let page = try await repository.list(ArticleQuery(), after: nil, limit: 1)
        let article = try await repository.article(id: page.summaries.first?.id ?? 0)
        #expect(article?.body == String(text.dropFirst(5)))
    }
}

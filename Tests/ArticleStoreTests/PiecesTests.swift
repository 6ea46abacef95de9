@testable import ArticleImporting
import Text
import Testing

@testable import ArticleStore

@Suite("Input in pieces")
struct PiecesTests {
    private static let documents = [
        "<?xml version=\"1.0\"?><rss><channel><item><title>A</title></item><item><title>B</title></item></channel></rss>",
        """
        <?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><item><title>A</title><wp:post_type>post\
        </wp:post_type><wp:status>publish</wp:status></item></channel></rss>
        """,
        #"{"title":"T", "version": "https://jsonfeed.org/version/1.1", "items": [{"id":"1","content_text":"a"},{"id":"2","title":"b"}]}"#,
        #"{"db":[{"meta":{"version":"5.2.0"},"data":{"posts":[{"id":"p","title":"T","html":"<p>a</p>","status":"published"}]}}]}"#,
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF=\"https://a.example/\">A</A>\n</DL>",
        "title,url\nA,https://a.example/\nB,https://b.example/\n",
        #"{"title":"A","body":"a"}"# + "\n" + #"{"title":"B","body":"b"}"#,
        "{\n\"title\":\"A\",\n\"body\":\"a\"}",
        "---\ntitle: A\n---\nText",
    ]

    /// Returns the records of a text that arrives in pieces of this many bytes, without a given format.
    private static func told(_ text: String, piece: Int) throws -> [String] {
        var rest = Array(text.utf8)[...]
        let bytes = ByteReader { buffer in
            let next = rest.prefix(min(piece, buffer.count))
            buffer.copyBytes(from: next)
            rest = rest.dropFirst(next.count)
            return next.count
        }
        let file = SourceFiles.File(
            bytes: bytes, format: nil, facts: .none, root: ImportRoot(stream: "-"), relativePath: nil, modified: nil,
            folder: nil)
        var records = try RecordReader(file, options: ImportOptions())
        var told: [String] = []
        while let record = try records.next({ _, _ in false }) {
            told.append("\(record.line ?? 0): \(String(describing: record.outcome))")
        }
        return told
    }

    @Test("The format of input does not depend on the size of its pieces", arguments: documents)
    func format(document: String) throws {
        let whole = try Self.told(document, piece: .max)
        #expect(!whole.isEmpty)
        for piece in [1, 5, 64] { #expect(try Self.told(document, piece: piece) == whole) }
    }
}

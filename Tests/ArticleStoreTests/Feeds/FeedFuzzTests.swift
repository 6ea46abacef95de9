@testable import ArticleImporting
import Foundation
import TestSupport
import Testing
import Text

@testable import ArticleStore

@Suite("Mangled feeds")
struct FeedFuzzTests {
    private static let feeds: [[UInt8]] = [
        Array(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <!DOCTYPE rss [ <!ENTITY a "b"> <!-- ' --> ]>
            <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
            <channel><title>C &amp; D</title><link>https://e.org/</link><!-- c -->
            <item><title>A &nbsp; &#233; & b</title><link>/1?a=1&b=2</link><guid>1</guid><pubDate>Thu, 3 Dec 2015 12:01:01 GMT</pubDate>
            <description><![CDATA[<p>Über <b>漢字</b> 😀 &amp;</p> ]] >]]></description><category domain="x">T</category></item>
            <item><dc:creator>a@e.org (Ada)</dc:creator><media:group><media:content url="a.mp3" type="audio/mpeg"/>
            <media:description>x</media:description></media:group><enclosure url="https://e.org/a.mp3" length="12"/></item>
            </channel></rss>
            """.utf8),
        Array(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://e.org/a/" xml:lang="de"><title type="html">&lt;b&gt;</title>
            <author><name>A</name></author><entry><id>urn:1</id><title>T</title><link rel="alternate" href="b"/>
            <updated>2003-12-13T18:30:02Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>a<br/>b</p></div></content>
            </entry><entry><id>urn:2</id><summary type="text/html" mode="base64">PGI+eDwvYj4=</summary></entry></feed>
            """.utf8),
        Array(
            """
            <?xml version="1.0" encoding="shift_jis"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
            xmlns="http://purl.org/rss/1.0/"><channel/><item rdf:about="https://e.org/1"><title>
            """.utf8) + [0x8A, 0xBF, 0x8E, 0x9A] + Array("</title><link>https://e.org/1</link></item></rdf:RDF>".utf8),
        [0xFF, 0xFE]
            + "<opml><body><outline xmlUrl='x.xml'/></body></opml><rss><channel><item><title>é</title></item></channel></rss>"
            .utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] },
        Array(
            #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","content_html":"<p>x</p>"},{"attachments":[{"url":"a"}]}]}"#
                .utf8),
    ]

    /// Cuts, repeats, swaps, and changes bytes, especially those with a meaning.
    private static func mangled(_ feed: [UInt8], with random: inout SeededGenerator) -> [UInt8] {
        var bytes = feed
        let words = [
            "<", ">", "&", ";", "]]>", "<![CDATA[", "<!--", "-->", "<!", "<?", "?>", "/>", "</", "<item>", "</item>",
            "\"", "xmlns=\"", ":",
        ]
        let odd: [UInt8] = [0, 0x0B, 0x80, 0xC3, 0xED, 0xF0, 0xFE, 0xFF, 0x0A]
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let index = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.insert(contentsOf: (words.randomElement(using: &random) ?? "").utf8, at: index)
            case 1: bytes.insert(odd.randomElement(using: &random) ?? 0, at: index)
            case 2 where index < bytes.count: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
            case 3: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...40, using: &random)))
            case 4: bytes.removeSubrange(index...)
            default:
                let end = min(bytes.count, index + Int.random(in: 1...200, using: &random))
                let part = bytes[index..<end]
                let count = Int.random(in: 1...4, using: &random)
                for _ in 0..<count {
                    bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &random))
                }
            }
        }
        return bytes
    }

    /// Returns the entries and errors of a feed in pieces of these sizes, in order.
    private static func told(_ feed: [UInt8], pieces: ClosedRange<Int>, seed: UInt64) throws -> [String] {
        var random = SeededGenerator(seed: seed)
        var rest = feed[...]
        let bytes = ByteReader { buffer in
            let piece = rest.prefix(min(Int.random(in: pieces, using: &random), buffer.count))
            buffer.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
        var told: [String] = []
        var reader: FeedReader
        do {
            reader = try FeedReader(bytes.decoded(as: nil, mayBeHTML: false), limit: 600)
        } catch {
            return ["\(error)"]
        }
        while true {
            do {
                guard let entry = try reader.next() else { break }
                told.append("\(entry.line): \(JSON.object(entry.members))")
                _ = try ArticleFields.outcome(of: entry.members, in: .none, options: ImportOptions())
            } catch let error as RecordError {
                told.append("\(error.line ?? 0): \(error.reason)")
            }
            #expect(told.count < 10_000, "seed \(seed)")
        }
        told.append("\(reader.feed ?? FeedHead())")
        return told
    }

    @Test("Mangled feeds end in entries and errors, the same in pieces of any size")
    func mangled() throws {
        for seed in Fuzzing.firstSeed..<Fuzzing.firstSeed + UInt64(Fuzzing.rounds(usual: 300, cost: 100)) {
            var random = SeededGenerator(seed: seed)
            let feed = Self.mangled(Self.feeds.randomElement(using: &random) ?? [], with: &random)
            let whole = try Self.told(feed, pieces: 1 << 20...1 << 20, seed: seed)
            let longest = [1, 4, 60].randomElement(using: &random) ?? 1
            let pieces = try Self.told(feed, pieces: 1...longest, seed: seed)
            let difference = zip(whole, pieces).first { $0 != $1 }
            #expect(pieces == whole, "seed \(seed): \(String(describing: difference))")
        }
    }
}

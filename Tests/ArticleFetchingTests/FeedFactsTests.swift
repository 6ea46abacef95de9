import ArticleImporting
import ArticleStore
import Testing

@Suite("The facts of a feed")
struct FeedFactsTests {
    private func facts(_ text: String) -> FeedFacts? { FeedFacts(Array(text.utf8)) }

    private func rss(_ head: String) -> String {
        "<rss><channel><title>T</title>\(head)<item><title>a</title></item></channel></rss>"
    }

    @Test("RSS, Atom, and JSON Feed are feeds, also without entries and in other encodings")
    func formats() {
        #expect(facts(rss("<link>https://example.org/</link>"))?.home == "https://example.org/")
        #expect(facts(#"<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title></feed>"#)?.title == "A")
        let json = facts(#"{"items":[], "title":"J", "version":"https://jsonfeed.org/version/1.1"}"#)
        #expect(json?.title == "J")
        #expect(json?.format == .json)
        let utf16 = Array("\u{FEFF}\(rss(""))".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(FeedFacts(utf16)?.title == "T")
    }

    @Test(
        "Pages, lists of feeds, other XML and JSON, and text are not feeds",
        arguments: [
            "", "Hello", "<html><body>a</body></html>", "<?xml version='1.0'?><html/>", "<!DOCTYPE html><p>a",
            "<opml><body/></opml>", "<?xml version='1.0'?><note>a</note>", "{}", "[]", #"{"items":[]}"#, "{",
        ])
    func others(text: String) { #expect(facts(text) == nil) }

    @Test(
        "The wishes about fetches are read: ttl, sy, skipHours, and skipDays",
        arguments: [
            ("<ttl>90</ttl>", 5_400, [], []), ("<ttl>-1</ttl>", nil, [], []), ("<ttl>soon</ttl>", nil, [], []),
            (
                """
                <sy:updatePeriod xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"> daily </sy:updatePeriod>
                <sy:updateFrequency xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">4</sy:updateFrequency>
                """, 21_600, [], []
            ),
            ("<ttl>60</ttl><skipHours><hour>24</hour><hour>7</hour><hour>x</hour></skipHours>", 3_600, [0, 7], []),
            ("<skipDays><day>Sunday</day><day>saturday</day><day>Holiday</day></skipDays>", nil, [], [0, 6]),
        ] as [(String, Double?, Set<Int>, Set<Int>)])
    func wishes(head: String, interval: Double?, hours: Set<Int>, days: Set<Int>) throws {
        let wishes = try #require(facts(rss(head))).wishes
        #expect(wishes.interval == interval)
        #expect(wishes.skippedHours == hours)
        #expect(wishes.skippedDays == days)
        let stored = FeedWishes(
            interval: wishes.interval.map { Int($0) }, skippedHours: wishes.hourBits, skippedDays: wishes.dayBits)
        #expect(stored == wishes)
    }
}

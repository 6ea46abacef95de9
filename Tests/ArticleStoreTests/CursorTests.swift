import ArticleStore
import Foundation
import TestSupport
import Testing

@Suite("Cursors")
struct CursorTests {
    @Test("read back from their text")
    func roundTrip() throws {
        let byDate = Cursor(after: .date(Date(timeIntervalSince1970: -5), id: 7), in: ArticleQuery())
        #expect(try Cursor(byDate.description) == byDate)
        #expect(
            try Cursor(byDate.description).position(in: ArticleQuery()) == .date(Date(timeIntervalSince1970: -5), id: 7)
        )
        let key = ArticleQuery.titleKey(String(repeating: "Ünï\0 ", count: 100))
        #expect(key.utf8.count <= 200)
        let byTitle = Cursor(after: .title(key: key, id: .min), in: ArticleQuery(sort: .title))
        #expect(try Cursor(byTitle.description) == byTitle)
        #expect(byTitle.description.utf8.allSatisfy { UInt8(ascii: "!") < $0 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
    }

    @Test(
        "refuse any text that is none",
        arguments: [
            "", "a", "AQ", "AAAA", "....", "AQAAAA==", "💥", String(repeating: "A", count: 5000), "\0", "AQAB/+",
            "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "null", "-1", "'; DROP TABLE article; --",
        ].map(LongText.init))
    func hostile(long: LongText) {
        #expect(throws: CursorError.malformed) { try Cursor(long.text) }
    }

    @Test("refuse every change of a byte, or are another cursor, and never crash")
    func mangled() throws {
        let text = Cursor(after: .date(Date(timeIntervalSince1970: 1_449_144_061), id: 7), in: ArticleQuery())
            .description
        for index in text.indices {
            for character in "AZaz09-_!" {
                var mangled = text
                mangled.replaceSubrange(index...index, with: String(character))
                if let cursor = try? Cursor(mangled) { #expect(cursor.description == mangled) }
            }
            #expect(throws: CursorError.malformed) { try Cursor(String(text[..<index])) }
        }
    }

    @Test("of a query by one kind of key is refused by the other, though nothing else tells them apart")
    func kinds() throws {
        let wrong = Cursor(after: .title(key: "a", id: 1), in: ArticleQuery())
        #expect(throws: CursorError.ofAnotherQuery) { try wrong.position(in: ArticleQuery()) }
    }
}

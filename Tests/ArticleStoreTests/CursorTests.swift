import ArticleStore
import Foundation
import TestSupport
import Testing

@Suite("Cursors")
struct CursorTests {
    @Test("A cursor is read back from its text")
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
        "Text that is not a cursor is refused",
        arguments: [
            "", "a", "AQ", "AAAA", "....", "AQAAAA==", "💥", String(repeating: "A", count: 5000), "\0", "AQAB/+",
            "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "null", "-1", "'; DROP TABLE article; --",
        ].map(LongText.init))
    func hostile(long: LongText) {
        #expect(throws: CursorError.malformed) { try Cursor(long.text) }
    }

    @Test("A cursor with a changed byte is refused or another cursor, and never crashes")
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

    @Test("A query with one kind of key refuses the cursor of an equal query with the other kind")
    func kinds() throws {
        let wrong = Cursor(after: .title(key: "a", id: 1), in: ArticleQuery())
        #expect(throws: CursorError.ofAnotherQuery) { try wrong.position(in: ArticleQuery()) }
    }
}

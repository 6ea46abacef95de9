import Foundation
import HTTPClient
import Testing

@Suite("The times in a response")
struct FreshnessTests {
    /// Thursday, 26 November 2026, 12:00 UTC.
    private let now = Date(timeIntervalSince1970: 1_795_694_400)

    private func response(_ fields: [(String, String)]) throws -> ClientResponse {
        ClientResponse(
            status: 200, fields: fields.map { HTTPClientField($0.0, $0.1) }, body: [],
            url: try HTTPURL("http://example.org/"), redirects: [])
    }

    @Test(
        "A response is fresh for its max-age, else until it expires, less its age",
        arguments: [
            ([], nil), ([("Cache-Control", "public, max-age=600")], 600), ([("cache-control", "MAX-AGE = \"60\"")], 60),
            ([("Cache-Control", "max-age=600"), ("Age", "200")], 400),
            ([("Cache-Control", "max-age=5"), ("Age", "9")], 0),
            ([("Cache-Control", "no-cache, max-age=600")], 0), ([("Cache-Control", "no-store")], 0),
            ([("Cache-Control", "max-age=99999999999999999999")], 0x1p31), ([("Cache-Control", "max-age=x")], nil),
            ([("Expires", "Thu, 26 Nov 2026 12:10:00 GMT")], 600),
            ([("Expires", "Thu, 26 Nov 2026 12:10:00 GMT"), ("Date", "Thu, 26 Nov 2026 12:09:00 GMT")], 60),
            ([("Expires", "0")], 0),
            ([("Cache-Control", "max-age=1"), ("Expires", "Thu, 26 Nov 2026 13:00:00 GMT")], 1),
        ] as [([(String, String)], Double?)])
    func freshness(fields: [(String, String)], seconds: Double?) throws {
        #expect(try response(fields).freshness(at: now) == seconds)
    }

    @Test("A server says in seconds or as a date when it wants the next request")
    func retry() throws {
        #expect(try response([]).retryTime(at: now) == nil)
        #expect(try response([("Retry-After", "120")]).retryTime(at: now) == now.addingTimeInterval(120))
        let date = try response([("Retry-After", "Thu, 26 Nov 2026 13:00:00 GMT")])
        #expect(date.retryTime(at: now) == now.addingTimeInterval(3_600))
        #expect(try response([("Retry-After", "later")]).retryTime(at: now) == nil)
    }
}

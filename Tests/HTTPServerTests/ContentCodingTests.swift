import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Compressed responses")
struct ContentCodingTests {
    private static let text = String(repeating: "A line of text that says the same again and again.\n", count: 200)

    private func answer(_ accepted: HTTPFieldValue?, type: HTTPFieldValue = "text/html", text: String = text) throws
        -> HTTPResponse
    {
        var fields: HTTPFields = [:]
        fields["accept-encoding"] = accepted
        let request = HTTPRequest(.get, try #require(HTTPTarget("/")), fields: fields)
        return HTTPResponse(text: text, fields: [.contentType: type, .eTag: "\"abc\""]).compressed(for: request)
    }

    @Test("A response is the same after decompression, and has another tag")
    func roundTrip() async throws {
        let response = try answer("br, gzip")
        guard case .bytes(let bytes) = response.body else { return #expect(Bool(false)) }
        #expect(response.fields[.contentEncoding] == "gzip" && response.fields[.vary] == "accept-encoding")
        #expect(bytes.count < 500 && response.fields[.eTag] == "\"abc-gzip\"")
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: URL(filePath: folder.file("a.gz")))
        #expect(try runProgram(["gzip", "-dc", folder.file("a.gz")]).output == Self.text)
    }

    @Test(
        "A response is not compressed for a client that does not accept it",
        arguments: [nil, "identity", "gzip;q=0", "br", "gzip;q=0.5, identity", "*;q=0"] as [HTTPFieldValue?])
    func refused(accepted: HTTPFieldValue?) throws {
        let response = try answer(accepted)
        guard case .bytes(let bytes) = response.body else { return #expect(Bool(false)) }
        #expect(bytes == Array(Self.text.utf8) && response.fields[.contentEncoding] == nil)
        // A cache in between must know that other clients get another response.
        #expect(response.fields[.vary] == "accept-encoding" && response.fields[.eTag] == "\"abc\"")
    }

    @Test("Only text of a certain length is compressed")
    func worth() throws {
        #expect(try answer("*").fields[.contentEncoding] == "gzip")
        #expect(try answer("gzip", type: "image/png").fields[.contentEncoding] == nil)
        #expect(try answer("gzip", type: "application/problem+json").fields[.contentEncoding] == "gzip")
        #expect(try answer("gzip", text: "short").fields[.contentEncoding] == nil)
    }

    @Test("A client's tags refer to the uncompressed response")
    func tags() throws {
        let fields: HTTPFields = [.ifNoneMatch: "\"a-gzip\", W/\"b\",\"c-gzip\"", .ifMatch: "\"d-gzip\""]
        let request = HTTPRequest(.get, try #require(HTTPTarget("/")), fields: fields).withoutContentCoding
        #expect(request.fields[.ifNoneMatch] == "\"a\", W/\"b\",\"c\"" && request.fields[.ifMatch] == "\"d\"")
    }

    @Test("A list of tags can have several lines")
    func lines() throws {
        let fields: HTTPFields = [.ifNoneMatch: "\"a\"", .host: "b", .ifNoneMatch: "W/\"c-gzip\""]
        let request = HTTPRequest(.get, try #require(HTTPTarget("/")), fields: fields).withoutContentCoding
        for (tag, isKnown) in [("\"a\"", true), ("\"c\"", true), ("\"b\"", false)] {
            #expect(request.hasCopy(tagged: tag) == isKnown)
        }
    }
}

import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Answers that are packed on the way")
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

    @Test("are what they were once they are unpacked, and are known by another tag")
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
        "are left as they are for who does not take them so",
        arguments: [nil, "identity", "gzip;q=0", "br", "gzip;q=0.5, identity", "*;q=0"] as [HTTPFieldValue?])
    func refused(accepted: HTTPFieldValue?) throws {
        let response = try answer(accepted)
        guard case .bytes(let bytes) = response.body else { return #expect(Bool(false)) }
        #expect(bytes == Array(Self.text.utf8) && response.fields[.contentEncoding] == nil)
        // A store in between has to know that others are answered otherwise.
        #expect(response.fields[.vary] == "accept-encoding" && response.fields[.eTag] == "\"abc\"")
    }

    @Test("are text of some length")
    func worth() throws {
        #expect(try answer("*").fields[.contentEncoding] == "gzip")
        #expect(try answer("gzip", type: "image/png").fields[.contentEncoding] == nil)
        #expect(try answer("gzip", type: "application/problem+json").fields[.contentEncoding] == "gzip")
        #expect(try answer("gzip", text: "short").fields[.contentEncoding] == nil)
    }

    @Test("a client's tags are those of the answer as it is")
    func tags() throws {
        let fields: HTTPFields = [.ifNoneMatch: "\"a-gzip\", W/\"b\",\"c-gzip\"", .ifMatch: "\"d-gzip\""]
        let request = HTTPRequest(.get, try #require(HTTPTarget("/")), fields: fields).withoutContentCoding
        #expect(request.fields[.ifNoneMatch] == "\"a\", W/\"b\",\"c\"" && request.fields[.ifMatch] == "\"d\"")
    }
}

import LibraryServices
import Foundation
import HTTPServer
import Testing
import WebAPI

@Suite("Cross-origin requests to the API")
struct CORSTests {
    private static let app: HTTPFieldValue = "https://app.example"

    private func ask(
        _ method: HTTPMethod, _ path: String, from origin: HTTPFieldValue?, allowing origins: Set<String>,
        fields: HTTPFields = [:]
    ) async throws -> HTTPResponse {
        let service = try await Service()
        let api = WebAPI(services: service.services, version: "1", origins: origins)
        var fields = fields
        fields["origin"] = origin
        if fields["access-control-request-method"] == nil {
            fields[.authorization] = try HTTPFieldValue("Bearer \(service.tokens["rita"] ?? "")")
        }
        let target = try #require(HTTPTarget("/api/v1" + path))
        return try #require(await api.answer(HTTPRequest(method, target, fields: fields)))
    }

    @Test("A page of a named origin may read responses, also those that refuse a request")
    func named() async throws {
        for (path, status) in [("/articles", 200), ("/articles/none", 404), ("/articles?limit=0", 400)] {
            let response = try await ask(.get, path, from: Self.app, allowing: ["https://app.example"])
            #expect(response.status.code == status)
            #expect(response.fields["access-control-allow-origin"] == Self.app)
            #expect(response.fields["access-control-expose-headers"]?.text.contains("etag") == true)
            #expect(response.fields["access-control-allow-credentials"] == nil)
            #expect(response.fields.values(of: .vary).contains("origin"))
        }
    }

    @Test(
        "Other pages may not read responses, and by default none may",
        arguments: [
            ("https://app.example.evil", ["https://app.example"]), ("http://app.example", ["https://app.example"]),
            ("https://app.example:8443", ["https://app.example"]), ("null", ["https://app.example"]),
            ("https://app.example", []), (nil, ["https://app.example"]),
        ] as [(HTTPFieldValue?, Set<String>)])
    func others(origin: HTTPFieldValue?, origins: Set<String>) async throws {
        let preflight: HTTPFields = ["access-control-request-method": "PATCH"]
        for (method, fields) in [(HTTPMethod.get, HTTPFields()), (.options, preflight)] {
            let response = try await ask(method, "/articles/1", from: origin, allowing: origins, fields: fields)
            #expect(response.fields["access-control-allow-origin"] == nil)
            #expect(response.fields["access-control-allow-methods"] == nil)
        }
    }

    @Test("A preflight request is answered with the methods of the path, without a token")
    func preflight() async throws {
        for (path, methods) in [
            ("/articles", "GET, HEAD, POST"), ("/articles/1", "GET, HEAD, PATCH, DELETE"),
            ("/openapi.json", "GET, HEAD"),
        ] {
            let response = try await ask(
                .options, path, from: Self.app, allowing: ["https://app.example"],
                fields: ["access-control-request-method": "PATCH", "access-control-request-headers": "if-match"])
            #expect(response.status == .noContent)
            #expect(response.fields["access-control-allow-methods"]?.text == methods)
            #expect(response.fields["access-control-allow-headers"]?.text.contains("if-match") == true)
            #expect(response.fields["access-control-allow-origin"] == Self.app)
            #expect(response.fields["access-control-max-age"]?.text == "600")
        }
    }

    @Test("Without a preflight request, OPTIONS is refused as before")
    func options() async throws {
        let response = try await ask(.options, "/articles", from: nil, allowing: ["https://app.example"])
        #expect(response.status == .methodNotAllowed && response.fields[.allow]?.text == "GET, HEAD, POST")
    }
}

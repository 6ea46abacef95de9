import Foundation
import HTTPServer
import Testing

@Suite("Problems of the API")
struct ProblemTests {
    /// The phrases of RFC 9110 (section 15) and RFC 6585.
    private static let phrases = [
        "400": "Bad Request", "401": "Unauthorized", "403": "Forbidden", "404": "Not Found",
        "405": "Method Not Allowed", "409": "Conflict", "410": "Gone", "412": "Precondition Failed",
        "413": "Content Too Large", "415": "Unsupported Media Type", "422": "Unprocessable Content",
        "428": "Precondition Required", "429": "Too Many Requests", "502": "Bad Gateway",
        "503": "Service Unavailable",
    ]

    /// The operations of the description, by path and method.
    private static func operations(_ service: Service) async throws -> [(path: String, method: String, [String: Any])] {
        let reply = try await service.ask(.get, "/openapi.json", as: nil)
        let paths = try #require(reply.json["paths"] as? [String: [String: [String: Any]]])
        return paths.flatMap { path, operations in operations.map { (path, $0.key, $0.value) } }
    }

    @Test("Each refusal in the description has the standard phrase of its status")
    func phrases() async throws {
        var statuses: Set<String> = []
        for (path, method, operation) in try await Self.operations(Service()) {
            for (status, response) in try #require(operation["responses"] as? [String: [String: Any]])
            where status >= "400" {
                #expect(response["description"] as? String == Self.phrases[status], "\(method) \(path) \(status)")
                statuses.insert(status)
            }
        }
        // The description does not contain requests with other methods.
        #expect(statuses == Set(Self.phrases.keys).subtracting(["405"]))
    }

    @Test(
        "A wrong parameter in a path is answered by a problem, in every operation",
        arguments: ["nothing", "-1", "0", "99999999999999999999", "%E2%80%A6", "a%20b", "%2F", "x%22y"])
    func pathParameters(value: String) async throws {
        let service = try await Service()
        try await service.fill(1)
        let operations = try await Self.operations(service).filter {
            // These operations create the search or the rule that the path names.
            $0.path.contains("{")
                && !($0.method == "put" && ["/searches/{search}", "/rules/{rule}"].contains($0.path))
        }
        #expect(operations.count >= 10)
        for (path, method, operation) in operations {
            let target = path.replacing(#/\{[^}]*\}/#, with: value)
            let body = operation["requestBody"] == nil ? nil : "{}"
            let method = try #require(HTTPMethod(method.uppercased()))
            let reply = try await service.ask(method, target, as: "olga", body, fields: [.ifMatch: "*"])
            #expect(reply.status == 404, "\(method) \(target)")
            #expect(reply.field(.contentType) == "application/problem+json", "\(method) \(target)")
            #expect(reply.json["title"] as? String == "Not Found" && reply.json["status"] as? Int == 404)
            let detail = try #require(reply.json["detail"] as? String)
            #expect(reply.code?.isEmpty == false && detail.contains(#/^[\p{Lu}“].*\.$/#), "\(detail)")
        }
    }
}

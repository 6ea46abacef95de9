import Foundation
import HTTPServer

extension Reader.Answer {
    /// Decodes the response like a client: the keys that it requires must exist.
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

extension Reader {
    /// The response of `stream/items/ids`.
    struct IDs: Decodable {
        struct Ref: Decodable {
            let id: String
            let directStreamIds: [String]
            let timestampUsec: String
        }

        let itemRefs: [Ref]
        let continuation: String?

        var numbers: [Int64] { itemRefs.compactMap { Int64($0.id) } }
    }

    /// A response with whole articles.
    struct Contents: Decodable {
        struct Item: Decodable {
            struct Summary: Decodable { let content: String }
            struct Link: Decodable { let href: String }
            struct Origin: Decodable {
                let streamId: String
                let title: String
                let htmlUrl: String
            }

            let id: String
            let crawlTimeMsec: String
            let timestampUsec: String
            let published: Int
            let title: String
            let author: String
            let canonical: [Link]
            let alternate: [Link]
            let categories: [String]
            let origin: Origin
            let summary: Summary

            var number: Int64? { id.split(separator: "/").last.flatMap { Int64($0, radix: 16) } }
        }

        let id: String
        let title: String
        let updated: Int
        let items: [Item]
        let continuation: String?

        var numbers: [Int64] { items.compactMap(\.number) }
    }

    /// The path of the API.
    static let api = "/reader/api/0/"

    /// Returns the IDs of a stream.
    func ids(_ query: String, token: String) async throws -> IDs {
        try await send(Self.api + "stream/items/ids?output=json&" + query, token: token).decoded(IDs.self)
    }

    /// Posts a change, and returns the response.
    func post(_ endpoint: String, _ form: String, token: String) async throws -> Answer {
        try await send(.post, Self.api + endpoint, form: form, token: token)
    }
}

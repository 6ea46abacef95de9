import ArticleStore
import AuthService
import HTTPServer
import LibraryServices
import Synchronization

/// The entity tags of responses, to tell a client that its copy is current without making the response again.
///
/// A tag is current as long as the version of the library is the one from which its response was made.
final class CurrentTags<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        let version: LibraryVersion
        let tag: String
    }
    private let entries = Mutex<[Key: Entry]>([:])
    /// The maximum number of tags. Then all are removed, because most belong to older versions.
    private let maximum = 1_000

    /// Returns a response with the tag of its body, or 304 if the client has this body.
    ///
    /// - Parameters:
    ///   - key: all that the response depends on, except the library.
    ///   - fields: the fields of the response 304.
    ///   - make: makes the response, unless its tag is known.
    /// - Throws: the errors of `make`; `StoreError` if the version cannot be read.
    func response(
        to request: HTTPRequest, for key: Key, fields: HTTPFields, from services: Services,
        _ make: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        // Without a tag of the client, the response is made anyway.
        guard request.fields[.ifNoneMatch] != nil else { return Self.tagged(try await make()).response }
        // Read the version first: see ``LibraryVersions``.
        let version = try await services.versions?.current()
        if let tag = entries.withLock({ $0[key] }), tag.version == version, request.hasCopy(tagged: tag.tag) {
            return Self.unchanged(tag.tag, fields)
        }
        let (response, tag) = Self.tagged(try await make())
        guard let tag else { return response }
        if let version { save(Entry(version: version, tag: tag), for: key) }
        return request.hasCopy(tagged: tag) ? Self.unchanged(tag, fields) : response
    }

    private func save(_ entry: Entry, for key: Key) {
        entries.withLock { entries in
            if entries.count >= maximum, entries[key] == nil { entries = [:] }
            entries[key] = entry
        }
    }

    private static func unchanged(_ tag: String, _ fields: HTTPFields) -> HTTPResponse {
        var response = HTTPResponse(.notModified, fields: fields)
        response.fields[.eTag] = try? HTTPFieldValue(tag)
        return response
    }

    /// Adds the tag of its body to a response.
    private static func tagged(_ response: HTTPResponse) -> (response: HTTPResponse, tag: String?) {
        guard response.status == .ok, case .bytes(let bytes) = response.body else { return (response, nil) }
        let tag = "\"\(Sodium.digest(bytes))\""
        var response = response
        response.fields[.eTag] = try? HTTPFieldValue(tag)
        return (response, tag)
    }
}

import ArticleStore
import AuthService
import HTTPServer
import LibraryServices
import Synchronization

/// The last responses, to send them again, or to tell clients that their copies are current, without making them again.
///
/// A response is current as long as the version of the library is the one from which it was made.
final class CurrentResponses<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        let version: LibraryVersion
        let tag: String
        /// The response with its tag; nil if it is too large to keep.
        let response: HTTPResponse?

        /// The size of the body that is kept.
        var bytes: Int { if case .bytes(let bytes) = response?.body { bytes.count } else { 0 } }
    }
    private struct State {
        var entries: [Key: Entry] = [:]
        /// The size of all bodies.
        var bytes = 0
    }

    private let state = Mutex(State())
    /// The maximum number of responses. Then all are removed, because most belong to older versions.
    private let maximum = 1_000
    /// The maximum size of all bodies, and of one.
    private let maximumBytes = (all: 16 << 20, one: 2 << 20)

    /// Returns a response with the tag of its body, or 304 if the client has this body.
    ///
    /// - Parameters:
    ///   - key: all that the response depends on, except the library.
    ///   - fields: the fields of the response 304.
    ///   - make: makes the response, unless it is known.
    /// - Throws: the errors of `make`; `StoreError` if the version cannot be read.
    func response(
        to request: HTTPRequest, for key: Key, fields: HTTPFields, from services: Services,
        _ make: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        // Read the version first: see ``LibraryVersions``.
        let version = try await services.versions?.current()
        if let known = state.withLock({ $0.entries[key] }), known.version == version {
            if request.hasCopy(tagged: known.tag) { return Self.unchanged(known.tag, fields) }
            if let response = known.response { return response }
        }
        var response = try await make()
        guard response.status == .ok, case .bytes(let bytes) = response.body else { return response }
        let tag = "\"\(Sodium.digest(bytes))\""
        response.fields[.eTag] = try? HTTPFieldValue(tag)
        if let version {
            let isKept = bytes.count <= maximumBytes.one
            save(Entry(version: version, tag: tag, response: isKept ? response : nil), for: key)
        }
        return request.hasCopy(tagged: tag) ? Self.unchanged(tag, fields) : response
    }

    private func save(_ entry: Entry, for key: Key) {
        state.withLock { state in
            state.bytes -= state.entries.removeValue(forKey: key)?.bytes ?? 0
            if state.entries.count >= maximum || state.bytes + entry.bytes > maximumBytes.all { state = State() }
            state.entries[key] = entry
            state.bytes += entry.bytes
        }
    }

    private static func unchanged(_ tag: String, _ fields: HTTPFields) -> HTTPResponse {
        var response = HTTPResponse(.notModified, fields: fields)
        response.fields[.eTag] = try? HTTPFieldValue(tag)
        return response
    }
}

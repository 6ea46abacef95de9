import Essentials
import HTTPServer
import Synchronization
import Terminal
import Text
import WebAPI

/// The log of requests and of the server's actions, a line each, on standard error.
///
/// Of a request there are its method, its path, how it was answered, and how long that took: no query, no field and no body, in
/// which secrets may be.
final class RequestLog: Sendable {
    /// How lines are written.
    enum Format: String, CaseIterable, Sendable {
        /// For people.
        case text
        /// An object of JSON each.
        case json
    }

    private let format: Format
    private let isJournal: Bool
    private let clock: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - isJournal: whether lines go to a journal, which knows the time, and takes a level before each.
    ///   - write: takes a line.
    init(
        _ format: Format, isJournal: Bool = false, clock: @escaping @Sendable () -> Date,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.format = format
        self.isJournal = isJournal
        self.clock = clock
        self.write = write
    }

    /// Writes of a request.
    ///
    /// - Parameters:
    ///   - request: nil where it was not understood.
    ///   - peer: from where it came.
    ///   - id: what the request is known by.
    ///   - bytes: how long the answer is; nil where that was not known.
    ///   - duration: how long the answer took, to its head; nil where nobody was asked for it.
    func note(
        _ request: HTTPRequest?, from peer: PeerAddress, id: String, _ status: HTTPStatus, bytes: Int? = nil,
        _ duration: Duration? = nil
    ) {
        let method = request?.method.name
        let path = (request?.target).map(FeedFront.pathWithoutSecret)
        let milliseconds = duration.map {
            "\(Double($0.components.attoseconds / 1_000_000_000_000) / 1_000 + Double($0.components.seconds) * 1_000)"
        }
        let client: String = if case .internet(let host, _) = peer { host } else { "local" }
        switch format {
        case .text:
            let size = bytes.map { "\($0) B" }
            let time = milliseconds.map { "\($0) ms" }
            line(
                "\(client) \(method ?? "-") \(path ?? "-") \(status.code) \(size ?? "-") \(time ?? "-") \(id)")
        case .json:
            object([
                "event": "request", "id": .string(id), "client": .string(client),
                "method": method.map { .string($0) } ?? .null, "path": path.map { .string($0) } ?? .null,
                "status": JSON(status.code), "bytes": bytes.map { JSON($0) } ?? .null,
                "milliseconds": milliseconds.map { .number($0) } ?? .null,
            ])
        }
    }

    /// Writes what the server does.
    func say(_ words: String) {
        switch format {
        case .text: line(words)
        case .json: object(["event": "server", "message": .string(words)])
        }
    }

    /// Writes what somebody should look after.
    func warn(_ words: String) {
        switch format {
        case .text: line("warning: " + words, level: "<4>")
        case .json: object(["event": "warning", "message": .string(words)])
        }
    }

    private func line(_ words: String, level: String = "<6>") {
        // A log is read on terminals.
        write((isJournal ? level : RFC3339.string(from: clock()) + " ") + words.sanitized(keeping: []))
    }

    private func object(_ members: JSON) {
        guard case .object(let all) = members else { return }
        write(JSON.object([JSON.Member("time", .string(RFC3339.string(from: clock())))] + all).description)
    }
}

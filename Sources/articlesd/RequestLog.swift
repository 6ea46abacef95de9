import Text
import HTTPServer
import Synchronization
import Terminal
import WebAPI

/// The log of requests and of the server's actions, one line each, on standard error.
///
/// For a request it contains the method, path, status, and duration, but not the query, the fields, and the body, which
/// may contain secrets.
final class RequestLog: Sendable {
    /// The format of the lines.
    enum Format: String, CaseIterable, Sendable {
        /// Plain text.
        case text
        /// One JSON object per line.
        case json
    }

    private let format: Format
    private let isJournal: Bool
    private let clock: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - isJournal: whether lines go to the journal, which adds the time and accepts a level before each line.
    ///   - write: writes a line.
    init(
        _ format: Format, isJournal: Bool = false, clock: @escaping @Sendable () -> Date,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.format = format
        self.isJournal = isJournal
        self.clock = clock
        self.write = write
    }

    /// Logs a request.
    ///
    /// - Parameters:
    ///   - request: the request; nil if it was invalid.
    ///   - peer: the address of the client.
    ///   - id: the ID of the request.
    ///   - bytes: the size of the response; nil if it is unknown.
    ///   - duration: the time until the head of the response; nil if no part of the server was called.
    func logRequest(
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

    /// Logs an action of the server.
    func info(_ message: String) {
        switch format {
        case .text: line(message)
        case .json: object(["event": "server", "message": .string(message)])
        }
    }

    /// Logs a problem that the operator should look at.
    func warn(_ message: String) {
        switch format {
        case .text: line("warning: " + message, level: "<4>")
        case .json: object(["event": "warning", "message": .string(message)])
        }
    }

    private func line(_ message: String, level: String = "<6>") {
        // Remove control sequences, because logs are read on terminals.
        write((isJournal ? level : RFC3339.string(from: clock()) + " ") + message.sanitized(keeping: []))
    }

    private func object(_ members: JSON) {
        guard case .object(let all) = members else { return }
        write(JSON.object([JSON.Member("time", .string(RFC3339.string(from: clock())))] + all).description)
    }
}

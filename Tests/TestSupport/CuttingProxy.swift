import Foundation
import Glibc
import Synchronization

/// A server between a client and PostgreSQL. It passes everything on until the client sends a word. Then it ends the
/// connection without passing on an answer.
public final class CuttingProxy: Sendable {
    private struct NoSocket: Error {}
    private typealias PassingOn = @Sendable (_ bytes: ArraySlice<UInt8>, _ server: Int32) -> Bool

    /// The folder of its socket.
    public let folder: String
    private let listener: Int32

    /// Makes a proxy, which runs until `stop()`.
    ///
    /// - Parameters:
    ///   - word: nil for a server that accepts connections and never answers.
    ///   - target: the folder of PostgreSQL's socket.
    ///   - isDelivered: whether PostgreSQL receives the word and executes it.
    ///   - times: the number of connections that end so. Later ones are passed on as a whole.
    public convenience init(
        cutAt word: String?, before target: String, isDelivered: Bool = true, times: Int = .max
    ) throws {
        let cuts = Atomic(0)
        let isPassedOn: PassingOn = { bytes, server in
            guard let word, String(decoding: bytes, as: UTF8.self).contains(word),
                cuts.add(1, ordering: .relaxed).newValue <= times
            else { return true }
            guard isDelivered else { return false }
            // The server has executed the statement when it answers.
            var buffer = [UInt8](repeating: 0, count: 65_536)
            _ = bytes.withUnsafeBytes { write(server, $0.baseAddress, $0.count) }
            _ = read(server, &buffer, buffer.count)
            return false
        }
        try self.init(before: target, answersNever: word == nil, passingOn: isPassedOn)
    }

    /// Makes a proxy that disappears with a message of a client, which PostgreSQL does not receive. Later connections are
    /// accepted and end at once.
    ///
    /// - Parameters:
    ///   - count: the number of messages of clients before that one.
    ///   - isGone: called when the proxy disappears.
    public convenience init(
        goneAfter count: Int, before target: String, isGone: @escaping @Sendable () -> Void
    ) throws {
        let messages = Atomic(0)
        let isPassedOn: PassingOn = { _, _ in
            guard messages.add(1, ordering: .relaxed).oldValue >= count else { return true }
            isGone()
            return false
        }
        try self.init(before: target, passingOn: isPassedOn)
    }

    /// Makes a proxy that replaces a text in the answers of PostgreSQL by another one of the same length.
    public convenience init(replacing text: String, with other: String, before target: String) throws {
        try self.init(before: target, changing: { Self.replace(Array(text.utf8), with: Array(other.utf8), in: &$0) })
    }

    /// - Parameters:
    ///   - passingOn: returns false to end the connection instead of passing bytes on to the server.
    ///   - changing: changes bytes on the way to the client.
    private init(
        before target: String, answersNever: Bool = false,
        changing: @escaping @Sendable (inout ArraySlice<UInt8>) -> Void = { _ in },
        passingOn: @escaping PassingOn = { _, _ in true }
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "p" + UUID().uuidString.prefix(8)).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = try Self.socket("\(folder)/.s.PGSQL.5432", connecting: false)
        let listener = listener
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard !answersNever else { continue }
                Thread.detachNewThread {
                    Self.serve(client, "\(target)/.s.PGSQL.5432", changing: changing, passingOn: passingOn)
                }
            }
        }
    }

    private static func replace(_ text: [UInt8], with other: [UInt8], in bytes: inout ArraySlice<UInt8>) {
        guard bytes.count >= text.count else { return }
        for start in bytes.startIndex...(bytes.endIndex - text.count)
        where bytes[start..<start + text.count].elementsEqual(text) {
            bytes.replaceSubrange(start..<start + text.count, with: other)
        }
    }

    /// Ends the proxy. Open connections stay open.
    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func serve(
        _ client: Int32, _ target: String, changing: (inout ArraySlice<UInt8>) -> Void,
        passingOn: (_ bytes: ArraySlice<UInt8>, _ server: Int32) -> Bool
    ) {
        guard let server = try? socket(target, connecting: true) else { return }
        defer {
            close(client)
            close(server)
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var files = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&files, 2, -1) > 0 else { return }
            for (input, output) in [(0, server), (1, client)] where files[input].revents != 0 {
                let count = read(files[input].fd, &buffer, buffer.count)
                guard count > 0 else { return }
                var bytes = buffer[..<count]
                if input == 0 {
                    guard passingOn(bytes, server) else { return }
                } else {
                    changing(&bytes)
                }
                guard bytes.withUnsafeBytes({ write(output, $0.baseAddress, $0.count) }) == count else { return }
            }
        }
    }

    private static func socket(_ path: String, connecting: Bool) throws -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw NoSocket() }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let size = socklen_t(MemoryLayout<sockaddr_un>.size)
                return connecting ? connect(descriptor, $0, size) : bind(descriptor, $0, size)
            }
        }
        guard result == 0, connecting || listen(descriptor, 16) == 0 else { throw NoSocket() }
        return descriptor
    }
}

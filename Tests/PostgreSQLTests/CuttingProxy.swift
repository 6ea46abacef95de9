import Foundation
import Platform
import PostgreSQL
import Synchronization
import Testing

/// A server between the client and PostgreSQL. It passes everything on until the client sends a word. Then it still
/// passes the client's bytes on, and ends the connection without passing on the answer.
final class CuttingProxy: Sendable {
    /// The folder of its socket.
    let folder: String
    private let listener: Int32

    /// - Parameter word: nil for a server that accepts connections and never answers.
    init(cutAt word: String?) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "p" + UUID().uuidString.prefix(8)).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let components = URLComponents(string: try #require(Server.url))
        let target = try #require(components?.queryItems?.first { $0.name == "host" }?.value)
        listener = try Self.socket("\(folder)/.s.PGSQL.5432", connecting: false)
        let listener = listener
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let word else { continue }
                Thread.detachNewThread { Self.serve(client, "\(target)/.s.PGSQL.5432", cutAt: word) }
            }
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func serve(_ client: Int32, _ target: String, cutAt word: String) {
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
                guard count > 0, write(output, buffer, count) == count else { return }
                if input == 0, String(decoding: buffer[..<count], as: UTF8.self).contains(word) {
                    // The server has executed the statement when it answers.
                    _ = read(server, &buffer, buffer.count)
                    return
                }
            }
        }
    }

    private static func socket(_ path: String, connecting: Bool) throws -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let size = socklen_t(MemoryLayout<sockaddr_un>.size)
                return connecting ? connect(descriptor, $0, size) : bind(descriptor, $0, size)
            }
        }
        try #require(result == 0 && (connecting || listen(descriptor, 16) == 0))
        return descriptor
    }
}

import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Streamed responses")
struct StreamTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("A stream arrives complete and in order, and the connection continues")
    func whole() async throws {
        let pieces = (0..<200).map { String(repeating: "\($0),", count: $0 * 7) }
        try await withServer(handler: { _ in
            HTTPResponse(body: .stream(Pieces(pieces.map { Array($0.utf8) })))
        }) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<3 {
                let answer = try await client.ask(Self.get)
                #expect(answer.fields["transfer-encoding"] == "chunked")
                #expect(answer.body == pieces.joined())
            }
            client.send("GET / HTTP/1.0\r\n\r\n")
            let old = try await client.rest()
            #expect(old.hasSuffix("\r\n\r\n" + pieces.joined()))
        }
    }

    @Test("A client sees each piece as soon as it is made")
    func atOnce() async throws {
        let stream = AsyncThrowingStream.makeStream(of: [UInt8].self)
        try await withServer(handler: { _ in HTTPResponse(body: .stream(stream.stream)) }) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.0\r\n\r\n")
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) { head += try await client.take(1) }
            for piece in ["one", "two"] {
                stream.continuation.yield(Array(piece.utf8))
                let taken = try await client.take(3)
                #expect(taken == Array(piece.utf8))
            }
            stream.continuation.finish()
            let rest = try await client.rest()
            #expect(rest.isEmpty)
        }
    }

    @Test("A stream that fails is cut, so that the client notices the missing rest")
    func failing() async throws {
        struct Failure: Error {}
        try await withServer(handler: { _ in
            HTTPResponse(
                body: .stream(
                    AsyncThrowingStream { continuation in
                        continuation.yield(Array("abc".utf8))
                        continuation.finish(throwing: Failure())
                    }))
        }) { server in
            let client = try RawClient(port: server.port)
            client.send(Self.get)
            let text = try await client.rest()
            #expect(text.contains("\r\n3\r\nabc\r\n"))
            #expect(!text.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test("A stream is made only as fast as the client reads it")
    func backPressure() async throws {
        let (ended, made) = (Event(), Seen())
        try await withServer(handler: { _ in HTTPResponse(body: .stream(Endless(ended: ended, made: made))) }) {
            server in
            var client: RawClient? = try RawClient(port: server.port, receiveBuffer: 4096)
            client?.send(Self.get)
            _ = try await client?.take(1_000_000)
            // Bytes in the buffers of the system do not count for the server.
            #expect(made.all.count < 1000)
            client = nil
            await ended.wait()
        }
    }

    @Test("A stream is canceled when the client leaves, also while it waits")
    func cancellation() async throws {
        let ended = Event()
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(Array("abc".utf8))
            continuation.onTermination = { _ in ended.happen() }
        }
        try await withServer(handler: { _ in HTTPResponse(body: .stream(stream)) }) { server in
            var client: RawClient? = try RawClient(port: server.port)
            client?.send("GET / HTTP/1.0\r\n\r\n")
            var bytes: [UInt8] = []
            while !bytes.suffix(3).elementsEqual("abc".utf8) { bytes += try await client?.take(1) ?? [] }
            client = nil
            await ended.wait()
        }
    }
}

/// A stream of existing pieces.
struct Pieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    let pieces: [[UInt8]]

    init(_ pieces: [[UInt8]]) { self.pieces = pieces }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>

        mutating func next() async throws -> [UInt8]? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...]) }
}

import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Stopping a server")
struct StopTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("A stop completes running requests, refuses new ones, and closes idle connections")
    func graceful() async throws {
        let (started, gate) = (Event(), Latch())
        try await withServer(handler: { _ in
            started.happen()
            await gate.wait()
            return HTTPResponse(text: "hello")
        }) { server in
            let (busy, idle) = (try RawClient(port: server.port), try RawClient(port: server.port))
            busy.send(Self.get)
            await started.wait()
            async let stopped: Void = server.stop(within: .seconds(1_800))
            // The stop waits for running requests: by then the server does not listen any more.
            let nothing = try await idle.rest()
            #expect(nothing.isEmpty)
            #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
            gate.open()
            let answer = try await busy.answer()
            #expect(answer.body == "hello")
            #expect(answer.fields["connection"] == "close")
            await stopped
            let rest = try await busy.rest()
            #expect(rest.isEmpty)
            #expect(server.connections == 0)
        }
    }

    @Test("A stop answers all received requests, for a hundred clients at once")
    func arrived() async throws {
        try await withServer { server in
            let clients = try (0..<100).map { _ in try RawClient(port: server.port) }
            // The first response shows that the clients are connected.
            for client in clients { _ = try await client.ask(Self.get) }
            for client in clients { client.send(Self.get) }
            await server.stop(within: .seconds(1_800))
            for client in clients {
                let rest = try await client.rest()
                #expect(rest.hasSuffix("hello"))
            }
        }
    }

    @Test("A stop cuts off slow handlers, deaf handlers, streams, and incomplete requests")
    func cut() async throws {
        let (started, gate, ended) = (Event(), Latch(), Event())
        try await withServer(handler: { request in
            // The stream counts when it has begun: one that is dropped before never ends.
            if request.target.path != "/stream" { started.happen() }
            switch request.target.path {
            case "/stream": return HTTPResponse(body: .stream(Endless(ended: ended, begun: started)))
            case "/deaf": await Task.detached { await gate.wait() }.value
            default: await Latch().wait()
            }
            return HTTPResponse()
        }) { server in
            let clients = try ["/stream", "/deaf", "/waits"].map { path in
                let client = try RawClient(port: server.port, receiveBuffer: 4096)
                client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                return client
            }
            for _ in clients { await started.wait() }
            let half = try RawClient(port: server.port)
            half.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
            await server.stop(within: .milliseconds(50))
            await ended.wait()
            for client in clients[1...] + [half] {
                let rest = try await client.rest()
                #expect(rest.isEmpty)
            }
            #expect(server.connections == 0)
            gate.open()
        }
    }

    @Test("A stop happens once, however often it is requested")
    func twice() async throws {
        try await withServer { server in
            async let first: Void = server.stop(within: .seconds(1_800))
            async let second: Void = server.stop(within: .seconds(1_800))
            _ = await (first, second)
        }
    }

    @Test("A stop under load does no harm", arguments: 0..<5)
    func underLoad(round: Int) async throws {
        try await withServer(handler: { _ in
            await Task.yield()
            return HTTPResponse(text: "hello")
        }) { server in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        guard let client = try? RawClient(port: server.port) else { return }
                        while let answer = try? await client.ask(Self.get), answer.fields["connection"] != "close" {}
                    }
                }
                for _ in 0...round * 20 { await Task.yield() }
                await server.stop(within: round.isMultiple(of: 2) ? .zero : .seconds(1_800))
            }
            #expect(server.connections == 0)
        }
    }
}

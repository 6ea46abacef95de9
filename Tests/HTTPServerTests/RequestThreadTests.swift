import Dispatch
import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("The threads of requests")
struct RequestThreadTests {
    private var limits: HTTPLimits {
        var limits = HTTPLimits.patient
        limits.threads = 1
        return limits
    }

    private func request(_ method: String, _ path: String = "/") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
    }

    @Test("A request that reads runs on the thread of its connection, and one that changes something does not")
    func threads() async throws {
        try await withServer(
            limits: limits,
            handler: { _ in
                let before = threadNumber()
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 { group.addTask { await Task.yield() } }
                }
                return HTTPResponse(text: "\(before) \(threadNumber())")
            }
        ) { server in
            let clients = try (0..<2).map { _ in try RawClient(port: server.port) }
            let first = try await clients[0].ask(request("GET")).body
            let numbers = first.split(separator: " ")
            #expect(numbers.count == 2 && numbers[0] == numbers[1])
            #expect(try await clients[0].ask(request("GET")).body == first)
            #expect(try await clients[1].ask(request("GET")).body == first)
            let change = try await clients[0].ask(request("POST")).body
            #expect(!change.split(separator: " ").contains(numbers[0]))
        }
    }

    @Test("A request that waits lets the thread serve others, and goes on with another thread")
    func waiting() async throws {
        let (started, gate) = (Event(), Latch())
        try await withServer(
            limits: limits,
            handler: { request in
                let before = threadNumber()
                if request.target.path == "/wait" {
                    started.happen()
                    await gate.wait()
                }
                return HTTPResponse(text: "\(before) \(threadNumber())")
            }
        ) { server in
            let (slow, fast) = (try RawClient(port: server.port), try RawClient(port: server.port))
            slow.send(request("GET", "/wait"))
            await started.wait()
            let numbers = try await fast.ask(request("GET")).body.split(separator: " ")
            gate.open()
            let other = try await slow.answer().body.split(separator: " ")
            #expect(other.count == 2 && other.first == numbers.first && other.last != numbers.first)
            #expect(try await slow.ask(request("GET")).body.split(separator: " ") == numbers)
        }
    }

    // libmicrohttpd takes 128 events at a time.
    @Test("Requests that arrive at the same time are all answered", arguments: [127, 128, 129, 256])
    func simultaneousRequests(count: Int) async throws {
        let (started, gate) = (Event(), DispatchSemaphore(value: 0))
        try await withServer(
            limits: limits,
            handler: { request in
                if request.target.path == "/block" {
                    started.happen()
                    wait(for: gate)
                }
                return HTTPResponse(text: request.target.path)
            }
        ) { server in
            let clients = try (0..<count).map { _ in try RawClient(port: server.port) }
            for client in clients { #expect(try await client.ask(request("GET", "/first")).body == "/first") }
            let blocking = try RawClient(port: server.port)
            blocking.send(request("GET", "/block"))
            await started.wait()
            for client in clients { client.send(request("GET", "/second")) }
            gate.signal()
            for client in clients { #expect(try await client.answer().body == "/second") }
            #expect(try await blocking.answer().body == "/block")
        }
    }

    @Test("A stream of a request that reads is sent completely, with and without waiting", arguments: [false, true])
    func streams(waits: Bool) async throws {
        try await withServer(
            limits: limits,
            handler: { _ in
                HTTPResponse(
                    body: .stream(
                        AsyncThrowingStream { continuation in
                            let produce: @Sendable () -> Void = {
                                for number in 0..<100 { continuation.yield(Array("\(number);".utf8)) }
                                continuation.finish()
                            }
                            if waits { Task.detached(operation: produce) } else { produce() }
                        }))
            }
        ) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<2 {
                let body = try await client.ask(request("GET")).body
                #expect(body == (0..<100).map { "\($0);" }.joined())
            }
        }
    }
}

/// Blocks the present thread.
private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

/// The number of the present thread.
private func threadNumber() -> pthread_t { pthread_self() }

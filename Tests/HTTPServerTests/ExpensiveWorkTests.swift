import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Long requests", .timeLimit(.minutes(30)))
struct ExpensiveWorkTests {
    /// A clock that the test sets.
    private final class Clock: Sendable {
        private let time = Mutex(Duration.zero)
        var now: Duration { time.withLock { $0 } }
        func advance(by duration: Duration) { time.withLock { $0 += duration } }
    }

    private let clock = Clock()

    private func work(_ change: (inout ExpensiveWork.Limits) -> Void) -> ExpensiveWork {
        var limits = ExpensiveWork.Limits()
        change(&limits)
        return ExpensiveWork(limits: limits) { [clock] in clock.now }
    }

    private func refusal(_ body: () async throws -> Void) async -> ExpensiveWorkRefusal? {
        do { try await body() } catch { return error as? ExpensiveWorkRefusal }
        return nil
    }

    @Test("A user over the budget waits until enough time is given back, and others do not")
    func budget() async throws {
        let work = work { ($0.budget, $0.share) = (.seconds(10), 0.5) }
        try await work.run(for: "ada") { [clock] in clock.advance(by: .seconds(12)) }
        let refused = await refusal { try await work.run(for: "ada") {} }
        #expect(refused?.status == .tooManyRequests)
        let seconds = try #require(refused?.retryAfter)
        #expect((1...5).contains(seconds))
        try await work.run(for: "bob") {}
        clock.advance(by: .seconds(seconds))
        try await work.run(for: "ada") {}
    }

    @Test("The number of waiting requests is limited for each user and in total")
    func queues() async throws {
        let work = work { ($0.requestsPerUser, $0.requests) = (1, 2) }
        let (reached, latch) = (Latch(), Latch())
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await work.run(for: "ada") {
                    reached.open()
                    await latch.wait()
                }
            }
            await reached.wait()
            #expect(await refusal { try await work.run(for: "ada") {} }?.status == .tooManyRequests)
            let second = Latch()
            group.addTask {
                try await work.run(for: "bob") {
                    second.open()
                    await latch.wait()
                }
            }
            await second.wait()
            #expect(await refusal { try await work.run(for: "eve") {} }?.status == .serviceUnavailable)
            latch.open()
            try await group.waitForAll()
        }
        try await work.run(for: "eve") {}
    }

    @Test("A piece of a response that was accepted is never refused, and counts towards the time of its user")
    func admitted() async throws {
        let work = work { $0.budget = .seconds(1) }
        for _ in 0..<2 { await work.runAdmitted(for: "ada") { [clock] in clock.advance(by: .seconds(5)) } }
        #expect(await refusal { try await work.run(for: "ada") {} }?.status == .tooManyRequests)
    }

    @Test("Requests that take long leave the threads of all other requests free")
    func threads() async throws {
        let work = work { $0.threads = 1 }
        let gate = DispatchSemaphore(value: 0)
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        @Sendable func pass() async { hold(gate) }
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { try await work.run(for: "ada") { await pass() } } }
            // It runs only if the requests above do not block every thread that tasks share.
            group.addTask { for _ in 0..<count { gate.signal() } }
            try await group.waitForAll()
        }
    }

    /// Blocks the thread, as a search does.
    private func hold(_ gate: DispatchSemaphore) { gate.wait() }

    @Test("An error of a request is thrown to its caller, and its place is free again")
    func failure() async throws {
        struct Failed: Error {}
        let work = work { $0.requestsPerUser = 1 }
        for _ in 0..<2 {
            await #expect(throws: Failed.self) { try await work.run(for: "ada") { throw Failed() } }
        }
    }
}

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
        private let readings = Atomic(0)
        /// How often it was read: once for each request that is admitted, and once for each job that waits.
        var count: Int { readings.load(ordering: .sequentiallyConsistent) }
        var now: Duration {
            readings.add(1, ordering: .sequentiallyConsistent)
            return time.withLock { $0 }
        }
        func advance(by duration: Duration) { time.withLock { $0 += duration } }
    }

    /// The steps of requests, in order.
    private final class Steps: Sendable {
        private let steps = Mutex<[String]>([])
        var all: [String] { steps.withLock { $0 } }
        func add(_ step: String) { steps.withLock { $0.append(step) } }
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

    @Test("Requests that wait hold so many bytes of one user, and so many of all users, but a single text is accepted")
    func heldBytes() async throws {
        let work = work { ($0.heldBytesPerUser, $0.heldBytes) = (10, 15) }
        let (reached, latch) = (Latch(), Latch())
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await work.run(for: "ada", holding: 12) {
                    reached.open()
                    await latch.wait()
                }
            }
            await reached.wait()
            #expect(await refusal { try await work.run(for: "ada", holding: 1) {} }?.status == .tooManyRequests)
            #expect(await refusal { try await work.run(for: "bob", holding: 4) {} }?.status == .serviceUnavailable)
            try await work.run(for: "bob", holding: 3) {}
            try await work.run(for: "ada") {}
            latch.open()
            try await group.waitForAll()
        }
        try await work.run(for: "ada", holding: 10) {}
    }

    @Test("Requests that have begun are finished in turn before the next one of their user begins")
    func finishedFirst() async throws {
        let work = work { $0.threads = 1 }
        let steps = Steps()
        let (reached, gate) = (Latch(), DispatchSemaphore(value: 0))
        @Sendable func pass() async { hold(gate) }
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await work.run(for: "ada") {
                    reached.open()
                    await pass()
                    steps.add("first")
                    await Task.yield()
                    steps.add("first again")
                }
            }
            await reached.wait()
            // The thread is held until all of these wait.
            var expected = clock.count
            for _ in 0..<3 { group.addTask { try await work.run(for: "ada") { steps.add("next") } } }
            expected += 6
            while clock.count < expected { await Task.yield() }
            group.addTask { await work.runAdmitted(for: "ada") { steps.add("response") } }
            expected += 1
            while clock.count < expected { await Task.yield() }
            gate.signal()
            try await group.waitForAll()
        }
        #expect(steps.all == ["first", "response", "first again", "next", "next", "next"])
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

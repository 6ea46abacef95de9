import AuthService
import Synchronization
import TestSupport
import Testing

@Suite("HashQueue", .timeLimit(.minutes(30)))
struct HashQueueTests {
    /// The callers in the order in which they ran or were refused.
    private final class Callers: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { names.withLock { $0 } }

        func append(_ name: String) { names.withLock { $0.append(name) } }
    }

    /// Queues several callers while a first one runs, and returns the order in which they run.
    private func order(
        of turns: [HashQueue.Turn], in queue: HashQueue
    ) async -> (ran: [String], refused: [String]) {
        let (started, gate) = (Latch(), Latch())
        let (ran, refused) = (Callers(), Callers())
        await withTaskGroup { group in
            group.addTask {
                try? await queue.run(HashQueue.Turn(.other, "first")) { () throws(AuthError) in
                    started.open()
                    await gate.wait()
                }
            }
            await started.wait()
            for turn in turns {
                let before = queue.waitingCount + refused.all.count
                group.addTask {
                    do {
                        try await queue.run(turn) { () throws(AuthError) in ran.append(turn.caller) }
                    } catch {
                        refused.append(turn.caller)
                    }
                }
                while queue.waitingCount + refused.all.count == before { await Task.yield() }
            }
            gate.open()
        }
        return (ran.all, refused.all)
    }

    @Test("Known callers come before newcomers, and these before others")
    func lines() async throws {
        let flood = (0..<30).map { HashQueue.Turn(.other, "stranger \($0)") }
        let turns = flood + [HashQueue.Turn(.newcomer, "new"), HashQueue.Turn(.known, "device")]
        let (ran, refused) = await order(of: turns, in: HashQueue(running: 1))
        #expect(ran == ["device", "new"] + flood.map(\.caller))
        #expect(refused.isEmpty)
    }

    @Test("Origins take turns, so many callers of one delay another by one hash")
    func turns() async throws {
        let turns = Array(repeating: HashQueue.Turn(.newcomer, "a"), count: 5) + [HashQueue.Turn(.newcomer, "b")]
        #expect(await order(of: turns, in: HashQueue(running: 1)).ran == ["a", "b", "a", "a", "a", "a"])
    }

    @Test("An origin has a maximum, and a full line refuses the origin with the most callers")
    func bounds() async throws {
        let many = Array(repeating: HashQueue.Turn(.newcomer, "a"), count: 10)
        let one = [HashQueue.Turn(.newcomer, "b")]
        let own = await order(of: many + one, in: HashQueue(running: 1, waiting: 100, perCaller: 4))
        #expect(own.ran == ["a", "b", "a", "a", "a"])
        #expect(own.refused == Array(repeating: "a", count: 6))
        let full = await order(of: many + one, in: HashQueue(running: 1, waiting: 10, perCaller: 10))
        #expect(full.refused == ["a"])
        #expect(full.ran.count == 10 && full.ran.contains("b"))
    }
}

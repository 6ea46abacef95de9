import Platform
import Synchronization

/// The threads that serve connections with one certificate. A new certificate requires a new pool.
final class WorkerPool: Sendable {
    let site: Site
    let isSecure: Bool
    private let retired = Atomic(false)
    private let cutting = Atomic(false)
    private let threads: [ConnectionThread]

    /// Starts the threads.
    init(_ site: Site, identity: TLSIdentity?) throws(HTTPServerError) {
        self.site = site
        isSecure = identity != nil
        var threads: [ConnectionThread] = []
        for _ in 0..<max(1, site.limits.threads) {
            do throws(HTTPServerError) {
                threads.append(try ConnectionThread(site, identity: identity))
            } catch {
                for thread in threads { thread.end() }
                throw error
            }
        }
        self.threads = threads
    }

    /// Whether connections end after their current responses.
    var isRetired: Bool { retired.load(ordering: .sequentiallyConsistent) }

    /// Whether no more requests are started.
    var isCut: Bool { cutting.load(ordering: .sequentiallyConsistent) }

    /// The thread that serves a new connection.
    func thread(for descriptor: Int32) -> ConnectionThread { threads[Int(descriptor) % threads.count] }

    /// Ends all connections after their current requests, or when the time is over. Then it stops the threads.
    func retire(within time: Duration) async {
        retired.store(true, ordering: .sequentiallyConsistent)
        let deadline = ContinuousClock.now + time
        while true {
            let connections = site.connections.all(of: self)
            if connections.isEmpty { break }
            if ContinuousClock.now >= deadline {
                cut()
                break
            }
            for connection in connections { connection.endIfQuiet() }
            // Cancelling the caller must not extend the wait.
            await Task { try? await Task.sleep(for: .milliseconds(10)) }.value
        }
        stop()
        for thread in threads { await thread.ended() }
    }

    /// Cancels all requests, because connections must not be suspended when the threads are stopped.
    private func cut() {
        cutting.store(true, ordering: .sequentiallyConsistent)
        for connection in site.connections.all(of: self) { connection.cut() }
    }

    /// Tells the threads to close their connections and to end.
    func stop() { for thread in threads { thread.end() } }
}

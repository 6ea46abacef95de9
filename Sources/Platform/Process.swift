internal import CPlatform

/// Runs `body` on a new thread.
///
/// - Throws: `SystemError` if a thread cannot be started. Then `body` does not run.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let context = Unmanaged.passRetained(ThreadBody(body))
    let code = platform_start_thread(
        { context in
            guard let context else { return }
            Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
        }, context.toOpaque())
    guard code == 0 else {
        context.release()
        throw SystemError(code: code)
    }
}

/// Runs work that may wait on a new thread, so that it does not block other tasks. If a thread cannot be started, it
/// runs on the present thread.
package func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        do {
            try startThread {
                body()
                continuation.resume()
            }
        } catch {
            body()
            continuation.resume()
        }
    }
}

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Excludes the memory of this process, which contains passwords and tokens, from core dumps, and protects it from
/// other processes of the same user. It works only on Linux, and does not affect programs that this one starts.
package func hideMemory() { platform_hide_memory() }

/// Tells the allocator to keep freed memory. Each response of a server needs the same amount again, and returning pages
/// to the system and faulting them in again takes longer than making the response.
package func keepFreedMemory() { platform_keep_freed_memory() }

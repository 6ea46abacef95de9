internal import CPlatform

/// Runs `body` on a thread of its own.
///
/// - Throws: `SystemError` where there cannot be one more; `body` is not run then.
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

/// Runs what may wait on a thread of its own, so that no task is held up; on this one where there cannot be one more.
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

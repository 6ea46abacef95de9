internal import CPlatform
internal import Platform
internal import Synchronization

/// The lock that every write transaction and every checkpoint holds: an exclusive `flock` on a file beside the
/// database.
///
/// SQLite 3.7.0 to 3.51.2 can corrupt a WAL database if a checkpoint in one process races with a writer in another. The
/// lock also makes writers take turns, whereas SQLite's own busy handler lets one writer starve the others. Source:
/// <https://www.sqlite.org/wal.html>.
struct WriteLock: Sendable {
    let databasePath: String
    /// Called while waiting for the lock; returns true to stop waiting.
    let isInterrupted: @Sendable () -> Bool

    /// A held lock. It is released when the value ends.
    struct Held: ~Copyable {
        fileprivate let descriptor: Int32

        /// Releases the lock, like the end of the value.
        consuming func release() {}

        /// Gives the descriptor to another owner, without releasing the lock.
        fileprivate consuming func given() -> Int32 {
            let descriptor = descriptor
            discard self
            return descriptor
        }

        deinit { close(descriptor) }
    }

    /// Waits for the lock, for at most `timeout` seconds.
    ///
    /// - Throws: `DatabaseError.busy` after the timeout, `interrupted`, `cannotOpen` if the lock file cannot be used.
    func acquire(timeout: Double) throws(DatabaseError) -> Held {
        while true {
            let held = try acquireOnce(timeout: timeout)
            // The lock file may have been replaced while waiting. Then other processes would lock the new file, so try
            // again.
            if isCurrent(held) { return held }
        }
    }

    /// Waits for the lock like `acquire(timeout:)`. If another process holds the lock, it waits on a separate thread if
    /// possible.
    func acquireInTask(timeout: Double) async throws(DatabaseError) -> Held {
        do {
            return try acquire(timeout: 0)
        } catch {
            guard case .busy = error, timeout > 0 else { throw error }
        }
        let result = Mutex<Result<Int32, DatabaseError>?>(nil)
        await onThread {
            let outcome = Result { () throws(DatabaseError) in try acquire(timeout: timeout).given() }
            result.withLock { $0 = outcome }
        }
        guard let outcome = result.withLock({ $0 }) else { throw .interrupted }
        return Held(descriptor: try outcome.get())
    }

    private var path: String { databasePath + "-lock" }

    private func isCurrent(_ held: borrowing Held) -> Bool {
        var (locked, named) = (stat(), stat())
        return fstat(held.descriptor, &locked) == 0 && stat(path, &named) == 0 && locked.st_ino == named.st_ino
            && locked.st_dev == named.st_dev
    }

    private func acquireOnce(timeout: Double) throws(DatabaseError) -> Held {
        // Closing the file releases the lock, even if the process is killed.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw errno == EACCES || errno == EROFS
                ? .readOnly(path: path) : .cannotOpen(path: path, reason: SystemError.current.description)
        }
        let code = withUnsafePointer(to: isInterrupted) { isInterrupted in
            cplatform_lock_exclusive(
                descriptor, timeout,
                { context in
                    guard let context else { return 0 }
                    return context.assumingMemoryBound(to: (@Sendable () -> Bool).self).pointee() ? 1 : 0
                }, UnsafeMutableRawPointer(mutating: isInterrupted))
        }
        switch code {
        case 0: return Held(descriptor: descriptor)
        case ETIMEDOUT: throw .busy(path: databasePath, seconds: timeout)
        case ECANCELED: throw .interrupted
        case let code: throw .cannotOpen(path: path, reason: SystemError(code: code).description)
        }
    }
}

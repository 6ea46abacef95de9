internal import CSQLite
internal import Synchronization

/// Interrupts a connection from another thread.
///
/// The handle is stored as a number under a lock, so that it is never used after the connection was closed.
final class Interrupter: Sendable {
    private let address: Mutex<UInt>

    init(_ handle: OpaquePointer) {
        address = Mutex(UInt(bitPattern: handle))
    }

    /// Makes the running statements of the connection fail with `DatabaseError.interrupted`.
    func interrupt() {
        address.withLock { address in
            if let handle = OpaquePointer(bitPattern: address) { sqlite3_interrupt(handle) }
        }
    }

    /// Whether the connection was closed.
    var isForgotten: Bool { address.withLock { $0 == 0 } }

    func forget() {
        address.withLock { $0 = 0 }
    }
}

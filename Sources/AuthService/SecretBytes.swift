internal import CSodium
internal import Platform
internal import Synchronization

/// Bytes that must not outlive their use. They are on memory pages of their own, which are excluded from swap and core
/// dumps as far as the system permits, and are overwritten when the object is released.
final class SecretBytes: Sendable {
    /// The number of bytes.
    let count: Int
    /// It is written only during initialization and then only read, so threads can share it.
    private nonisolated(unsafe) let start: UnsafeMutableRawPointer
    /// The size in whole pages: unlocking a page would also unlock another secret on it.
    private let capacity: Int
    /// Whether the pages are excluded from swap. The system limits the number of locked pages.
    private let isLocked: Bool

    /// Creates a buffer, which `fill` writes.
    init(count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        let pageSize = Self.pageSize
        self.count = count
        capacity = (count / pageSize + 1) * pageSize
        if capacity == pageSize, let page = Self.spare.withLock({ $0.popLast() }) {
            start = page.start
            isLocked = true
        } else {
            start = .allocate(byteCount: capacity, alignment: pageSize)
            isLocked = sodium_mlock(start, capacity) == 0
        }
        fill(start.initializeMemory(as: UInt8.self, repeating: 0, count: capacity))
    }

    /// Creates a copy of `bytes`.
    convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { start in
            UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyBytes(from: bytes)
        }
    }

    deinit {
        sodium_memzero(start, capacity)
        let page = LockedPage(start: start)
        let isKept = Self.spare.withLock { spare in
            guard isLocked, capacity == Self.pageSize, spare.count < Self.mostSpare else { return false }
            spare.append(page)
            return true
        }
        guard !isKept else { return }
        sodium_munlock(start, capacity)
        start.deallocate()
    }

    private static let pageSize = Int(getpagesize())

    /// An empty page that is excluded from swap and core dumps. It always has exactly one owner, so it can be passed
    /// between threads.
    private struct LockedPage: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
    }

    /// Pages for reuse: locking and unlocking a page takes longer than most uses of a secret. There are only few,
    /// because the system limits the number of locked pages.
    private static let spare = Mutex<[LockedPage]>([])
    private static let mostSpare = 4

    /// Calls `body` with the bytes. The buffer is valid only during the call.
    func withBytes<T, E>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T) throws(E) -> T {
        try body(UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count))
    }

    /// Calls `body` with the bytes as C characters without a terminating zero.
    func withCharacters<T>(_ body: (UnsafePointer<CChar>, Int) -> T) -> T {
        start.withMemoryRebound(to: CChar.self, capacity: capacity) { body($0, count) }
    }
}

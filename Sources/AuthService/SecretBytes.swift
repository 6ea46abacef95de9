internal import CSodium
internal import Platform
internal import Synchronization

/// Bytes that are not to outlive their use: they lie on pages of their own, which are kept out of swap and core dumps as far
/// as the system lets, and are overwritten when nobody refers to them any more.
final class SecretBytes: Sendable {
    /// How many there are.
    let count: Int
    /// Written while it is made and read only from then on, so that threads may share it.
    private nonisolated(unsafe) let start: UnsafeMutableRawPointer
    /// Of whole pages: another secret on one of them would be unlocked with this.
    private let capacity: Int
    /// Whether the system keeps the pages out of swap: it lets few be locked.
    private let isLocked: Bool

    /// So many bytes, which `fill` writes.
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

    /// A copy of `bytes`.
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

    /// A page that is kept out of swap and core dumps, and holds nothing. Whoever lets it go or takes it has it alone, so that it may
    /// go from thread to thread.
    private struct LockedPage: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
    }

    /// Pages for the next secrets: to lock one and let it go takes longer than what is done with most secrets. Few, as a system
    /// lets few be locked.
    private static let spare = Mutex<[LockedPage]>([])
    private static let mostSpare = 4

    /// Hands the bytes to `body`, which is not to keep them.
    func withBytes<T, E>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T) throws(E) -> T {
        try body(UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count))
    }

    /// Hands the bytes to `body` as C has text, which does not end with a zero.
    func withCharacters<T>(_ body: (UnsafePointer<CChar>, Int) -> T) -> T {
        start.withMemoryRebound(to: CChar.self, capacity: capacity) { body($0, count) }
    }
}

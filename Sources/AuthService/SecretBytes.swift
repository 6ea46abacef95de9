internal import CSodium
internal import Platform

/// Bytes that are not to outlive their use: they lie on pages of their own, which are kept out of swap and core dumps as far
/// as the system lets, and are overwritten when nobody refers to them any more.
final class SecretBytes: Sendable {
    /// How many there are.
    let count: Int
    /// Written while it is made and read only from then on, so that threads may share it.
    private nonisolated(unsafe) let start: UnsafeMutableRawPointer
    /// Of whole pages: another secret on one of them would be unlocked with this.
    private let capacity: Int

    /// So many bytes, which `fill` writes.
    init(count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        let pageSize = Int(getpagesize())
        self.count = count
        capacity = (count / pageSize + 1) * pageSize
        start = .allocate(byteCount: capacity, alignment: pageSize)
        sodium_mlock(start, capacity)
        fill(start.initializeMemory(as: UInt8.self, repeating: 0, count: capacity))
    }

    /// A copy of `bytes`.
    convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { start in
            UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyBytes(from: bytes)
        }
    }

    deinit {
        // It overwrites them, too.
        sodium_munlock(start, capacity)
        start.deallocate()
    }

    /// Hands the bytes to `body`, which is not to keep them.
    func withBytes<T, E>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> T) throws(E) -> T {
        try body(UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count))
    }

    /// Hands the bytes to `body` as C has text, which does not end with a zero.
    func withCharacters<T>(_ body: (UnsafePointer<CChar>, Int) -> T) -> T {
        start.withMemoryRebound(to: CChar.self, capacity: capacity) { body($0, count) }
    }
}

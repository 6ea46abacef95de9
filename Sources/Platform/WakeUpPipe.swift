internal import CPlatform

/// Wakes a thread that waits for a descriptor. Any thread may call it.
///
/// The descriptors stay open as long as the object exists, so that nothing is written to a descriptor that was reused
/// for another file.
package final class WakeUpPipe: Sendable {
    /// Becomes readable when `wake()` is called.
    package let descriptor: Int32
    private let writeEnd: Int32

    /// Nil if the process cannot open more files; `errno` has the reason.
    package init?() {
        var ends: [Int32] = [-1, -1]
        guard platform_pipe(&ends) == 0 else { return nil }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    /// Makes the descriptor readable.
    package func wake() {
        var byte: UInt8 = 1
        // A full pipe wakes the reader anyway.
        while write(writeEnd, &byte, 1) < 0, errno == EINTR {}
    }

    /// Discards the calls of `wake()` so far. Call it before you look for work: then you find all work that was added
    /// before the last call.
    package func drain() {
        var bytes = [UInt8](repeating: 0, count: 256)
        var count = 0
        repeat {
            count = read(descriptor, &bytes, bytes.count)
        } while count == bytes.count || count < 0 && errno == EINTR
    }
}

/// Collects texts and writes them in large pieces. A text is never split between pieces.
final class ByteSink {
    private let handOn: (UnsafeRawBufferPointer) throws -> Void
    private var buffer: [UInt8] = []
    private static let capacity = 64 << 10

    init(_ handOn: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.handOn = handOn }

    func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes the collected text. Text that was not flushed before the object is released is lost.
    func flush() throws {
        try buffer.withUnsafeBytes { if !$0.isEmpty { try handOn($0) } }
        buffer.removeAll(keepingCapacity: true)
    }
}

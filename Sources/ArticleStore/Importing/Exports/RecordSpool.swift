import Text
import Platform

/// Keeps records in a temporary file until the data that they depend on is known.
final class RecordSpool {
    private let folder: String
    private let file: TemporaryFile
    private var pending: [UInt8] = []
    private static let piece = 1 << 18

    /// - Parameter folder: the folder of the file.
    /// - Throws: ``RecordError`` if the file cannot be created.
    init(in folder: String) throws(RecordError) {
        self.folder = folder
        do { file = try TemporaryFile(in: folder) } catch { throw Self.failure(error, folder) }
    }

    private static func failure(_ error: SystemError, _ folder: String) -> RecordError {
        RecordError("what it holds cannot be kept in \(folder): \(error)")
    }

    /// Adds a record.
    ///
    /// - Parameter line: the line on which it began.
    /// - Throws: ``RecordError`` if the disk is full.
    func append(_ bytes: UnsafeBufferPointer<UInt8>, line: Int) throws(RecordError) {
        for number in [bytes.count, line] { withUnsafeBytes(of: Int64(number)) { pending += $0 } }
        pending += bytes
        if pending.count >= Self.piece { try flush() }
    }

    private func flush() throws(RecordError) {
        do throws(SystemError) {
            try file.append(pending)
        } catch {
            throw Self.failure(error, folder)
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// Returns the records in their order, after all were added.
    func records() throws -> Records {
        try flush()
        do throws(SystemError) { try file.rewind() } catch { throw Self.failure(error, folder) }
        pending = []
        let bytes = ByteReader { [file] buffer in
            while true {
                let count = read(file.descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                guard errno == EINTR else { throw SystemError.current }
            }
        }
        return Records(bytes: bytes)
    }

    /// The records of a spool.
    struct Records {
        fileprivate let bytes: ByteReader

        /// Calls `body` with the next record and its line; returns nil at the end.
        mutating func next<T>(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> T) throws -> T? {
            guard try fill(to: 16) else { return nil }
            let (count, line) = bytes.withBytes { bytes in
                let bytes = UnsafeRawBufferPointer(bytes)
                return (
                    Int(bytes.loadUnaligned(as: Int64.self)),
                    Int(bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
                )
            }
            bytes.drop(16)
            guard try fill(to: count) else { return nil }
            defer { bytes.drop(count) }
            return try bytes.withBytes { try body(UnsafeBufferPointer(rebasing: $0.prefix(count)), line) }
        }

        private func fill(to count: Int) throws -> Bool {
            while bytes.count < count { guard try bytes.fill() else { return false } }
            return true
        }
    }
}

import Platform

/// The reason why output failed.
public enum WriteError: Error, Hashable, CustomStringConvertible {
    /// The reader has closed the pipe (EPIPE), for example `head` after its last line. Exit without a message.
    case closed
    /// A write error, for example because the disk is full, the quota is reached, or the device is defective. `code` is
    /// the `errno`.
    case failed(name: String, code: Int32)

    /// The error as a message.
    public var description: String {
        switch self {
        case .closed: "output was closed"
        case .failed(let name, let code):
            "cannot write to \(name): \(SystemError(code: code))"
        }
    }
}

/// Collects text and writes it to a file descriptor in large pieces.
///
/// Call `flush()` at the end: a deinitializer could not report an error, so unflushed text is lost. Call
/// `ignoreWriteSignals()` at the start; otherwise a closed pipe ends the process before the error can be handled.
public final class Writer {
    /// The system call `write`, or a substitute. It returns the number of bytes written, or -1 with `errno` set.
    typealias SystemWrite = (Int32, UnsafeRawPointer?, Int) -> Int

    let descriptor: Int32
    private let name: String
    private let write: SystemWrite
    private var buffer: [UInt8] = []
    private static let capacity = 64 * 1024

    /// Creates a writer for a file descriptor, which the caller must close.
    ///
    /// - Parameters:
    ///   - descriptor: the file descriptor.
    ///   - name: the name of the stream in errors.
    public convenience init(descriptor: Int32, name: String) {
        self.init(descriptor: descriptor, name: name, write: systemWrite)
    }

    init(descriptor: Int32, name: String, write: @escaping SystemWrite) {
        self.descriptor = descriptor
        self.name = name
        self.write = write
    }

    /// Returns a writer for standard output.
    public static func standardOutput() -> Writer { Writer(descriptor: STDOUT_FILENO, name: "standard output") }
    /// Returns a writer for standard error.
    public static func standardError() -> Writer { Writer(descriptor: STDERR_FILENO, name: "standard error") }

    /// Writes text.
    ///
    /// - Throws: `WriteError` if text that was collected before cannot be written.
    public func write(_ text: String) throws(WriteError) {
        try write(text.utf8)
    }

    /// Writes bytes.
    ///
    /// - Throws: `WriteError` if text that was collected before cannot be written.
    public func write(_ bytes: some Sequence<UInt8>) throws(WriteError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes a line of text with a newline.
    ///
    /// - Throws: `WriteError` if text that was collected before cannot be written.
    public func writeLine(_ text: String) throws(WriteError) {
        try write(text)
        try write("\n")
    }

    /// Writes the collected text. After an error, the rest is dropped.
    public func flush() throws(WriteError) {
        let bytes = buffer
        buffer.removeAll(keepingCapacity: true)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
            }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilWritable()
            case EPIPE: throw .closed
            case let code: throw .failed(name: name, code: code)
            }
        }
    }

    /// Another process may have made the shared terminal or pipe non-blocking.
    private func waitUntilWritable() {
        var source = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&source, 1, -1)
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    Platform.write(descriptor, bytes, count)
}

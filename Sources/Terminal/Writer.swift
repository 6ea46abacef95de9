import Platform
package import Text

/// The reason why output failed.
package enum WriteError: Error, Hashable, CustomStringConvertible {
    /// The reader has closed the pipe (EPIPE), for example `head` after its last line. Exit without a message.
    case closed
    /// A write error, for example because the disk is full, the quota is reached, or the device is defective. `code` is
    /// the `errno`.
    case failed(name: String, code: Int32)

    /// The error as a message.
    package var description: String {
        switch self {
        case .closed: "output was closed"
        case .failed(let name, let code):
            "cannot write to \(name): \(SystemError(code: code))"
        }
    }
}

extension WriteError: ExplainedError {
    package var errorKind: ErrorKind { .inputOutput }
}

/// Collects text and writes it to a file descriptor in large pieces.
///
/// Call `flush()` at the end: a deinitializer could not report an error, so unflushed text is lost. Call
/// `ignoreWriteSignals()` at the start; otherwise a closed pipe ends the process before the error can be handled.
package final class Writer {
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
    package convenience init(descriptor: Int32, name: String) {
        self.init(descriptor: descriptor, name: name, write: systemWrite)
    }

    init(descriptor: Int32, name: String, write: @escaping SystemWrite) {
        self.descriptor = descriptor
        self.name = name
        self.write = write
    }

    /// Returns a writer for standard output.
    package static func standardOutput() -> Writer { Writer(descriptor: STDOUT_FILENO, name: "standard output") }
    /// Returns a writer for standard error.
    package static func standardError() -> Writer { Writer(descriptor: STDERR_FILENO, name: "standard error") }

    /// Writes text.
    ///
    /// - Throws: `WriteError` if text that was collected before cannot be written.
    package func write(_ text: String) throws(WriteError) {
        try write(text.utf8)
    }

    /// Writes bytes.
    ///
    /// - Throws: `WriteError` if text that was collected before cannot be written.
    package func write(_ bytes: some Sequence<UInt8>) throws(WriteError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes a line of text with a newline.
    ///
    /// - Throws: `WriteError` if text that was collected before cannot be written.
    package func writeLine(_ text: String) throws(WriteError) {
        try write(text)
        try write("\n")
    }

    /// Writes the collected text. After an error, the rest is dropped.
    package func flush() throws(WriteError) {
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

/// A line at the bottom of the terminal with the progress of long work. It overwrites itself and is erased at the end.
///
/// It is drawn only on a terminal that can erase a line, and at most once per `interval` of the caller's clock.
package struct ProgressLine {
    private let writer: Writer
    private let width: Int
    private let isVisible: Bool
    private let interval: Duration
    private var drawn: Duration?

    /// Creates a line, which is not drawn yet.
    ///
    /// - Parameters:
    ///   - writer: usually standard error.
    ///   - terminal: the terminal to draw on.
    ///   - interval: the minimum time between two drawings.
    package init(writer: Writer, terminal: Terminal, interval: Duration = .milliseconds(100)) {
        self.writer = writer
        self.interval = interval
        width = terminal.width
        isVisible = terminal.error.isTerminal && terminal.isCapable
    }

    /// Draws `text`, unless the last drawing is too recent.
    ///
    /// - Parameters:
    ///   - text: the text of the line.
    ///   - now: the time since any fixed moment.
    package mutating func update(_ text: @autoclosure () -> String, now: Duration) {
        guard isVisible else { return }
        if let drawn, now - drawn < interval { return }
        drawn = now
        // Leave the last column free: writing there makes some terminals wrap.
        draw("\r" + text().sanitized().truncated(to: width - 1) + "\u{1B}[K")
    }

    /// Erases the line, so that the next output begins on an empty line.
    package mutating func erase() {
        guard drawn != nil else { return }
        drawn = nil
        draw("\r\u{1B}[K")
    }

    /// Ignore errors: the work must continue even if its progress cannot be shown.
    private func draw(_ text: String) {
        try? writer.write(text)
        try? writer.flush()
    }
}

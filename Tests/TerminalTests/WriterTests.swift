import Foundation
import Testing

@testable import Terminal

@Suite("Writing")
struct WriterTests {
    @Test("Nothing is written before the flush, and everything after it")
    func buffering() throws {
        var written: [UInt8] = []
        let writer = Writer(descriptor: 1, name: "x") { _, bytes, count in
            written += UnsafeRawBufferPointer(start: bytes, count: count)
            return count
        }
        try writer.writeLine("hello")
        #expect(written.isEmpty)
        try writer.flush()
        #expect(written == Array("hello\n".utf8))
        try writer.flush()
        #expect(written.count == 6)
    }

    @Test("Writes that are cut short or interrupted continue where they stopped")
    func partial() throws {
        var written: [UInt8] = []
        var calls = 0
        let writer = Writer(descriptor: 1, name: "x") { _, bytes, count in
            calls += 1
            if calls % 3 == 0 {
                errno = EINTR
                return -1
            }
            let taken = min(count, 7)
            written += UnsafeRawBufferPointer(start: bytes, count: taken)
            return taken
        }
        let text = String(repeating: "0123456789", count: 20_000)
        try writer.write(text)
        try writer.flush()
        #expect(written == Array(text.utf8))
    }

    @Test(
        "A closed pipe is its own error, and a full disk says what is full",
        arguments: [(EPIPE, true), (ENOSPC, false), (EIO, false), (EFBIG, false)])
    func errors(code: Int32, isClosed: Bool) throws {
        let writer = Writer(descriptor: 1, name: "standard output") { _, _, _ in
            errno = code
            return -1
        }
        try writer.write("x")
        let error = #expect(throws: WriteError.self) { try writer.flush() }
        #expect(error == (isClosed ? .closed : .failed(name: "standard output", code: code)))
        // Unwritten output is dropped, so that an error message does not follow it.
        try writer.flush()
        if code == ENOSPC {
            #expect(error?.description.hasSuffix("standard output: No space left on device") == true)
        }
    }

    @Test("A full device is reported", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullDevice() throws {
        let file = open("/dev/full", O_WRONLY)
        defer { close(file) }
        let writer = Writer(descriptor: file, name: "it")
        try writer.write("x")
        #expect(throws: WriteError.failed(name: "it", code: ENOSPC)) { try writer.flush() }
    }

    @Test("A pipe without a reader ends silently")
    func closedPipe() throws {
        ignoreWriteSignals()
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        let writer = Writer(descriptor: ends[1], name: "it")
        try writer.write("x")
        #expect(throws: WriteError.closed) { try writer.flush() }
    }

    @Test("Progress is drawn over itself on a terminal, not too often, and leaves nothing behind")
    func progress() throws {
        var written = ""
        let writer = Writer(descriptor: 2, name: "x") { _, bytes, count in
            written += String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
            return count
        }
        let terminal = Terminal(error: .init(isTerminal: true), width: 10)
        var progress = ProgressLine(writer: writer, terminal: terminal)
        progress.erase()
        progress.update("first", now: .zero)
        progress.update("too soon", now: .milliseconds(50))
        progress.update("far too long\n", now: .milliseconds(100))
        progress.erase()
        progress.erase()
        #expect(written == "\rfirst\u{1B}[K\rfar too …\u{1B}[K\r\u{1B}[K")

        written = ""
        for terminal in [Terminal(), Terminal(error: .init(isTerminal: true), isCapable: false)] {
            var silent = ProgressLine(writer: writer, terminal: terminal)
            silent.update("x", now: .zero)
            silent.erase()
        }
        #expect(written == "")
    }
}

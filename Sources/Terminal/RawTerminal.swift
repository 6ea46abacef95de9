import CPlatform
import Platform

/// The terminal of this process, prepared for a full-screen session: raw mode, alternate screen, hidden cursor,
/// bracketed paste, mouse.
///
/// The terminal is restored when the object is released, on a signal, on a crash, and while the process is stopped.
/// Only one object can exist at a time.
package final class RawTerminal {
    private let input: Int32
    private let writer: Writer
    /// A descriptor that reports signals.
    private let signals: Int32
    let wakeUp: WakeUpPipe
    private var decoder = InputDecoder()
    /// The size to use if the terminal does not know its own.
    private let fallback: Size
    package private(set) var size: Size
    /// The signal that asked the process to end. After `close()`, exit with 128 plus its number.
    package private(set) var signal: Int32?

    /// The time in milliseconds that an Esc waits for the rest of a sequence.
    private static let escapeDelay: Int32 = 25
    /// The time in milliseconds that a paste or a terminal string waits for its end.
    private static let stringDelay: Int32 = 1000
    /// The maximum number of events to return at once.
    private static let batch = 256
    /// The maximum size to draw. The rest of a larger terminal is unused.
    private static let largest = Size(columns: 2000, rows: 1000)

    // Alternate screen, no wrapping at the edge, hidden cursor, bracketed paste, focus events.
    private static let enter = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[?2004h\u{1B}[?1004h\u{1B}[m"
    /// Mouse buttons and wheel with SGR coordinates.
    private static let withMouse = "\u{1B}[?1000h\u{1B}[?1006h"
    private static let leave =
        "\u{1B}[?2026l\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[r\u{1B}[m\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l"

    /// Prepares the terminal. Nil if it is not a terminal, or an object exists already; `errno` has the reason.
    ///
    /// - Parameters:
    ///   - input: the terminal to read from.
    ///   - output: the same terminal, to write to.
    ///   - takesMouse: whether to report mouse actions. Otherwise the user can select text with the mouse.
    ///   - fallback: the size to use if the terminal does not know its own.
    package init?(
        input: Int32 = 0, output: Int32 = 1, takesMouse: Bool = true, fallback: Size = Size(columns: 80, rows: 24)
    ) {
        guard let wakeUp = WakeUpPipe() else { return nil }
        self.wakeUp = wakeUp
        signals = platform_screen_open(
            input, output, Self.enter + (takesMouse ? Self.withMouse : ""), Self.leave)
        self.input = input
        self.fallback = fallback
        writer = Writer(descriptor: output, name: "the terminal")
        size = Self.size(of: output) ?? fallback
        guard signals >= 0 else { return nil }
    }

    deinit { close() }

    /// Restores the terminal.
    package func close() {
        guard signals >= 0, !isClosed else { return }
        isClosed = true
        platform_screen_close()
    }

    private var isClosed = false

    /// Makes `nextEvents(timeout:)` return `InputEvent.wake`, now or at its next call. Any thread may call it, even
    /// after this object was closed.
    package var wake: @Sendable () -> Void { { [wakeUp] in wakeUp.wake() } }

    /// Writes bytes immediately. If the terminal is gone, it drops them, and the next read reports the loss.
    ///
    /// - Throws: `WriteError` for other errors.
    package func write(_ bytes: [UInt8]) throws {
        do throws(WriteError) {
            try writer.write(bytes)
            try writer.flush()
        } catch {
            // The next read notices that the terminal is gone.
            switch error {
            case .closed, .failed(name: _, code: EIO): return
            default: throw error
            }
        }
    }

    /// Returns the terminal to the shell and stops the process until it is continued.
    package func suspend() {
        platform_screen_suspend()
        size = Self.size(of: writer.descriptor) ?? fallback
    }

    /// Restores the terminal for another program while `body` runs.
    package func lend(_ body: () async -> Bool) async -> Bool {
        platform_screen_lend()
        defer {
            platform_screen_resume()
            size = Self.size(of: writer.descriptor) ?? fallback
        }
        return await body()
    }

    /// Waits for input or for `wake`, and returns all available events; an empty array after `timeout` milliseconds;
    /// nil if the terminal or the process must end.
    ///
    /// - Throws: `PromptError` if waiting for the terminal fails.
    package func nextEvents(timeout idle: Int32?) throws -> [InputEvent]? {
        var events: [InputEvent] = []
        while true {
            // Read available bytes immediately. Wait for more, but only briefly within a sequence.
            let timeout =
                !events.isEmpty
                ? 0 : decoder.isPending ? Self.escapeDelay : decoder.isOpen ? Self.stringDelay : idle ?? -1
            var sources = [
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                // Ignore the wakeUp while a sequence is incomplete: repeated rings would otherwise delay its end forever.
                pollfd(
                    fd: decoder.isPending || decoder.isOpen ? -1 : wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&sources, nfds_t(sources.count), timeout)
            if ready < 0 {
                guard errno == EINTR else { throw PromptError.failed(code: errno) }
                continue
            }
            if ready == 0 {
                guard events.isEmpty, decoder.isPending || decoder.isOpen else { return events }
                events = decoder.isPending ? decoder.flush() : decoder.giveUp()
                if !events.isEmpty { return events }
                continue
            }
            if sources[0].revents != 0, try !readSignals(&events) { return nil }
            if sources[1].revents != 0 {
                guard let bytes = readInput() else { return events.isEmpty ? nil : events }
                events += decoder.decode(bytes)
                // Return from time to time, even if the input never stops.
                if events.count >= Self.batch { return events }
            }
            if sources[2].revents != 0 {
                wakeUp.drain()
                events.append(.wake)
            }
        }
    }

    /// Returns the available bytes; nil if the terminal is gone.
    private func readInput() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(input, &buffer, buffer.count)
            if count > 0 { return Array(buffer.prefix(count)) }
            // A stopped job that is in the background again also gets EIO, but then it is stopped.
            guard count < 0, errno == EINTR || errno == EAGAIN else { return nil }
            if errno == EAGAIN { return [] }
        }
    }

    /// Handles signals. Returns false if a signal asks the process to end.
    private func readSignals(_ events: inout [InputEvent]) throws -> Bool {
        var numbers = [UInt8](repeating: 0, count: 64)
        let count = read(signals, &numbers, numbers.count)
        for signal in numbers.prefix(max(0, count)).map(Int32.init) {
            switch signal {
            case SIGWINCH:
                size = Self.size(of: writer.descriptor) ?? fallback
                events.append(.resize(size))
            case SIGTSTP:
                suspend()
                events += [.resize(size), .redraw]
            case SIGCONT:
                platform_screen_resume()
                size = Self.size(of: writer.descriptor) ?? fallback
                events += [.resize(size), .redraw]
            default:
                self.signal = signal
                return false
            }
        }
        return true
    }

    private static func size(of descriptor: Int32) -> Size? {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard platform_terminal_size(descriptor, &columns, &rows) == 0 else { return nil }
        return Size(columns: min(Int(columns), largest.columns), rows: min(Int(rows), largest.rows))
    }
}

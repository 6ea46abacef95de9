import CPlatform
import Platform

/// The terminal of this process, taken over for a full-screen session: raw mode, the alternate screen, no cursor, bracketed paste, mouse.
///
/// The terminal is restored when the object is deinitialized, on a signal, on a crash, and while the process is stopped. Only
/// one object can exist at a time.
public final class RawTerminal {
    private let input: Int32
    private let writer: Writer
    /// Tells of signals.
    private let signals: Int32
    let bell: Bell
    private var decoder = InputDecoder()
    /// A size to go by instead of the terminal's own, where that does not know it.
    private let fallback: Size
    /// How large it is.
    public private(set) var size: Size
    /// The signal that asked the process to end. After `close()`, end with 128 plus its number.
    public private(set) var signal: Int32?

    /// How long an Esc waits for what would make it a sequence.
    private static let escapeDelay: Int32 = 25
    /// How long a paste or a string for the terminal waits for its end.
    private static let stringDelay: Int32 = 1000
    /// How many events are given at once.
    private static let batch = 256
    /// A larger terminal is drawn on as far as this.
    private static let largest = Size(columns: 2000, rows: 1000)

    // Alternate screen, no wrapping at the edge, no cursor, bracketed paste, focus.
    private static let enter = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[?2004h\u{1B}[?1004h\u{1B}[m"
    /// Mouse buttons and wheel with SGR coordinates.
    private static let withMouse = "\u{1B}[?1000h\u{1B}[?1006h"
    private static let leave =
        "\u{1B}[?2026l\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[r\u{1B}[m\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l"

    /// Takes the terminal over. Nil where it is none, or one is taken over already; `errno` says which.
    ///
    /// - Parameters:
    ///   - input: The terminal to read from.
    ///   - output: The same terminal, to write to.
    ///   - takesMouse: Whether to report the mouse. Otherwise the terminal selects text with it.
    ///   - fallback: A size to go by where the terminal does not know its own.
    public init?(
        input: Int32 = 0, output: Int32 = 1, takesMouse: Bool = true, fallback: Size = Size(columns: 80, rows: 24)
    ) {
        guard let bell = Bell() else { return nil }
        self.bell = bell
        signals = platform_screen_open(
            input, output, Self.enter + (takesMouse ? Self.withMouse : ""), Self.leave)
        self.input = input
        self.fallback = fallback
        writer = Writer(descriptor: output, name: "the terminal")
        size = Self.size(of: output) ?? fallback
        guard signals >= 0 else { return nil }
    }

    deinit { close() }

    /// Gives the terminal back.
    public func close() {
        guard signals >= 0, !isClosed else { return }
        isClosed = true
        platform_screen_close()
    }

    private var isClosed = false

    /// Has `nextEvents(timeout:)` give `InputEvent.wake`, now or when it is called next: for who has come to something on another
    /// thread. It may be called on any, also when this is closed.
    public var wake: @Sendable () -> Void { { [bell] in bell.ring() } }

    /// Writes bytes at once. If the terminal is gone, it drops them: the next read reports the loss.
    ///
    /// - Throws: `WriteError` where it fails otherwise.
    public func write(_ bytes: [UInt8]) throws {
        do throws(WriteError) {
            try writer.write(bytes)
            try writer.flush()
        } catch {
            // A terminal that went away is noticed when it is read from.
            switch error {
            case .closed, .failed(name: _, code: EIO): return
            default: throw error
            }
        }
    }

    /// Gives the terminal back to the shell until the process is continued.
    public func suspend() {
        platform_screen_suspend()
        size = Self.size(of: writer.descriptor) ?? fallback
    }

    /// Lets another program have the terminal as long as `body` runs.
    public func lend(_ body: () async -> Bool) async -> Bool {
        platform_screen_lend()
        defer {
            platform_screen_resume()
            size = Self.size(of: writer.descriptor) ?? fallback
        }
        return await body()
    }

    /// Waits for what a person does next, or for `wake`, and gives all there is; nothing when `timeout` milliseconds have
    /// passed, and nil when the terminal or the process is to end.
    ///
    /// - Throws: `PromptError` where the terminal cannot be waited for.
    public func nextEvents(timeout idle: Int32?) throws -> [InputEvent]? {
        var events: [InputEvent] = []
        while true {
            // Read available bytes at once. Wait for others, but only briefly within a sequence.
            let timeout =
                !events.isEmpty
                ? 0 : decoder.isPending ? Self.escapeDelay : decoder.isOpen ? Self.stringDelay : idle ?? -1
            var sources = [
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                // Not while something unfinished waits, which would do so for ever where this is rung again and again.
                pollfd(
                    fd: decoder.isPending || decoder.isOpen ? -1 : bell.descriptor, events: Int16(POLLIN), revents: 0),
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
            if sources[0].revents != 0, try !takeSignals(&events) { return nil }
            if sources[1].revents != 0 {
                guard let bytes = readInput() else { return events.isEmpty ? nil : events }
                events += decoder.decode(bytes)
                // Return from time to time, even if the input never stops.
                if events.count >= Self.batch { return events }
            }
            if sources[2].revents != 0 {
                bell.silence()
                events.append(.wake)
            }
        }
    }

    /// The bytes that are there; nil at the end of the terminal.
    private func readInput() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(input, &buffer, buffer.count)
            if count > 0 { return Array(buffer.prefix(count)) }
            // A stopped job that is in the background again gets EIO as well, but then it is stopped.
            guard count < 0, errno == EINTR || errno == EAGAIN else { return nil }
            if errno == EAGAIN { return [] }
        }
    }

    /// False where a signal asks the process to end.
    private func takeSignals(_ events: inout [InputEvent]) throws -> Bool {
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

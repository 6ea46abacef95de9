import Text

/// A line at the bottom of the terminal with the progress of long work. It overwrites itself and is erased at the end.
///
/// It is drawn only on a terminal that can erase a line, and at most once per `interval` of the caller's clock.
public struct ProgressLine {
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
    public init(writer: Writer, terminal: Terminal, interval: Duration = .milliseconds(100)) {
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
    public mutating func update(_ text: @autoclosure () -> String, now: Duration) {
        guard isVisible else { return }
        if let drawn, now - drawn < interval { return }
        drawn = now
        // Leave the last column free: writing there makes some terminals wrap.
        draw("\r" + text().sanitized().truncated(to: width - 1) + "\u{1B}[K")
    }

    /// Erases the line, so that the next output begins on an empty line.
    public mutating func erase() {
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

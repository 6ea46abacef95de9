import Text

/// A line at the bottom of the terminal that shows the progress of long work. It replaces itself and is erased at the end.
///
/// It is drawn only on a terminal that can erase a line, and at most every `interval` of the caller's clock.
public struct ProgressLine {
    private let writer: Writer
    private let width: Int
    private let isVisible: Bool
    private let interval: Duration
    private var drawn: Duration?

    /// A line that is not drawn yet.
    ///
    /// - Parameters:
    ///   - writer: Standard error, usually.
    ///   - terminal: The terminal to draw on.
    ///   - interval: How much time is between two drawings at least.
    public init(writer: Writer, terminal: Terminal, interval: Duration = .milliseconds(100)) {
        self.writer = writer
        self.interval = interval
        width = terminal.width
        isVisible = terminal.error.isTerminal && terminal.isCapable
    }

    /// Draws `text`, unless the last drawing is too recent.
    ///
    /// - Parameters:
    ///   - text: The text of the line.
    ///   - now: The time since any fixed moment.
    public mutating func update(_ text: @autoclosure () -> String, now: Duration) {
        guard isVisible else { return }
        if let drawn, now - drawn < interval { return }
        drawn = now
        // The last column stays free: writing there makes some terminals wrap.
        draw("\r" + text().sanitized().truncated(to: width - 1) + "\u{1B}[K")
    }

    /// Takes the line away, so that what is written next starts on a clean line.
    public mutating func erase() {
        guard drawn != nil else { return }
        drawn = nil
        draw("\r\u{1B}[K")
    }

    /// Progress is a courtesy: where it cannot be drawn, the work goes on.
    private func draw(_ text: String) {
        try? writer.write(text)
        try? writer.flush()
    }
}

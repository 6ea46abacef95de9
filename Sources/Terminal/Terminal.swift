import CPlatform
import Platform

/// The terminal of the standard streams. It is a value, so that tests can create one.
package struct Terminal: Hashable, Sendable {
    /// A standard stream.
    package struct Stream: Hashable, Sendable {
        /// Whether it is a terminal.
        package var isTerminal: Bool
        /// Whether to use colors on it.
        package var isColored: Bool

        /// Creates a stream.
        package init(isTerminal: Bool = false, isColored: Bool = false) {
            self.isTerminal = isTerminal
            self.isColored = isColored
        }
    }

    /// Standard input.
    package var input: Stream
    /// Standard output.
    package var output: Stream
    /// The stream for errors and progress.
    package var error: Stream
    /// The width of the screen; 80 if it is unknown.
    package var width: Int
    /// The height of the screen; 24 if it is unknown.
    package var height: Int
    /// Whether the cursor can be moved and lines erased. It is false for `TERM=dumb`.
    package var isCapable: Bool

    /// Creates a terminal.
    package init(
        input: Stream = Stream(), output: Stream = Stream(), error: Stream = Stream(), width: Int = 80,
        height: Int = 24,
        isCapable: Bool = true
    ) {
        self.input = input
        self.output = output
        self.error = error
        self.width = width
        self.height = height
        self.isCapable = isCapable
    }
}

extension Terminal {
    /// Returns the terminal of the standard streams of this process.
    package static func standard(color: ColorChoice = .auto, environment: (String) -> String?) -> Terminal {
        func stream(_ descriptor: Int32) -> Stream {
            let isTerminal = isatty(descriptor) == 1
            return Stream(
                isTerminal: isTerminal,
                isColored: color.isColored(isTerminal: isTerminal, environment: environment)
            )
        }
        var terminal = Terminal(input: stream(0), output: stream(1), error: stream(2))
        terminal.isCapable = isCapable(environment: environment)
        let screen = [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO].lazy.compactMap(size).first
        // Users set COLUMNS and LINES to override the real size.
        terminal.width = positive(environment("COLUMNS")) ?? screen?.columns ?? terminal.width
        terminal.height = positive(environment("LINES")) ?? screen?.rows ?? terminal.height
        return terminal
    }

    /// Returns whether the terminal named by `TERM` can move its cursor.
    package static func isCapable(environment: (String) -> String?) -> Bool {
        guard let kind = environment("TERM") else { return false }
        return !kind.isEmpty && kind != "dumb"
    }

    private static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard platform_terminal_size(descriptor, &columns, &rows) == 0 else { return nil }
        return (Int(columns), Int(rows))
    }

    private static func positive(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
    }
}

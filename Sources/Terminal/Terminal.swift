import CPlatform
import Platform

/// The terminal behind the standard streams. It is a value, so that tests can make one.
public struct Terminal: Hashable, Sendable {
    /// A standard stream.
    public struct Stream: Hashable, Sendable {
        /// Whether it leads to a terminal.
        public var isTerminal: Bool
        /// Whether colours are wanted on it.
        public var isColored: Bool

        /// A stream that leads to a terminal, or not.
        public init(isTerminal: Bool = false, isColored: Bool = false) {
            self.isTerminal = isTerminal
            self.isColored = isColored
        }
    }

    /// The stream to read from.
    public var input: Stream
    /// The stream to write to.
    public var output: Stream
    /// The stream for errors and progress.
    public var error: Stream
    /// Columns of the screen; it has 80 and 24 rows where nothing is known.
    public var width: Int
    /// Rows of the screen.
    public var height: Int
    /// Whether the cursor can be moved and lines erased: not with `TERM=dumb`.
    public var isCapable: Bool

    /// Streams, and a screen.
    public init(
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
    /// Looks at the standard streams of this process.
    public static func standard(color: ColorChoice = .auto, environment: (String) -> String?) -> Terminal {
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
        // COLUMNS and LINES are what a person sets to have their way.
        terminal.width = positive(environment("COLUMNS")) ?? screen?.columns ?? terminal.width
        terminal.height = positive(environment("LINES")) ?? screen?.rows ?? terminal.height
        return terminal
    }

    /// Whether the terminal that `TERM` names can move its cursor.
    public static func isCapable(environment: (String) -> String?) -> Bool {
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

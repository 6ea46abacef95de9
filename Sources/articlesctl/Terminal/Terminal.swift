import CPlatform

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the standard streams lead to, as far as drawing is concerned. A value, so that a test can make one up.
struct Terminal: Hashable, Sendable {
    /// One of the three standard streams.
    struct Stream: Hashable, Sendable {
        var isTerminal = false
        var isColored = false
    }

    var input = Stream()
    var output = Stream()
    var error = Stream()
    /// Columns and rows of the screen; 80 by 24 where nothing is known.
    var width = 80
    var height = 24
    /// Whether the cursor can be moved and lines erased: not with `TERM=dumb`.
    var isCapable = true
}

extension Terminal {
    /// Looks at the standard streams of this process.
    static func standard(color: ColorChoice = .auto, environment: (String) -> String?) -> Terminal {
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

    static func isCapable(environment: (String) -> String?) -> Bool {
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

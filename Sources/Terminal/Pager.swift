import CPlatform
import Platform

/// A program that shows long text screen by screen.
public struct Pager: Hashable, Sendable {
    /// The program and its arguments.
    public let arguments: [String]
    /// Variables for it, as `NAME=value`.
    public let environment: [String]

    /// The pager that the first of these variables that is set names, else `less -FRX`; nil where that is empty or `cat`.
    ///
    /// As in git, a value that needs a shell is given to one, and `LESS=FRX`, `LV=-c` are set for pagers that read them, unless
    /// they are set.
    ///
    /// - Parameters:
    ///   - names: The variables that may name it, the first one first.
    ///   - environment: The value of a variable.
    ///   - variables: The environment of the program, from `inheritedVariables(except:)`.
    public init?(named names: [String] = ["PAGER"], environment: (String) -> String?, inheriting variables: [String]) {
        let named = names.lazy.compactMap(environment).first
        switch named {
        case "", "cat": return nil
        case nil: arguments = ["less", "-FRX"]
        case let command?: arguments = commandLine(command)
        }
        self.environment =
            variables
            + [("LESS", "FRX"), ("LV", "-c")].filter { environment($0.0) == nil }.map { "\($0.0)=\($0.1)" }
    }

    /// A program that is given the text, and has the terminal.
    public init(_ arguments: [String], environment: [String]) {
        self.arguments = arguments
        self.environment = environment
    }

    /// Shows the text through the pager, and says whether that worked. A person who leaves the pager early has seen enough: that is success.
    /// It is false where the pager cannot be started or ends with an error, so that the caller can write the text plainly.
    public func show(_ text: String) -> Bool {
        guard let running = start() else { return false }
        // If the pager stops reading, the user does not want the rest.
        try? running.writer.write(text)
        try? running.writer.flush()
        return running.end()
    }

    fileprivate func start() -> RunningPager? {
        var input: Int32 = -1
        guard let child = startProgram(arguments, environment: environment, input: &input) else { return nil }
        return RunningPager(writer: Writer(descriptor: input, name: "the pager"), child: child)
    }
}

/// A pager that reads what is written to it.
private struct RunningPager {
    let writer: Writer
    let child: pid_t

    /// Waits until the person leaves the pager.
    ///
    /// - Returns: whether the pager ended without an error.
    func end() -> Bool {
        close(writer.descriptor)
        return platform_wait(child) == 0
    }
}

/// Output that goes to a pager as soon as it does not fit on the terminal, while more of it is still being made.
public final class PagedOutput {
    private let output: Writer
    private let pager: Pager?
    private let terminal: Terminal
    private var running: RunningPager?
    private var isPlain: Bool
    /// The text written so far, which is printed if the pager fails; empty once the pager has read enough to prove that it works.
    private var kept = ""
    private static let keptLength = 1 << 20

    /// Output for `terminal`; plain if it is not a terminal.
    public init(_ output: Writer, through pager: Pager?, on terminal: Terminal) {
        self.output = output
        self.pager = pager
        self.terminal = terminal
        isPlain = pager == nil || !terminal.output.isTerminal || !terminal.isCapable
    }

    deinit { try? finish() }

    /// Writes text.
    ///
    /// - Throws: `WriteError`; `closed` if the person has left the pager.
    public func write(_ text: String) throws(WriteError) {
        if isPlain { return try output.write(text) }
        if kept.utf8.count <= Self.keptLength { kept += text }
        if let running { return try write(text, to: running) }
        guard kept.rowCount(width: terminal.width) >= terminal.height else { return }
        try output.flush()
        running = pager?.start()
        if let running { try write(kept, to: running) } else { try writePlainly() }
    }

    /// Writes what is left, and waits until the person leaves the pager.
    public func finish() throws(WriteError) {
        if let running {
            self.running = nil
            if !running.end() { try writePlainly() }
        } else if !isPlain {
            try writePlainly()
        }
        try output.flush()
    }

    private func write(_ text: String, to running: RunningPager) throws(WriteError) {
        do {
            try running.writer.write(text)
            try running.writer.flush()
        } catch {
            self.running = nil
            // It has ended: the person has seen enough, or it cannot run.
            if running.end() || kept.utf8.count > Self.keptLength { throw .closed }
            try writePlainly()
        }
    }

    private func writePlainly() throws(WriteError) {
        isPlain = true
        try output.write(kept)
        kept = ""
    }
}

extension String {
    /// How many rows of a terminal the text takes. Control sequences count as columns, which at worst starts a pager early.
    fileprivate func rowCount(width: Int) -> Int {
        // Rows, not lines: a line of code may run over several.
        split(separator: "\n", omittingEmptySubsequences: false).reduce(-1) {
            $0 + max(1, ($1.utf8.count + width - 1) / width)
        }
    }
}

extension Writer {
    /// Writes the text through a pager where `terminal` is one that it does not fit on, else plainly.
    public func write(_ text: String, through pager: Pager?, on terminal: Terminal) throws(WriteError) {
        let rows = text.rowCount(width: terminal.width)
        try flush()
        if terminal.output.isTerminal, terminal.isCapable, rows >= terminal.height, pager?.show(text) == true { return }
        try write(text)
        try flush()
    }
}

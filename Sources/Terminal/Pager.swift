import CPlatform
import Platform

/// A program that shows long text page by page.
package struct Pager: Hashable, Sendable {
    /// The program and its arguments.
    package let arguments: [String]
    /// The environment of the program, as `NAME=value`.
    package let environment: [String]

    /// Creates the pager that the first set variable of `names` specifies, or `less -FRX` if none is set; nil if the
    /// value is empty or `cat`.
    ///
    /// As in git, a command that requires a shell is run by one, and `LESS=FRX` and `LV=-c` are set unless they exist
    /// already.
    ///
    /// - Parameters:
    ///   - names: the variables, in order of precedence.
    ///   - environment: returns the value of a variable.
    ///   - variables: the environment of the program, from `inheritedVariables(except:)`.
    package init?(named names: [String] = ["PAGER"], environment: (String) -> String?, inheriting variables: [String]) {
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

    /// Creates a pager from a command, which gets the text as its input and uses the terminal.
    package init(_ arguments: [String], environment: [String]) {
        self.arguments = arguments
        self.environment = environment
    }

    /// Shows the text in the pager. If the user leaves the pager early, that counts as success. Returns false if the
    /// pager cannot be started or fails, so that the caller can print the text directly.
    package func show(_ text: String) -> Bool {
        guard let running = start() else { return false }
        // An error means that the user has left the pager and does not want the rest.
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

/// A running pager that reads the text written to it.
private struct RunningPager {
    let writer: Writer
    let child: pid_t

    /// Waits until the user leaves the pager.
    ///
    /// - Returns: whether the pager ended without an error.
    func end() -> Bool {
        close(writer.descriptor)
        return platform_wait(child) == 0
    }
}

/// Output that switches to a pager as soon as the text exceeds the terminal, even if more text is still being produced.
package final class PagedOutput {
    private let output: Writer
    private let pager: Pager?
    private let terminal: Terminal
    private var running: RunningPager?
    private var isPlain: Bool
    /// The text so far, which is printed if the pager fails. It is emptied once the pager has read enough to prove that
    /// it works.
    private var kept = ""
    private static let keptLength = 1 << 20

    /// Creates output for a terminal, or direct output if `terminal` is not one.
    package init(_ output: Writer, through pager: Pager?, on terminal: Terminal) {
        self.output = output
        self.pager = pager
        self.terminal = terminal
        isPlain = pager == nil || !terminal.output.isTerminal || !terminal.isCapable
    }

    deinit { try? finish() }

    /// Writes text.
    ///
    /// - Throws: `WriteError`, which is `closed` if the user has left the pager.
    package func write(_ text: String) throws(WriteError) {
        if isPlain { return try output.write(text) }
        if kept.utf8.count <= Self.keptLength { kept += text }
        if let running { return try write(text, to: running) }
        guard kept.rowCount(width: terminal.width) >= terminal.height else { return }
        try output.flush()
        running = pager?.start()
        if let running { try write(kept, to: running) } else { try writePlainly() }
    }

    /// Writes the rest, and waits until the user leaves the pager.
    package func finish() throws(WriteError) {
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
            // The pager has ended: the user has left it, or it cannot run.
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
    /// Returns the number of terminal rows of the text. Control sequences count as columns, so a pager may start
    /// slightly too early.
    fileprivate func rowCount(width: Int) -> Int {
        // Count rows instead of lines, because a long line of code has several rows.
        split(separator: "\n", omittingEmptySubsequences: false).reduce(-1) {
            $0 + max(1, ($1.utf8.count + width - 1) / width)
        }
    }
}

extension Writer {
    /// Writes the text through a pager if it does not fit on the terminal, else directly.
    package func write(_ text: String, through pager: Pager?, on terminal: Terminal) throws(WriteError) {
        let rows = text.rowCount(width: terminal.width)
        try flush()
        if terminal.output.isTerminal, terminal.isCapable, rows >= terminal.height, pager?.show(text) == true { return }
        try write(text)
        try flush()
    }
}

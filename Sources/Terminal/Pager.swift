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
    ///   - variables: What it inherits, as `inheritedVariables(except:)` has it.
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
        var input: Int32 = -1
        guard let child = startProgram(arguments, environment: environment, input: &input) else { return false }
        let writer = Writer(descriptor: input, name: "the pager")
        // What a pager does not read, a person does not want.
        try? writer.write(text)
        try? writer.flush()
        close(input)
        return platform_wait(child) == 0
    }
}

extension Writer {
    /// Writes the text through a pager where `terminal` is one that it does not fit on, else plainly.
    public func write(_ text: String, through pager: Pager?, on terminal: Terminal) throws(WriteError) {
        // Screen rows, not lines: a code line may run over several. Control sequences count as columns, which at worst starts a pager early.
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false).reduce(-1) {
            $0 + max(1, ($1.utf8.count + terminal.width - 1) / terminal.width)
        }
        try flush()
        if terminal.output.isTerminal, terminal.isCapable, rows >= terminal.height, pager?.show(text) == true { return }
        try write(text)
        try flush()
    }
}

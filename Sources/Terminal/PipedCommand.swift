import CPlatform
import Platform

/// A command that the user types, which gets a text as its input.
public struct PipedCommand: Hashable, Sendable {
    private let command: String
    private let variables: [String]

    /// Creates a command. It is run by a shell if necessary.
    ///
    /// - Parameters:
    ///   - command: the command as the user typed it.
    ///   - variables: the environment of the program, from ``inheritedVariables(except:)``.
    public init(_ command: String, inheriting variables: [String]) {
        self.command = command
        self.variables = variables
    }

    /// Runs the command with `text` as its input, and waits for its end. The command need not read the whole text.
    ///
    /// - Returns: its exit status, or 128 plus the number of the signal that ended it; nil if it could not be started.
    public func run(with text: String) -> Int? {
        var input: Int32 = -1
        guard let child = startProgram(commandLine(command), environment: variables, input: &input) else { return nil }
        let writer = Writer(descriptor: input, name: "the command")
        try? writer.write(text)
        try? writer.flush()
        close(input)
        return Int(platform_wait(child))
    }
}

import CPlatform
import Platform

/// A command that a person types and that reads a text.
public struct PipedCommand: Hashable, Sendable {
    private let command: String
    private let variables: [String]

    /// A command, for the shell where it needs one.
    ///
    /// - Parameters:
    ///   - command: As it was typed.
    ///   - variables: The environment of the program, from ``inheritedVariables(except:)``.
    public init(_ command: String, inheriting variables: [String]) {
        self.command = command
        self.variables = variables
    }

    /// Runs the command with `text` as its input, and waits for its end. The command need not read all of the text.
    ///
    /// - Returns: its exit status, 128 and the number of the signal that ended it; nil where it could not be started.
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

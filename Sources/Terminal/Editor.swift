import CPlatform

/// A program in which a person changes a file.
public struct Editor: Hashable, Sendable {
    private let command: String
    private let variables: [String]

    /// The editor that `VISUAL` names, else `EDITOR`, else `vi`; nil where only `vi` is left and the terminal cannot show it.
    ///
    /// As in git, `VISUAL` is for terminals that can move their cursor, an empty value is none, and one that needs a shell is
    /// given to one, with the file as `"$@"` after it.
    ///
    /// - Parameters:
    ///   - environment: The value of a variable.
    ///   - variables: What it inherits, as ``inheritedVariables(except:)`` has it.
    ///   - terminal: What it is shown on.
    public init?(environment: (String) -> String?, inheriting variables: [String], on terminal: Terminal) {
        let names = terminal.isCapable ? ["VISUAL", "EDITOR"] : ["EDITOR"]
        let named = names.lazy.compactMap(environment).first { !$0.isEmpty }
        guard named != nil || terminal.isCapable && terminal.input.isTerminal && terminal.output.isTerminal else {
            return nil
        }
        command = named ?? "vi"
        self.variables = variables
    }

    /// What it is called.
    public var name: String { command }

    /// Lets a person change the file at a path.
    /// - Returns: whether the editor could be started and ended well.
    public func edit(_ path: String) -> Bool {
        guard let child = startProgram(commandLine(command, [path]), environment: variables) else { return false }
        return platform_wait(child) == 0
    }
}

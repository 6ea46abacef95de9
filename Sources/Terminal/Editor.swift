import CPlatform

/// A program in which the user edits a file.
public struct Editor: Hashable, Sendable {
    private let command: String
    private let variables: [String]

    /// Creates the editor from the environment variable `VISUAL`, else `EDITOR`, else `vi`; nil if only `vi` remains
    /// and the terminal cannot show it.
    ///
    /// As in git, `VISUAL` is only for terminals that can move their cursor, and an empty value is ignored. A command
    /// that requires a shell is run by one, with the file as `"$@"` after it.
    ///
    /// - Parameters:
    ///   - environment: returns the value of a variable.
    ///   - variables: the environment of the program, from ``inheritedVariables(except:)``.
    ///   - terminal: the terminal on which the editor runs.
    public init?(environment: (String) -> String?, inheriting variables: [String], on terminal: Terminal) {
        let names = terminal.isCapable ? ["VISUAL", "EDITOR"] : ["EDITOR"]
        let named = names.lazy.compactMap(environment).first { !$0.isEmpty }
        guard named != nil || terminal.isCapable && terminal.input.isTerminal && terminal.output.isTerminal else {
            return nil
        }
        command = named ?? "vi"
        self.variables = variables
    }

    /// The name of the program.
    public var name: String { command }

    /// Lets the user edit a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - line: the line to start at, from 1. Editors without such an option ignore it.
    /// - Returns: the exit status of the editor, or 128 plus the number of the signal that ended it; nil if it could
    ///   not be started.
    public func edit(_ path: String, at line: Int? = nil) -> Int? {
        let place = takesLine ? line.map { ["+\($0)"] } ?? [] : []
        guard let child = startProgram(commandLine(command, place + [path]), environment: variables) else { return nil }
        let status = Int(platform_wait(child))
        // A command of several words runs in a shell, which reports a missing program with these codes.
        return [126, 127].contains(status) && commandLine(command).count > 1 ? nil : status
    }

    /// Whether the program accepts a line such as `+12` before the file name, like vi.
    private var takesLine: Bool {
        let program = command.prefix { $0 != " " }.split(separator: "/").last ?? ""
        return [
            "vi", "vim", "nvim", "gvim", "nano", "pico", "emacs", "emacsclient", "mg", "joe", "micro", "kak",
        ].contains(program)
    }
}

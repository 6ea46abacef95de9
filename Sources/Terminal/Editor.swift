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
    ///   - variables: The environment of the program, from ``inheritedVariables(except:)``.
    ///   - terminal: The terminal that shows it.
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

    /// Lets a person change the file at a path.
    /// - Parameters:
    ///   - path: The file.
    ///   - line: The line to begin in, from 1, where the editor is one that can be told.
    /// - Returns: the exit status of the editor, 128 and the number of the signal that ended it; nil where it could not be
    ///   started.
    public func edit(_ path: String, at line: Int? = nil) -> Int? {
        let place = takesLine ? line.map { ["+\($0)"] } ?? [] : []
        guard let child = startProgram(commandLine(command, place + [path]), environment: variables) else { return nil }
        let status = Int(platform_wait(child))
        // A command of several words runs in a shell, which reports a missing program with these codes.
        return [126, 127].contains(status) && commandLine(command).count > 1 ? nil : status
    }

    /// Whether `+12` before the name of a file means its line, as it does since vi.
    private var takesLine: Bool {
        let program = command.prefix { $0 != " " }.split(separator: "/").last ?? ""
        return [
            "vi", "vim", "nvim", "gvim", "nano", "pico", "emacs", "emacsclient", "mg", "joe", "micro", "kak",
        ].contains(program)
    }
}

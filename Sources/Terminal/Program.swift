import CPlatform
import Platform
import Text

/// Starts a program that shares this process's output, errors, and input. If `input` is given, the input is a pipe
/// instead, and its other end is stored there.
///
/// - Returns: the process to wait for; nil if it cannot be started.
func startProgram(
    _ arguments: [String], environment: [String], input: UnsafeMutablePointer<Int32>? = nil
) -> pid_t? {
    var child: pid_t = 0
    let failure = withCStrings(arguments) { arguments in
        withCStrings(environment) { environment in platform_start(arguments, environment, &child, input) }
    }
    return failure == 0 ? child : nil
}

/// Starts a program in a session of its own, without input, output, and errors.
///
/// - Parameter ended: called on a separate thread with the exit status, or 128 plus the number of the signal that ended
///   it.
/// - Returns: whether it was started.
func startProgramApart(
    _ arguments: [String], environment: [String], ended: @escaping @Sendable (Int32) -> Void
) -> Bool {
    let end = Unmanaged.passRetained(ProgramEnd(ended))
    let failure = withCStrings(arguments) { arguments in
        withCStrings(environment) { environment in
            platform_start_apart(arguments, environment, end.toOpaque()) { end, status in
                guard let end else { return }
                Unmanaged<ProgramEnd>.fromOpaque(end).takeRetainedValue().tell(status)
            }
        }
    }
    if failure != 0 { end.release() }
    return failure == 0
}

/// The function to call when a program ends.
private final class ProgramEnd: Sendable {
    let tell: @Sendable (Int32) -> Void

    init(_ tell: @escaping @Sendable (Int32) -> Void) { self.tell = tell }
}

/// Returns the command line for a command from an environment variable, with further arguments. As in git, a command
/// that requires a shell (because of spaces, quotes, or variables) is run with `/bin/sh -c`, others directly.
func commandLine(_ command: String, _ arguments: [String] = []) -> [String] {
    guard command.contains(where: { "|&;<>()$`\\\"' \t\n*?[#~=%".contains($0) }) else { return [command] + arguments }
    return ["/bin/sh", "-c", command + (arguments.isEmpty ? "" : " \"$@\"")]
        + (arguments.isEmpty ? [] : [command] + arguments)
}

/// Returns the environment of this process as `NAME=value` for a child process, without secrets such as a session
/// token.
package func inheritedVariables(except secrets: [String]) -> [String] {
    var variables: [String] = []
    var next = environ
    while let variable = next.pointee {
        variables.append(String(cString: variable))
        next += 1
    }
    return variables.filter { variable in !secrets.contains { variable.hasPrefix($0 + "=") } }
}

/// Calls `body` with the strings as a null-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer {
        for pointer in pointers { free(pointer) }
    }
    return pointers.withUnsafeMutableBufferPointer { buffer in
        // The address exists, because the array contains at least the null pointer.
        body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
    }
}

/// A command that the user types, which gets a text as its input.
package struct PipedCommand: Hashable, Sendable {
    private let command: String
    private let variables: [String]

    /// Creates a command. It is run by a shell if necessary.
    ///
    /// - Parameters:
    ///   - command: the command as the user typed it.
    ///   - variables: the environment of the program, from ``inheritedVariables(except:)``.
    package init(_ command: String, inheriting variables: [String]) {
        self.command = command
        self.variables = variables
    }

    /// Runs the command with `text` as its input, and waits for its end. The command need not read the whole text.
    ///
    /// - Returns: its exit status, or 128 plus the number of the signal that ended it; nil if it could not be started.
    package func run(with text: String) -> Int? {
        var input: Int32 = -1
        guard let child = startProgram(commandLine(command), environment: variables, input: &input) else { return nil }
        let writer = Writer(descriptor: input, name: "the command")
        try? writer.write(text)
        try? writer.flush()
        close(input)
        return Int(platform_wait(child))
    }
}

/// A program that opens addresses.
package struct Browser: Hashable, Sendable {
    /// The program and its arguments. The address replaces `%s`, or is the last argument.
    private let arguments: [String]
    private let variables: [String]
    /// Whether the browser runs in the terminal and blocks it. Other browsers run separately, and the program does not
    /// wait for them.
    ///
    /// A terminal browser is recognized by its name. Without a desktop, every program counts as one.
    package let needsTerminal: Bool

    private static let forTerminals: Set = [
        "w3m", "lynx", "links", "links2", "elinks", "www-browser", "browsh", "carbonyl", "cha", "chawan", "edbrowse",
        "offpunk", "felinks", "retawq", "netrik",
    ]

    /// Creates the browser from the environment variable `BROWSER`. Its value is a list of programs separated by
    /// colons, of which the first is used, with `%s` for the address, as in xdg-open(1) and Python's webbrowser.
    /// Without it, the desktop's browser is used; nil without a desktop. The program is started without a shell.
    package init?(environment: (String) -> String?, inheriting variables: [String]) {
        self.variables = variables
        let hasDesktop = environment("DISPLAY") != nil || environment("WAYLAND_DISPLAY") != nil
        let named = environment("BROWSER")?.split(separator: ":").first ?? ""
        if !named.isEmpty {
            arguments = named.split(separator: " ").map(String.init)
        } else if hasDesktop {
            arguments = ["xdg-open"]
        } else {
            return nil
        }
        guard let program = arguments.first?.split(separator: "/").last else { return nil }
        needsTerminal = !hasDesktop || Self.forTerminals.contains(String(program))
    }

    /// The name of the program.
    package var name: String { arguments.first ?? "" }

    /// Whether a link is a web address or an e-mail address. Other links are never passed to a program, because the
    /// author of an article controls them.
    package static func isForBrowser(_ link: String) -> Bool {
        let scheme = link.prefix { $0 != ":" }.lowercased()
        return ["http", "https", "mailto"].contains(scheme) && scheme.utf8.count < link.utf8.count
    }

    /// Returns a link as a URI for programs (RFC 3986, section 2): invalid characters are encoded as UTF-8, and so is a
    /// `%` that does not begin an escape.
    static func address(of link: String) -> String {
        let bytes = Array(link.utf8)
        func isDigit(_ index: Int) -> Bool {
            bytes.indices.contains(index) && "0123456789ABCDEFabcdef".utf8.contains(bytes[index])
        }
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: result.append(byte)
            case _ where "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte): result.append(byte)
            case UInt8(ascii: "%") where isDigit(index + 1) && isDigit(index + 2): result.append(byte)
            default: result.appendPercentEncoded(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Opens the address, and returns whether the program succeeded.
    package func open(_ link: String) -> Bool {
        guard let command = command(for: link), let child = startProgram(command, environment: variables) else {
            return false
        }
        return platform_wait(child) == 0
    }

    /// Opens the address in a separate program, which neither uses the terminal nor receives its signals.
    ///
    /// - Parameters:
    ///   - link: the link as in the document.
    ///   - ended: called on another thread when the program ends, with whether it succeeded.
    /// - Returns: whether the program was started.
    package func start(_ link: String, ended: @escaping @Sendable (Bool) -> Void) -> Bool {
        guard let command = command(for: link) else { return false }
        return startProgramApart(command, environment: variables) { ended($0 == 0) }
    }

    /// Returns the program with its arguments; nil if the link must not be passed to a program.
    private func command(for link: String) -> [String]? {
        guard Self.isForBrowser(link) else { return nil }
        let link = Self.address(of: link)
        let isPlaced = arguments.contains { $0.contains("%s") }
        let command = arguments.map {
            $0.split(separator: "%s", omittingEmptySubsequences: false).joined(separator: link)
        }
        return command + (isPlaced ? [] : [link])
    }
}

/// A program in which the user edits a file.
package struct Editor: Hashable, Sendable {
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
    package init?(environment: (String) -> String?, inheriting variables: [String], on terminal: Terminal) {
        let names = terminal.isCapable ? ["VISUAL", "EDITOR"] : ["EDITOR"]
        let named = names.lazy.compactMap(environment).first { !$0.isEmpty }
        guard named != nil || terminal.isCapable && terminal.input.isTerminal && terminal.output.isTerminal else {
            return nil
        }
        command = named ?? "vi"
        self.variables = variables
    }

    /// The name of the program.
    package var name: String { command }

    /// Lets the user edit a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - line: the line to start at, from 1. Editors without such an option ignore it.
    /// - Returns: the exit status of the editor, or 128 plus the number of the signal that ended it; nil if it could
    ///   not be started.
    package func edit(_ path: String, at line: Int? = nil) -> Int? {
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

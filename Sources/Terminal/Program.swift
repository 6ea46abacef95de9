import CPlatform
import Platform

/// Starts a program with this process's output and errors, and its input, or a pipe whose other end is put into `input`.
///
/// - Returns: the process to wait for; nil where it cannot be started.
func startProgram(
    _ arguments: [String], environment: [String], input: UnsafeMutablePointer<Int32>? = nil
) -> pid_t? {
    var child: pid_t = 0
    let failure = withCStrings(arguments) { arguments in
        withCStrings(environment) { environment in platform_start(arguments, environment, &child, input) }
    }
    return failure == 0 ? child : nil
}

/// Starts a program in a session of its own, its input, output and errors being nothing.
///
/// - Parameter ended: called on a thread of its own with the exit status, or 128 and the number of the signal that ended it.
/// - Returns: whether it could be started.
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

/// How to start a command that a variable of the environment names, with what comes after it: as in git, one that needs a
/// shell (spaces, quotes, variables) by `/bin/sh -c`, any other directly.
func commandLine(_ command: String, _ arguments: [String] = []) -> [String] {
    guard command.contains(where: { "|&;<>()$`\\\"' \t\n*?[#~=%".contains($0) }) else { return [command] + arguments }
    return ["/bin/sh", "-c", command + (arguments.isEmpty ? "" : " \"$@\"")]
        + (arguments.isEmpty ? [] : [command] + arguments)
}

/// Returns the environment of this process as `NAME=value`, for a program that it starts, without secrets
/// such as the token of a session.
public func inheritedVariables(except secrets: [String]) -> [String] {
    var variables: [String] = []
    var next = environ
    while let variable = next.pointee {
        variables.append(String(cString: variable))
        next += 1
    }
    return variables.filter { variable in !secrets.contains { variable.hasPrefix($0 + "=") } }
}

/// Calls `body` with the strings as C wants them: a list of pointers that ends with a null pointer.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer {
        for pointer in pointers { free(pointer) }
    }
    return pointers.withUnsafeMutableBufferPointer { buffer in
        // Never nil: there is at least the null pointer at the end.
        body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
    }
}

import CPlatform
import Platform

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
public func inheritedVariables(except secrets: [String]) -> [String] {
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

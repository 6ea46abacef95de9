import Arguments
import Platform
import Terminal
import Text

/// The program. It parses the command line, runs the command, and prints errors.
@main
struct Articlesctl {
    static func main() async {
        ignoreWriteSignals()
        hideMemory()
        explainBusErrors(
            "articlesctl: a file was truncated while in use, such as the index of the log (-shm); reported changes are saved\n"
        )
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        let program = Articlesctl(
            output: .standardOutput(), error: .standardError(), environment: environment)
        exit(await program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    let output: Writer
    let error: Writer
    let environment: (String) -> String?

    func run(_ arguments: [String]) async -> ExitCode {
        do {
            try await dispatch(arguments)
            try output.flush()
            return .success
        } catch WriteError.closed {
            // The reader of the pipe has closed it, as in `articlesctl list | head -1`.
            return .success
        } catch {
            // Print the output that was written before the failure.
            try? output.flush()
            let options = arguments.prefix { $0 != "--" }
            return report(CommandError(error), asJSON: options.contains { $0 == "--json" || $0.hasPrefix("--json=") })
        }
    }

    private func dispatch(_ arguments: [String]) async throws {
        switch try CommandTable.parse(arguments) {
        case .help(let path):
            guard let page = HelpPage(of: CommandTable.root, path: path) else { return }
            try HelpCommand.write(page, to: output, on: Terminal.standard(environment: environment))
        case .version(let parsed):
            let context = try Context(parsed, output: output, error: error, environment: environment)
            try await VersionCommand(parsed).run(in: context)
        case .run(var parsed):
            let context = try Context(parsed, output: output, error: error, environment: environment)
            defer { context.close() }
            parsed.now = context.clock()
            guard let name = parsed.path.first else { return try await read(parsed, in: context) }
            guard let command = CommandTable.command(named: name) else { throw parsed.error(.missingCommand) }
            try await command.init(parsed).run(in: context)
        }
    }

    /// Runs without a command: the full-screen session in a terminal, otherwise the help.
    private func read(_ parsed: ParsedCommand, in context: Context) async throws {
        guard !context.json else { throw parsed.error(.missingCommand) }
        if context.terminal.isForReading { return try await context.read(at: nil) }
        if let page = HelpPage(of: CommandTable.root, path: []) {
            try HelpCommand.write(page, to: error, on: context.terminal)
        }
        throw CommandError("no command was given, and there is no terminal for the reader", code: .usage)
    }

    private func report(_ failure: CommandError, asJSON: Bool) -> ExitCode {
        if asJSON {
            let object: JSON = [
                "error": [
                    "code": JSON(failure.code.rawValue), "message": .string(failure.message),
                    "hint": JSON(failure.hint),
                ]
            ]
            try? error.writeLine(object.description)
        } else {
            try? error.writeLine("articlesctl: \(failure.message.sanitized(keeping: [.newline]))")
            if let hint = failure.hint { try? error.writeLine(hint.sanitized(keeping: [.newline])) }
        }
        try? error.flush()
        return failure.code
    }
}

/// Runs each job immediately on the thread that enqueues it, for a command that performs one step after the other.
///
/// It does not start threads or open files. Swift's own thread pool waits forever if it cannot start a thread, and ends
/// the process if it cannot open a file.
final class CallingThread: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}

import Arguments
import Text
import HTTPServer
import Platform
import Terminal

/// The program. It parses the command line, runs the server, and prints errors.
@main
struct Articlesd {
    static func main() async {
        ignoreWriteSignals()
        hideMemory()
        keepFreedMemory()
        explainBusErrors("articlesd: a file was truncated while in use; reported changes are saved\n")
        let output = Writer.standardOutput()
        do {
            try await run(Array(CommandLine.arguments.dropFirst()), output: output)
            try output.flush()
            exit(ExitCode.success.rawValue)
        } catch {
            let failure = ServerError(error)
            let writer = Writer.standardError()
            try? writer.writeLine("articlesd: \(failure.message.sanitized(keeping: [.newline]))")
            if let hint = failure.hint { try? writer.writeLine(hint.sanitized(keeping: [.newline])) }
            try? writer.flush()
            exit(failure.code.rawValue)
        }
    }

    private static func run(_ arguments: [String], output: Writer) async throws {
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        switch try ServerTable.spec.parse(arguments) {
        case .help(let path):
            guard let page = HelpPage(of: ServerTable.spec, path: path) else { return }
            let terminal = Terminal.standard(environment: environment)
            try output.write(page.text(width: terminal.width).rendered(isColored: terminal.output.isColored))
        case .version: try output.writeLine(ProgramVersion.number)
        case .run(let parsed) where parsed.path == ["man"]:
            try output.write(
                ManualPage(
                    root: ServerTable.spec, version: ProgramVersion.number, date: ProgramVersion.date,
                    section: .administration
                ).roff)
        case .run(let parsed) where parsed.path == ["completions"]:
            guard let shell = parsed.argument("SHELL").flatMap(Shell.init) else {
                throw parsed.error(.missingArguments(["SHELL"]))
            }
            try output.write(ServerTable.spec.completions(for: shell))
        case .run(let parsed):
            let manager = ServiceManager(environment: ProcessInfo.processInfo.environment)
            let options = try ServerOptions(
                parsed, sockets: manager.sockets(processID: getpid()), environment: environment)
            try await Server(options, manager: manager).serve()
        }
    }
}

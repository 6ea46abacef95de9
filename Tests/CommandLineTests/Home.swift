import Foundation
import TestSupport
import Testing

/// A person's home on a machine of their own: a temporary folder that goes with the value.
final class Home: Sendable {
    /// A password that is strong, and one that is another. Neither may ever be written by the program.
    static let password = "plum-harbour Tuesday 48"
    static let otherPassword = "velvet Ostrich; thirteen anchors"

    /// A few programs at a time: hashing a password takes 64 MiB, and every test of this suite runs at once.
    private static let turnstile = Turnstile(width: 4)

    private let temporary: TemporaryFolder
    /// The token that the environment gives, where it gives one.
    let token: String?

    init(token: String? = nil) throws {
        self.token = token
        temporary = try TemporaryFolder()
    }

    var folder: URL { URL(fileURLWithPath: temporary.path) }

    /// A path in the home.
    func path(_ name: String) -> String { temporary.file(name) }

    /// Where the database is when nobody says otherwise.
    var database: String { path("data/articlesctl/articles.db") }

    var environment: [String: String] {
        var variables = [
            "HOME": folder.path, "PATH": Program.path, "LANG": "C.UTF-8", "XDG_DATA_HOME": path("data"),
            "XDG_STATE_HOME": path("state"),
        ]
        variables["ARTICLESCTL_TOKEN"] = token
        // Where coverage is counted, runs of the program count too.
        variables["LLVM_PROFILE_FILE"] = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] ?? "/dev/null"
        return variables
    }

    /// Runs articlesctl, and checks what must hold however it is called.
    ///
    /// - Parameters:
    ///   - input: What it reads, made when its turn has come: what is valid for half a minute may have to wait longer.
    ///   - variables: of the environment, added to those of the home.
    @discardableResult
    func run(
        _ arguments: String..., input: @autoclosure () -> String? = nil, environment variables: [String: String] = [:],
        location: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        try await run(arguments, input: input().map { Data($0.utf8) }, environment: variables, location: location)
    }

    @discardableResult
    func run(
        program name: String = "articlesctl", _ arguments: [String], input: @autoclosure () -> Data? = nil,
        environment variables: [String: String] = [:], location: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let program = try #require(Program.built(name), "\(name) is not built", sourceLocation: location)
        return try await execute(program, arguments, input: input(), environment: variables, location: location)
    }

    /// Runs a script of the shell, in which `articlesctl` is the program.
    @discardableResult
    func shell(
        _ script: String, _ arguments: String..., environment variables: [String: String] = [:],
        location: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        try await shell(script, arguments, environment: variables, location: location)
    }

    /// As above, with arguments that are made when its turn has come.
    @discardableResult
    func shell(
        _ script: String, _ arguments: @autoclosure () -> [String], environment variables: [String: String] = [:],
        location: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let program = try #require(Program.articlesctl, "articlesctl is not built", sourceLocation: location)
        var variables = variables
        variables["PATH"] = program.deletingLastPathComponent().path + ":" + Program.path
        return try await execute(
            URL(fileURLWithPath: "/bin/sh"), ["-c", script, "sh"] + arguments(), environment: variables,
            location: location)
    }

    /// Runs SQL in sqlite3, and returns what it writes.
    @discardableResult
    func sql(
        _ sql: String, on database: String? = nil, options: [String] = [], location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let program = try #require(Program.find("sqlite3"), "sqlite3 is not installed", sourceLocation: location)
        let outcome = try await execute(program, options + [database ?? self.database, sql], location: location)
        try #require(outcome.status == 0, "\(outcome.error)", sourceLocation: location)
        return outcome.lines.joined(separator: "\n")
    }

    /// Puts a file into the home, and returns its path.
    @discardableResult
    func write(_ name: String, _ content: String) throws -> String { try temporary.write(name, content) }

    @discardableResult
    func write(_ name: String, _ content: Data) throws -> String { try temporary.write(name, content) }

    /// The files that hold the tokens of sessions.
    var tokenFiles: [String] { stateFiles("session-") }

    /// The files by which this machine is known.
    var deviceFiles: [String] { stateFiles("device-") }

    private func stateFiles(_ prefix: String) -> [String] {
        let folder = path("state/articlesctl")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.sorted().map { folder + "/" + $0 }
    }

    /// The file that holds the token of the one session there is.
    func tokenFile() throws -> String {
        #expect(tokenFiles.count == 1)
        return try #require(tokenFiles.first)
    }

    private func execute(
        _ executable: URL, _ arguments: @autoclosure () -> [String], input: @autoclosure () -> Data? = nil,
        environment variables: [String: String] = [:], location: SourceLocation
    ) async throws -> Outcome {
        let outcome = try await Self.turnstile.pass {
            let program = Program(
                executable: executable, arguments: arguments(),
                environment: environment.merging(variables) { $1 }, folder: folder, input: input())
            return try await program.run()
        }
        for secret in secrets where !secret.isEmpty {
            #expect(!outcome.output.contains(secret), "a secret on standard output", sourceLocation: location)
            #expect(!outcome.error.contains(secret), "a secret on standard error", sourceLocation: location)
        }
        return outcome
    }

    private var secrets: [String] {
        let tokens = tokenFiles.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) } + [token ?? ""]
        // Of a token the first half is the id of the session, which is no secret.
        let devices = deviceFiles.compactMap { try? String(contentsOfFile: $0, encoding: .utf8).dropLast() }
        return [Self.password, Self.otherPassword] + devices.map(String.init)
            + tokens.compactMap { $0.split(whereSeparator: ".\n".contains).dropFirst().first.map(String.init) }
    }
}

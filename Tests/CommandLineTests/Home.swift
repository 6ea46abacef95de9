import Foundation
import TestSupport
import Testing

/// The home of a user on a machine: a temporary folder that is removed with the value.
final class Home: Sendable {
    /// Two strong passwords. The program must never write them.
    static let password = "plum-harbour Tuesday 48"
    static let otherPassword = "velvet Ostrich; thirteen anchors"

    /// Runs a few programs at a time: hashing a password takes 64 MiB, and every test of this suite runs at once.
    private static let turnstile = Turnstile(width: 4)

    private let temporary: TemporaryFolder
    /// The token in the environment, if there is one.
    let token: String?

    init(token: String? = nil) throws {
        self.token = token
        temporary = try TemporaryFolder()
    }

    var folder: URL { URL(fileURLWithPath: temporary.path) }

    /// Returns a path in the home.
    func path(_ name: String) -> String { temporary.file(name) }

    /// The default path of the database.
    var database: String { path("data/articlesctl/articles.db") }

    var environment: [String: String] {
        var variables = [
            "HOME": folder.path, "PATH": Program.path, "LANG": "C.UTF-8", "XDG_DATA_HOME": path("data"),
            "XDG_STATE_HOME": path("state"),
        ]
        variables["ARTICLESCTL_TOKEN"] = token
        // When coverage is measured, runs of the program count too.
        variables["LLVM_PROFILE_FILE"] = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] ?? "/dev/null"
        return variables
    }

    /// Runs articlesctl, and checks the rules for every command.
    ///
    /// - Parameters:
    ///   - input: The standard input, made just before the run: a code is valid for half a minute, and the test may
    ///     wait longer.
    ///   - variables: Added to the environment of the home.
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

    /// Runs a shell script in which `articlesctl` is the program.
    @discardableResult
    func shell(
        _ script: String, _ arguments: String..., environment variables: [String: String] = [:],
        location: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        try await shell(script, arguments, environment: variables, location: location)
    }

    /// Runs articlesctl with arguments that are made just before the run.
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

    /// Runs SQL in sqlite3, and returns its output.
    @discardableResult
    func sql(
        _ sql: String, on database: String? = nil, options: [String] = [], location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let program = try #require(Program.find("sqlite3"), "sqlite3 is not installed", sourceLocation: location)
        let outcome = try await execute(program, options + [database ?? self.database, sql], location: location)
        try #require(outcome.status == 0, "\(outcome.error)", sourceLocation: location)
        return outcome.lines.joined(separator: "\n")
    }

    /// Writes a file into the home, and returns its path.
    @discardableResult
    func write(_ name: String, _ content: String) throws -> String { try temporary.write(name, content) }

    @discardableResult
    func write(_ name: String, _ content: Data) throws -> String { try temporary.write(name, content) }

    /// The files of the sessions' tokens.
    var tokenFiles: [String] { stateFiles("session-") }

    /// The files of this machine's device secrets.
    var deviceFiles: [String] { stateFiles("device-") }

    private func stateFiles(_ prefix: String) -> [String] {
        let folder = path("state/articlesctl")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.sorted().map { folder + "/" + $0 }
    }

    /// The token file of the only session.
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
        // The first half of a token is the ID of the session, which is public.
        let devices = deviceFiles.compactMap { try? String(contentsOfFile: $0, encoding: .utf8).dropLast() }
        return [Self.password, Self.otherPassword] + devices.map(String.init)
            + tokens.compactMap { $0.split(whereSeparator: ".\n".contains).dropFirst().first.map(String.init) }
    }
}

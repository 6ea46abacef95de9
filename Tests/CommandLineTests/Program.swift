import Foundation
import TestSupport

/// A program that a test runs, without blocking a thread during the wait.
///
/// The output goes into files: a pipe that nobody reads would stop the program.
struct Program {
    let executable: URL
    var arguments: [String] = []
    var environment: [String: String] = [:]
    var folder: URL
    var input: Data?

    /// The folders of the system's programs.
    static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"

    /// Returns the path of a system program, or nil if it is not installed.
    static func find(_ name: String) -> URL? {
        path.split(separator: ":").lazy.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// The program that this suite tests.
    static let articlesctl = built("articlesctl")

    /// A program of this package: in the folder `TEST_PROGRAMS`, if that is set, such as for a release build; else beside
    /// the test bundle.
    static func built(_ name: String) -> URL? {
        if let folder = ProcessInfo.processInfo.environment["TEST_PROGRAMS"] {
            return URL(fileURLWithPath: folder).appendingPathComponent(name)
        }
        return builtProgram(name)
    }

    func run() async throws -> Outcome {
        let name = UUID().uuidString
        let files = ["in", "out", "err"].map { folder.appendingPathComponent(".\(name).\($0)") }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        for file in files { try (file == files[0] ? input ?? Data() : Data()).write(to: file) }

        let process = try ChildProcess(
            // POSIX cannot start a program in another folder. A run takes no minutes, unless it waits
            // forever.
            ["/bin/sh", "-c", #"cd "$0" && exec timeout -k 1 120 "$@""#, folder.path, executable.path] + arguments,
            environment: environment.map { "\($0)=\($1)" }, streams: files.map { .file($0.path) })
        let status = await withCheckedContinuation { continuation in
            // Wait on a separate thread: the wait would block a thread of the tasks.
            Thread.detachNewThread { continuation.resume(returning: process.wait()) }
        }
        func text(_ file: URL) throws -> String { String(decoding: try Data(contentsOf: file), as: UTF8.self) }
        return Outcome(status: status, output: try text(files[1]), error: try text(files[2]))
    }
}

import Foundation
import TestSupport

/// The server's program, started like an operator would start it, with its own folder.
final class RunningServer: Sendable {
    let folder: TemporaryFolder
    private let process: ChildProcess
    private let errors: Int32
    private let lines: Lines

    /// Standard error, read line by line.
    private actor Lines {
        private let descriptor: Int32
        private var pending: [UInt8] = []
        private(set) var all: [String] = []

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// The next line, or nil at the end.
        func next() async -> String? {
            while true {
                if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: pending[..<end], as: UTF8.self)
                    pending.removeSubrange(...end)
                    all.append(line)
                    return line
                }
                let (descriptor, size) = (descriptor, 4_096)
                let bytes = await apart {
                    var bytes = [UInt8](repeating: 0, count: size)
                    let count = read(descriptor, &bytes, size)
                    return count > 0 ? Array(bytes[..<count]) : []
                }
                guard !bytes.isEmpty else { return nil }
                pending += bytes
            }
        }
    }

    /// - Parameters:
    ///   - arguments: The command line.
    ///   - environment: Added to the environment of a home.
    ///   - shell: A line of shell that runs the server as `$0 "$@"`.
    ///   - descriptors: Open files that the server inherits, from 3 on.
    init(
        _ arguments: [String], in folder: TemporaryFolder? = nil, environment: [String: String] = [:],
        shell: String = #"exec "$0" "$@""#, descriptors: [Int32] = []
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        var variables = ["HOME": folder.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        variables.merge(environment) { $1 }
        process = try ChildProcess(
            ["/bin/sh", "-c", shell, try Self.program()] + arguments, environment: variables.map { "\($0)=\($1)" },
            streams: [.file("/dev/null"), .file("/dev/null"), .descriptor(ends[1])]
                + descriptors.map { .descriptor($0) })
        close(ends[1])
        errors = ends[0]
        lines = Lines(ends[0])
    }

    deinit {
        process.stop()
        close(errors)
    }

    /// The folder of the test bundle, which contains the program.
    static func program() throws -> String {
        var folder = URL(filePath: CommandLine.arguments[0])
        for _ in 0..<5 {
            folder.deleteLastPathComponent()
            let candidate = folder.appending(path: "articlesd")
            if FileManager.default.isExecutableFile(atPath: candidate.path), !candidate.hasDirectoryPath {
                return candidate.path
            }
        }
        throw CocoaError(.fileNoSuchFile)
    }

    /// Waits for a line that contains these words.
    @discardableResult
    func line(with words: String) async throws -> String {
        while let line = await lines.next() { if line.contains(words) { return line } }
        throw Ended(lines: await lines.all)
    }

    struct Ended: Error { let lines: [String] }

    /// Waits for the server, and returns its address.
    func url() async throws -> String {
        let line = try await line(with: "serving ")
        guard let url = line.split(separator: " ").last else { throw Ended(lines: [line]) }
        return String(url)
    }

    /// Returns a file of the folder as the process sees it, which may have mounted something there.
    func mounted(_ name: String) -> String { "/proc/\(process.id)/root" + folder.file(name) }

    func signal(_ number: Int32) { process.signal(number) }

    /// Waits for the server's end, and returns its exit code and the rest of standard error.
    func end() async -> (code: Int32, lines: [String]) {
        while await lines.next() != nil {}
        let process = process
        return (await apart { process.wait() }, await lines.all)
    }

    /// Returns a response, as curl prints it.
    func curl(_ arguments: String...) async throws -> String { try await curl(arguments) }

    /// Returns a response, as curl prints it.
    func curl(_ arguments: [String]) async throws -> String {
        try await apart { Result { try runProgram(["curl", "-s", "--max-time", "1800"] + arguments).output } }.get()
    }
}

/// Runs a blocking call on a separate thread, so that no test blocks the threads that all tests share.
func apart<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

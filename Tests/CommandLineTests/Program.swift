import Foundation

/// A program that a test runs, and waits for without holding a thread.
///
/// What it writes goes into files: a pipe that nobody empties would stop it.
struct Program {
    let executable: URL
    var arguments: [String] = []
    var environment: [String: String] = [:]
    var folder: URL
    var input: Data?

    /// The folders that the programs of the system are in.
    static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"

    /// Where a program of the system is; nil where it is not installed.
    static func find(_ name: String) -> URL? {
        path.split(separator: ":").lazy.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// The program that this suite tests, which is built beside the test bundle.
    static let articlesctl: URL? = {
        let starts: [String?] = [CommandLine.arguments.first, Bundle.main.executablePath, Bundle.main.bundlePath]
        for case let start? in starts {
            var folder = URL(fileURLWithPath: start)
            for _ in 0..<4 {
                folder.deleteLastPathComponent()
                let candidate = folder.appendingPathComponent("articlesctl")
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue,
                    FileManager.default.isExecutableFile(atPath: candidate.path)
                {
                    return candidate
                }
            }
        }
        return nil
    }()

    func run() async throws -> Outcome {
        let name = UUID().uuidString
        let files = ["in", "out", "err"].map { folder.appendingPathComponent(".\(name).\($0)") }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        for file in files { try (file == files[0] ? input ?? Data() : Data()).write(to: file) }

        let pid = try start(files.map(\.path))
        let status = await withCheckedContinuation { continuation in
            // A thread of its own: waiting here would hold one of the few that tasks run on.
            Thread.detachNewThread {
                var status: Int32 = 0
                while waitpid(pid, &status, 0) < 0, errno == EINTR {}
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? status >> 8 & 0xFF : 128 + signal)
            }
        }
        func text(_ file: URL) throws -> String { String(decoding: try Data(contentsOf: file), as: UTF8.self) }
        return Outcome(status: status, output: try text(files[1]), error: try text(files[2]))
    }

    /// Starts it with its three streams on files.
    ///
    /// Foundation's Process hands each child a socket and takes it for ended when that is closed, which a server that the
    /// child leaves behind (tmux) never does.
    private func start(_ streams: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, path) in streams.enumerated() {
            posix_spawn_file_actions_addopen(
                &actions, Int32(descriptor), path, descriptor == 0 ? O_RDONLY : O_WRONLY | O_APPEND, 0)
        }

        func pointers(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] { strings.map { strdup($0) } + [nil] }
        let argumentPointers = pointers(
            // There is no portable way to spawn in another folder. Nothing here takes minutes, unless it waits for ever.
            ["/bin/sh", "-c", #"cd "$0" && exec timeout -k 1 120 "$@""#, folder.path, executable.path] + arguments)
        let environmentPointers = pointers(environment.map { "\($0)=\($1)" })
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        // A thread of the test may block signals that a shell waits for, and a test runner may ignore some.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var pid: pid_t = 0
        let code = posix_spawn(&pid, "/bin/sh", &actions, &attributes, argumentPointers, environmentPointers)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        return pid
    }
}

internal import Foundation
internal import Synchronization
public import Testing

/// A program that a test has started.
///
/// Foundation's Process reads past the list of open files that the system returns if there are many
/// (swift-corelibs-foundation, pull request 5472), and sometimes crashes the tests. It also waits for a socket that the
/// child inherits, which a server that the child leaves behind (tmux) never closes.
///
/// The end of the object is the end of the program, because nobody would wait for it later.
public final class ChildProcess: Sendable {
    /// The process ID.
    public let id: Int32
    private let code = Mutex<Int32?>(nil)

    /// The target of a standard stream.
    public enum Stream: Sendable {
        /// A file, read from its beginning or appended to.
        case file(String)
        /// An open file of this process.
        case descriptor(Int32)
    }

    /// Starts the program at the path in the first argument, with all signals as a shell expects them.
    ///
    /// - Parameters:
    ///   - environment: Entries such as `NAME=VALUE`.
    ///   - streams: Input, output, and errors; a stream that is left out is that of this process.
    /// - Throws: `POSIXError`.
    public init(_ arguments: [String], environment: [String], streams: [Stream]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            let number = Int32(number)
            switch stream {
            case .file(let path):
                let mode = number == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_APPEND
                posix_spawn_file_actions_addopen(&actions, number, path, mode, 0)
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            }
        }

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

        func pointers(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] { strings.map { strdup($0) } + [nil] }
        let (argumentPointers, environmentPointers) = (pointers(arguments), pointers(environment))
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, arguments[0], &actions, &attributes, argumentPointers, environmentPointers)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        self.id = id
    }

    /// The environment of this process.
    public static var environment: [String] { ProcessInfo.processInfo.environment.map { "\($0)=\($1)" } }

    deinit { stop() }

    /// Sends the process a signal if nobody has waited for its end. Later, another process may have its ID.
    public func signal(_ number: Int32) {
        code.withLock { if $0 == nil { kill(id, number) } }
    }

    /// Kills the process if nobody has waited for its end.
    public func stop() {
        signal(SIGKILL)
        _ = wait()
    }

    /// Blocks the thread until the process has ended.
    ///
    /// - Returns: The exit code, or 128 plus the number of the signal that ended it, as in a shell.
    public func wait() -> Int32 {
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return code.withLock { code in
            if let code { return code }
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            let end = signal == 0 ? status >> 8 & 0xFF : 128 + signal
            code = end
            return end
        }
    }
}

/// Runs one test at a time, across suites. Each sends signals to this process, or makes it ignore some, while a program
/// has its terminal.
public struct ProcessSignals: TestTrait, SuiteTrait, TestScoping {
    private static let turnstile = Turnstile(width: 1)

    /// Applies to each test of a suite.
    public var isRecursive: Bool { true }

    /// Runs the test when the previous one has ended.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Self.turnstile.pass(function)
    }
}

extension Trait where Self == ProcessSignals {
    /// Runs the test alone among all that use the signals of this process.
    public static var processSignals: Self { Self() }
}

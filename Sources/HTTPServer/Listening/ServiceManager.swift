public import Platform

/// The program that started this one and looks after it, as systemd does: it may hand over sockets, and is told how
/// things are.
///
/// Its messages are in the environment, which is passed in.
public struct ServiceManager: Sendable {
    private let environment: [String: String]

    /// The service manager of a program with that environment.
    public init(environment: [String: String]) { self.environment = environment }

    /// A socket that was opened for the program.
    public struct Socket: Hashable, Sendable {
        /// The name in the socket unit (`FileDescriptorName=`), or `unknown`.
        public let name: String
        /// Its descriptor.
        public let descriptor: Int32
    }

    /// The sockets that were opened for the program; none where they are for a program with another number.
    ///
    /// - Parameter processID: the number of this program.
    public func sockets(processID: Int32) -> [Socket] {
        guard environment["LISTEN_PID"] == String(processID),
            let count = environment["LISTEN_FDS"].flatMap(Int32.init), 1...1024 ~= count
        else { return [] }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        // They begin behind the standard streams.
        return (0..<count).map { index in
            let name = names.indices.contains(Int(index)) ? String(names[Int(index)]) : ""
            return Socket(name: name.isEmpty ? "unknown" : name, descriptor: 3 + index)
        }
    }

    /// Whether what is written to a descriptor goes to the journal, which knows the time, and takes a level before each line
    /// (`sd-daemon(3)`).
    ///
    /// - Parameter descriptor: an open file, such as standard error.
    public func keepsJournal(of descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return environment["JOURNAL_STREAM"] == "\(status.st_dev):\(status.st_ino)"
    }

    /// How things are.
    public enum State: Hashable, Sendable {
        /// The program serves.
        case ready
        /// The program reloads its configuration since a time of the monotonic clock, in microseconds; `ready` reports
        /// the end.
        case reloading(since: UInt64)
        /// The program is about to end.
        case stopping
        /// The program still lives.
        case alive
        /// A line for people, such as `12 requests`.
        case status(String)
    }

    /// Tells how things are.
    ///
    /// - Returns: whether somebody wants to know.
    /// - Throws: `SystemError` where it could not be told.
    @discardableResult
    public func notify(_ state: State) throws(SystemError) -> Bool {
        guard let path = environment["NOTIFY_SOCKET"], !path.isEmpty else { return false }
        guard let named = localAddress(path) else { throw SystemError(code: EINVAL) }
        var address = named.address
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | cloexec, 0)
        guard descriptor >= 0 else { throw .current }
        defer { close(descriptor) }
        let message = Array(text(state).utf8)
        let sent = withAddress(&address) {
            sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, named.size)
        }
        guard sent == message.count else { throw .current }
        return true
    }

    private func text(_ state: State) -> String {
        switch state {
        case .ready: "READY=1"
        case .reloading(let since): "RELOADING=1\nMONOTONIC_USEC=\(since)"
        case .stopping: "STOPPING=1"
        case .alive: "WATCHDOG=1"
        // A line: what follows a break would be another assignment.
        case .status(let line): "STATUS=" + String(line.map { $0.isNewline ? " " : $0 })
        }
    }
}

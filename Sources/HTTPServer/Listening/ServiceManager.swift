// CMicroHTTPD makes the flags of sockets visible.
import CMicroHTTPD
package import Platform

/// The program that started and supervises this one, such as systemd. It may pass sockets, and receives state reports.
///
/// Its messages are in environment variables, which the caller passes in.
package struct ServiceManager: Sendable {
    private let environment: [String: String]

    /// Creates the service manager for a program with this environment.
    package init(environment: [String: String]) { self.environment = environment }

    /// A socket that was opened for the program.
    package struct Socket: Hashable, Sendable {
        /// The name in the socket unit (`FileDescriptorName=`), or `unknown`.
        package let name: String
        /// Its descriptor.
        package let descriptor: Int32
    }

    /// Returns the sockets that were opened for the program; none if they are for another process.
    ///
    /// - Parameter processID: the ID of this process.
    package func sockets(processID: Int32) -> [Socket] {
        guard environment["LISTEN_PID"] == String(processID),
            let count = environment["LISTEN_FDS"].flatMap(Int32.init), 1...1024 ~= count
        else { return [] }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        // The descriptors begin after the standard streams.
        return (0..<count).map { index in
            let name = names.indices.contains(Int(index)) ? String(names[Int(index)]) : ""
            return Socket(name: name.isEmpty ? "unknown" : name, descriptor: 3 + index)
        }
    }

    /// Whether output to a descriptor goes to the journal, which adds the time and accepts a level before each line
    /// (`sd-daemon(3)`).
    ///
    /// - Parameter descriptor: an open file, such as standard error.
    package func keepsJournal(of descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return environment["JOURNAL_STREAM"] == "\(status.st_dev):\(status.st_ino)"
    }

    /// The state of the program.
    package enum State: Hashable, Sendable {
        /// The program is ready to serve.
        case ready
        /// The program is reloading its configuration, since a time of the monotonic clock in microseconds. `ready`
        /// reports the end.
        case reloading(since: UInt64)
        /// The program is about to end.
        case stopping
        /// The program is still running.
        case alive
        /// A line for the operator, such as `12 requests`.
        case status(String)
    }

    /// Reports the state.
    ///
    /// - Returns: whether a service manager listens.
    /// - Throws: `SystemError` if the report failed.
    @discardableResult
    package func notify(_ state: State) throws(SystemError) -> Bool {
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
        // It must be a single line, because a line break would begin another assignment.
        case .status(let line): "STATUS=" + String(line.map { $0.isNewline ? " " : $0 })
        }
    }
}

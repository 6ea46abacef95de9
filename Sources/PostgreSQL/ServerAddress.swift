internal import CPostgreSQL

/// The address of a database on a server, as a URL such as `postgres://reader@db.example/articles`.
///
/// Every parameter of libpq can be in the query, also `service`, `passfile`, and several hosts. A password cannot: it
/// would be visible in lists of processes and in logs. Source: PostgreSQL, “Connection Strings”.
package struct ServerAddress: Sendable, Hashable {
    /// The parameters of libpq that the URL gives.
    let parameters: [String: String]

    /// Whether a text is a URL, of this or another kind, so that it does not name a file.
    package static func isAddress(_ text: String) -> Bool {
        guard let scheme = text.firstRange(of: "://").map({ text[..<$0.lowerBound] }) else { return false }
        return !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && $0.isLetter }
    }

    private static let notAnAddress = PostgreSQLError.invalidAddress(
        "is not the URL of a database, such as postgres://user@host/database")

    /// Reads a URL.
    ///
    /// - Throws: `PostgreSQLError.invalidAddress` if it is not a URL of a database; `PostgreSQLError.passwordInAddress`;
    ///   `PostgreSQLError.libraryMissing` if libpq, which reads it, is not installed.
    package init(_ url: String) throws(PostgreSQLError) {
        guard ["postgres://", "postgresql://"].contains(where: url.hasPrefix) else { throw Self.notAnAddress }
        let libpq = try loadedLibrary()
        var message: UnsafeMutablePointer<CChar>?
        guard let options = libpq.pointee.PQconninfoParse(url, &message) else {
            defer { libpq.pointee.PQfreemem(message) }
            // The message of libpq quotes the URL, which may contain a password.
            throw Self.notAnAddress
        }
        defer { libpq.pointee.PQconninfoFree(options) }
        let parameters = Self.values(of: options)
        guard parameters["password"] == nil, parameters["sslpassword"] == nil else {
            throw PostgreSQLError.passwordInAddress
        }
        // The message of libpq would quote it. In `postgres://user:password/database`, the port is a password.
        let ports = (parameters["port"] ?? "").split(separator: ",")
        guard ports.allSatisfy({ UInt16($0) != nil }) else {
            throw PostgreSQLError.invalidAddress("has a port that is not a number")
        }
        self.parameters = parameters
    }

    /// The address for messages: users and hosts, without other parameters.
    package var description: String {
        let host = parameters["host"] ?? parameters["hostaddr"] ?? parameters["service"].map { "service " + $0 }
        return "\(parameters["dbname"] ?? "the default database") on \(host ?? "the default host")"
    }

    /// Returns the values of a list of options, without those that are not set.
    static func values(of options: UnsafePointer<PQconninfoOption>) -> [String: String] {
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }

    /// Returns the parameters of each host; a single set without parameters if libpq must choose between the hosts.
    static func hosts(in parameters: [String: String]) -> [[String: String]] {
        func list(_ name: String) -> [String] {
            (parameters[name] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let lists = ["host": list("host"), "hostaddr": list("hostaddr"), "port": list("port")].filter { $1 != [""] }
        let count = lists.map(\.value.count).max() ?? 1
        // With prefer-standby, the choice depends on all hosts.
        guard count > 1, parameters["target_session_attrs"] != "prefer-standby" else { return [[:]] }
        return (0..<count).map { index in lists.mapValues { $0.count == 1 ? $0[0] : $0[index] } }
    }

    /// Whether all hosts are on this machine, where encryption protects nothing.
    static func isLocal(_ parameters: [String: String]) -> Bool {
        let hosts = parameters["hostaddr"] ?? parameters["host"] ?? ""
        return hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
            // Without a host, libpq uses the socket of this machine. A host with a slash is the folder of a socket.
            host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
                || isLoopback(host)
        }
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// Returns the functions of libpq.
///
/// - Throws: `PostgreSQLError.libraryMissing`.
func loadedLibrary() throws(PostgreSQLError) -> UnsafePointer<libpq> {
    guard let functions = libpq_load() else {
        throw PostgreSQLError.libraryMissing(libpq_load_error().map { String(cString: $0) } ?? "")
    }
    return functions
}

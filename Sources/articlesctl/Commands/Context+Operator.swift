import AuthService
import Platform

extension Context {
    /// The accounts, accessed directly by an operator: whoever can write the file needs no session.
    func accounts() throws -> AuthService { AuthService(database: try database(), clock: clock) }

    /// The authority of the user of the operating system, who can write the database file.
    var operatorOfTheMachine: Authority { .system(user: Self.systemUser) }

    /// Records a change of the library without a session in the audit log before it happens: even if the program ends,
    /// no change is missing from the log.
    func record(_ detail: String) async throws {
        try await accounts().record(.libraryChanged, detail: detail, by: operatorOfTheMachine, client: Self.client)
    }

    /// The name of the operating system's user, or the number if the name is unknown.
    private static var systemUser: String {
        let id = getuid()
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { text in
            var (entry, found) = (passwd(), nil as UnsafeMutablePointer<passwd>?)
            guard let start = text.baseAddress, getpwuid_r(id, &entry, start, text.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return "\(id)" }
            return String(cString: name)
        }
    }
}

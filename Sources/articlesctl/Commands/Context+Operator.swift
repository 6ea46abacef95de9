import AuthService
import Platform

extension Context {
    /// The accounts themselves, for what an operator does: who may write the file needs no session.
    func accounts() throws -> AuthService { AuthService(database: try database(), clock: clock) }

    /// The person who runs the program, who may write the file of the database.
    var operatorOfTheMachine: Authority { .system(user: Self.systemUser) }

    /// Records what is about to be done to the library without a session: before, so that whatever ends the program then,
    /// nothing is done that the log does not tell of.
    func record(_ detail: String) async throws {
        try await accounts().record(.libraryChanged, detail: detail, by: operatorOfTheMachine, client: Self.client)
    }

    /// The name of who runs the program, else the number.
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

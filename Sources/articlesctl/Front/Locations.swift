import Arguments
import Database
import Platform

/// The places of files, by the XDG Base Directory Specification.
struct Locations {
    /// The database.
    let database: String
    /// Whether nobody said where the database is, so that its folder is the program's to make.
    let isDefaultDatabase: Bool
    /// The folder that the tokens of sessions are kept in; nil when nothing says where home is.
    private let state: String?

    /// - Throws: `CommandError` if the home directory is unknown.
    init(database option: String?, environment: (String) -> String?) throws {
        func folder(_ variable: String, _ fallback: String) throws -> String {
            // The specification: a path that is not absolute is to be ignored.
            if let folder = environment(variable), folder.hasPrefix("/") { return folder + "/articlesctl" }
            guard let home = environment("HOME"), home.hasPrefix("/") else {
                throw CommandError(
                    "HOME is not set, so there is no place for the database and the session",
                    hint: "set HOME, or both XDG_DATA_HOME and XDG_STATE_HOME", code: .usage)
            }
            return home + fallback + "/articlesctl"
        }
        // As with every variable of a shell, an empty one is one that is not set.
        let given = option ?? environment("ARTICLESCTL_DATABASE").flatMap { $0.isEmpty ? nil : $0 }
        database = try given ?? folder("XDG_DATA_HOME", "/.local/share") + "/articles.db"
        isDefaultDatabase = given == nil
        state = try? folder("XDG_STATE_HOME", "/.local/state")
    }

    /// The file that holds the token of the session on this database: each database has its own.
    ///
    /// - Throws: `CommandError` if the home directory is unknown.
    var tokenFile: String {
        get throws { try stateFile("session") }
    }

    /// The prefix of the device files, which a user's name follows. They identify this machine as one that has logged in to
    /// this database.
    ///
    /// - Throws: `CommandError` if the home directory is unknown.
    var deviceFiles: String {
        get throws { try stateFile("device") + "-" }
    }

    private func stateFile(_ kind: String) throws -> String {
        guard let state else {
            throw CommandError(
                "HOME is not set, so there is no place for the session",
                hint: "set HOME or XDG_STATE_HOME, or give the session in ARTICLESCTL_TOKEN", code: .usage)
        }
        let resolved = realpath(database, nil)
        defer { free(resolved) }
        let name = resolved.map { String(cString: $0) } ?? database
        return "\(state)/\(kind)-\(Fingerprint(name))"
    }

    /// Makes a folder, and those above it, for their owner alone.
    ///
    /// - Throws: `CommandError` when it cannot be made.
    static func makeFolder(_ path: String) throws {
        var partial = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            partial += component + "/"
            guard mkdir(partial, 0o700) == 0 || errno == EEXIST else {
                throw CommandError(
                    "cannot make the folder \(partial): \(SystemError.current)", code: .cannotCreate)
            }
        }
    }
}

import Arguments
import LibraryStores
import Platform
import Text

/// The places of files, by the XDG Base Directory Specification.
struct Locations {
    /// The library.
    let place: StorePlace
    /// Whether the location of the database is the default one. Then the program creates its folder.
    let isDefaultDatabase: Bool
    /// The folder for tokens; nil if the home directory is unknown.
    private let state: String?

    /// - Parameters:
    ///   - option: the value of `--database`.
    ///   - configured: returns the place in the configuration. It is called if neither the option nor the environment
    ///     gives a place.
    /// - Throws: `CommandError` if the home directory is unknown; the error of `configured`.
    init(
        database option: String?, environment: (String) -> String?, configured: () throws -> String?
    ) throws {
        func folder(_ variable: String, _ fallback: String) throws -> String {
            // The specification requires that relative paths are ignored.
            if let folder = environment(variable), folder.hasPrefix("/") { return folder + "/articlesctl" }
            return try home() + fallback + "/articlesctl"
        }
        func home() throws -> String {
            guard let home = environment("HOME"), home.hasPrefix("/") else {
                throw CommandError(
                    "HOME is not set, so the database and the session have no default path",
                    hint: "set HOME, or both XDG_DATA_HOME and XDG_STATE_HOME", code: .usage)
            }
            return home
        }
        // As usual in a shell, an empty variable counts as unset.
        var given = option ?? environment("ARTICLESCTL_DATABASE").flatMap { $0.isEmpty ? nil : $0 }
        // A shell expands the tilde itself.
        if given == nil { given = try configured().map { $0.hasPrefix("~/") ? try home() + $0.dropFirst() : $0 } }
        place = try StorePlace(given ?? folder("XDG_DATA_HOME", "/.local/share") + "/articles.db")
        isDefaultDatabase = given == nil
        state = try? folder("XDG_STATE_HOME", "/.local/state")
    }

    /// The file with the token of the session. Each database has its own.
    ///
    /// - Throws: `CommandError` if the home directory is unknown.
    var tokenFile: String {
        get throws { try stateFile("session") }
    }

    /// The prefix of the device files, followed by a username. A device file identifies this machine as one on which
    /// the user has logged in.
    ///
    /// - Throws: `CommandError` if the home directory is unknown.
    var deviceFiles: String {
        get throws { try stateFile("device") + "-" }
    }

    private func stateFile(_ kind: String) throws -> String {
        guard let state else {
            throw CommandError(
                "HOME is not set, so the session has no default path",
                hint: "set HOME or XDG_STATE_HOME, or pass a token in ARTICLESCTL_TOKEN", code: .usage)
        }
        var name = place.description
        if case .file(let path) = place, let resolved = realpath(path, nil) {
            name = String(cString: resolved)
            free(resolved)
        }
        return "\(state)/\(kind)-\(Fingerprint(name))"
    }

    /// Creates a folder and its parents with access rights only for the owner.
    ///
    /// - Throws: `CommandError` if it cannot be created.
    static func makeFolder(_ path: String) throws {
        var partial = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            partial += component + "/"
            guard mkdir(partial, 0o700) == 0 || errno == EEXIST else {
                throw CommandError(
                    "cannot create the folder \(partial): \(SystemError.current)", code: .cannotCreate)
            }
        }
    }
}

extension StorePlace {
    /// Returns the path of the database, for a command that only works on files.
    ///
    /// - Parameters:
    ///   - command: the name of the command.
    ///   - advice: the tool of PostgreSQL for the same purpose.
    /// - Throws: `CommandError` if the library is on a server.
    func file(for command: String, onServer advice: String) throws -> String {
        guard case .file(let path) = self else {
            throw CommandError(
                "“\(command)” works on a database file, but this library is on a PostgreSQL server",
                hint: advice + ": see docs/postgresql.md", code: .usage)
        }
        return path
    }
}

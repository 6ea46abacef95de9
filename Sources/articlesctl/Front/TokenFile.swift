import Arguments
import AuthService
import FlowCoordinators
import Platform
import Text

/// The token of the session in a file that only its owner can read.
///
/// A file that other users could write or read is refused.
struct TokenFile: TokenStore {
    /// The purpose of reading the token.
    enum Purpose {
        /// Use the session.
        case act
        /// Log in: the session ends, and the file is replaced.
        case replace
        /// Log out: the session ends, and the file is removed.
        case end
    }

    let path: String
    /// The prefix of the device files, followed by a username.
    let devices: String
    var purpose = Purpose.act

    func load() throws -> String? {
        try requireOwnFolder()
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return nil
            case ELOOP: throw TokenFileError.symbolicLink(path)
            case let code: throw TokenFileError.failed(path, code)
            }
        }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw TokenFileError.failed(path, errno) }
        guard info.st_mode & S_IFMT == S_IFREG else { throw TokenFileError.notAFile(path) }
        guard info.st_uid == geteuid() else { throw TokenFileError.otherOwner(path) }
        // Another user may have put a token there. Do not even end that session, because it may not be this user's.
        guard info.st_mode & 0o022 == 0 else {
            if purpose == .replace { return nil }
            throw TokenFileError.writable(path)
        }
        // If others can read the token, ending the session is the right thing to do.
        guard info.st_mode & 0o077 == 0 || purpose != .act else { throw TokenFileError.readable(path) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw TokenFileError.failed(path, errno) }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Creates a new file next to the present one, and its folder if it is missing. The file and space for a token are
    /// on the disk afterwards.
    func prepare() throws -> any PreparedTokenWrite {
        if let end = path.lastIndex(of: "/") { try Locations.makeFolder(String(path[..<end])) }
        try requireOwnFolder()
        removeLeftovers()
        return try PreparedTokenFile(path: path)
    }

    /// - Throws: `TokenFileError` if another user could replace the file.
    private func requireOwnFolder() throws {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var info = stat()
        guard stat(folder, &info) == 0 else { return }
        guard info.st_uid == geteuid() else { throw TokenFileError.otherFolder(folder) }
        guard info.st_mode & 0o022 == 0 else { throw TokenFileError.openFolder(folder) }
    }

    func save(_ token: String) throws { try prepare().save(token) }

    /// Removes temporary files of processes that were killed.
    private func removeLeftovers() {
        let name = path.split(separator: "/").last ?? ""
        let folder = path.dropLast(name.utf8.count)
        for other in folderNames(String(folder)) {
            guard let owner = PreparedTokenFile.owner(of: other, beside: name), kill(owner, 0) != 0, errno == ESRCH
            else { continue }
            unlink(folder + other)
        }
    }

    func remove() throws {
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw TokenFileError.failed(path, errno)
        }
    }

    func device(of user: Username) throws -> DeviceToken? {
        try deviceFile(of: user).load().flatMap { DeviceToken($0) }
    }

    func save(_ device: DeviceToken, of user: Username) throws { try deviceFile(of: user).save(device.text) }

    private func deviceFile(of user: Username) -> TokenFile { TokenFile(path: devices + user.text, devices: devices) }
}

/// A token from the environment. It is used and cannot be replaced.
struct GivenToken: TokenStore {
    let token: String

    func load() throws -> String? { token }
    func prepare() throws -> any PreparedTokenWrite { throw TokenFileError.given }
    func save(_ token: String) throws { throw TokenFileError.given }
    func remove() throws {}
}

/// The reason why the token cannot be stored or used.
enum TokenFileError: ExplainedError, Hashable {
    case symbolicLink(String)
    case notAFile(String)
    case otherOwner(String)
    case otherFolder(String)
    case openFolder(String)
    case readable(String)
    case writable(String)
    case failed(String, Int32)
    case given
    case givenEnded

    var description: String {
        switch self {
        case .symbolicLink(let path): "the session file \(path) is a symbolic link"
        case .notAFile(let path): "the session file \(path) is not a regular file"
        case .otherOwner(let path): "the session file \(path) belongs to another user"
        case .otherFolder(let path): "the folder of the session, \(path), belongs to another user"
        case .openFolder(let path): "the folder of the session, \(path), can be written by others"
        case .readable(let path): "the session file \(path) can be read by others"
        case .writable(let path): "the session file \(path) can be written by others"
        case .failed(let path, let code): "cannot use the session file \(path): \(SystemError(code: code))"
        case .given: "cannot replace the session in ARTICLESCTL_TOKEN"
        case .givenEnded: "the session or API token in ARTICLESCTL_TOKEN has ended or does not exist"
        }
    }

    var hint: String? {
        switch self {
        case .symbolicLink, .notAFile, .otherOwner: "remove it and log in again"
        case .otherFolder: "set XDG_STATE_HOME to a folder of yours, or remove that folder"
        case .openFolder: "restrict it with chmod 700, and log in again"
        case .readable: "log in again, which ends this session: articlesctl login"
        case .writable: "log in again, which replaces the file: articlesctl login"
        case .failed(_, ENOSPC), .failed(_, EDQUOT): "free some space on its disk, and try again"
        case .failed(_, EROFS): "set XDG_STATE_HOME to a folder that can be written"
        case .failed: "check that you may read and write it and its folder"
        case .given: "unset ARTICLESCTL_TOKEN and try again"
        case .givenEnded:
            "use another token, or unset ARTICLESCTL_TOKEN to use the saved session"
        }
    }

    var errorKind: ErrorKind {
        switch self {
        case .given: .usage
        case .givenEnded: .notLoggedIn
        default: .inputOutput
        }
    }
}

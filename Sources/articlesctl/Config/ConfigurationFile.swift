import Arguments
import Platform
import Terminal
import Text

/// The configuration file. Its place follows the XDG Base Directory Specification.
struct ConfigurationFile: Sendable {
    /// The path; nil if the home directory is unknown. The configuration is empty then.
    let path: String?
    /// Whether the user named the file. Then it must exist.
    private let isNamed: Bool

    init(environment: (String) -> String?) {
        func given(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        func absolute(_ name: String) -> String? { given(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let named = given("ARTICLESCTL_CONFIG")
        isNamed = named != nil
        let folder = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { $0 + "/.config" }
        path = named ?? folder.map { $0 + "/articlesctl/config" }
    }

    /// - Throws: `CommandError` if the home directory is unknown.
    func existingPath() throws -> String {
        guard let path else {
            throw CommandError(
                "HOME is not set, so the configuration has no default path",
                hint: "set HOME or XDG_CONFIG_HOME, or set ARTICLESCTL_CONFIG to the path", code: .usage)
        }
        return path
    }

    var exists: Bool { path.map { access($0, F_OK) == 0 } ?? false }

    /// Reads the file. Without a file, the configuration is empty.
    func read() -> ConfigurationText {
        guard let path else { return ConfigurationText() }
        if !isNamed, access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return ConfigurationText() }
        do {
            return ConfigurationText(try InputText.file(path))
        } catch {
            let reason = CommandError(error).message
            return ConfigurationText(
                unreadable: reason.hasPrefix(path) ? String(reason.dropFirst(path.count + 1)) : reason)
        }
    }
}

extension ConfigurationFile {
    /// Creates a file.
    ///
    /// - Throws: `CommandError` if it cannot be written. The file does not exist then.
    static func create(_ path: String, _ text: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError("cannot write \(path): \(SystemError.current)", code: .cannotCreate)
        }
        defer { close(descriptor) }
        do {
            let writer = Writer(descriptor: descriptor, name: path)
            try writer.write(text)
            try writer.flush()
        } catch {
            unlink(path)
            throw error
        }
    }
}

/// A mistake in a configuration file.
struct ConfigurationMistake: Error, Hashable {
    /// The line of the mistake, from 1; nil if it does not belong to a line.
    var line: Int?
    var column: Int?
    /// The description without a period.
    let message: String

    init(_ message: String, line: Int? = nil, column: Int? = nil) {
        self.message = message
        self.line = line
        self.column = column
    }

    /// Returns the mistake in the format of compilers and editors: `FILE:LINE:COLUMN: MESSAGE`.
    func text(in path: String) -> String {
        ([path] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":") + ": " + message
    }

    var json: JSON {
        [
            "line": line.map { JSON($0) } ?? .null, "column": column.map { JSON($0) } ?? .null,
            "message": .string(message),
        ]
    }
}

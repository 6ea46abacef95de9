public import Foundation

/// A folder for a test, removed with the value.
public final class TemporaryFolder: Sendable {
    /// The path.
    public let path: String

    /// Makes the folder.
    public init() throws {
        // In /tmp and with a short name, because the path of a socket is limited.
        path = "/tmp/articlesctl-" + UUID().uuidString.prefix(13)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a file in the folder, whether or not it exists.
    public func file(_ name: String) -> String { path + "/" + name }

    /// The names of the files in the folder.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Returns the content of a file in the folder.
    public func bytes(of name: String) throws -> Data { try Data(contentsOf: URL(filePath: file(name))) }

    /// Returns the permissions of a file in the folder.
    public func mode(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    /// Writes a file and the folders above it, and returns its path.
    @discardableResult
    public func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let url = URL(filePath: file(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// Writes a text file and the folders above it, and returns its path.
    @discardableResult
    public func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }
}

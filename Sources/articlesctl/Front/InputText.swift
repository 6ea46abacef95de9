import Arguments
import Platform

/// Text from a file or a stream.
struct InputText {
    /// The maximum number of bytes, as for a record of an import.
    private static let limit = 16 << 20

    /// Reads standard input to its end.
    ///
    /// - Throws: `CommandError` if it cannot be read, is too long, or is not text.
    static func standardInput() throws -> String { try text(of: STDIN_FILENO, called: "standard input") }

    /// Reads a whole file.
    ///
    /// - Throws: `CommandError` if it cannot be read, is too long, or is not text.
    static func file(_ path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandError("cannot read \(path): \(SystemError.current)", code: .noInput)
        }
        defer { close(descriptor) }
        return try text(of: descriptor, called: path)
    }

    private static func text(of descriptor: Int32, called name: String) throws -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandError("cannot read \(name): \(SystemError.current)", code: .noInput)
            }
            if count == 0 { break }
            bytes += piece[..<count]
            guard bytes.count <= limit else {
                throw CommandError("\(name) is larger than \(limit >> 20) MiB", code: .badData)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError("\(name) is not UTF-8", code: .badData)
        }
        return text
    }
}

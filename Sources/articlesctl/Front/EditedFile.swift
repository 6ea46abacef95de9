import Arguments
import Text
import Platform

/// A private file with a text that the user edits. It exists until it is removed.
struct EditedFile {
    let path: String
    private let folder: String

    /// Writes the file into a new folder that only its owner can access.
    ///
    /// - Parameters:
    ///   - name: the file name, with an extension that tells the editor the format.
    ///   - text: the content.
    ///   - place: the parent of the new folder.
    /// - Throws: `CommandError` if the file cannot be created.
    init(_ name: String, _ text: String, in place: String) throws {
        var template = Array("\(place)/articlesctl-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandError(
                "cannot create a folder in \(place): \(SystemError.current)", hint: "set TMPDIR to another folder",
                code: .cannotCreate)
        }
        folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        path = folder + "/" + name
        do {
            try add(name, text)
        } catch {
            remove()
            throw error
        }
    }

    /// Writes another file next to it, and returns its path.
    ///
    /// - Throws: `CommandError`.
    @discardableResult
    func add(_ name: String, _ text: String) throws -> String {
        let path = folder + "/" + name
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError("cannot write \(path): \(SystemError.current)", code: .cannotCreate)
        }
        defer { close(descriptor) }
        var text = text
        try text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw CommandError("cannot write \(path): \(SystemError.current)", code: .ioError)
                }
                rest = rest.dropFirst(count)
            }
        }
        return path
    }

    /// Reads the file.
    ///
    /// - Throws: `CommandError` if the file is gone, too long, or not text.
    func read() throws -> String { try InputText.file(path) }

    /// Removes the file, and files that an editor left next to it.
    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}

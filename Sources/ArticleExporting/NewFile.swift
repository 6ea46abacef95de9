import ArticleStore
import Platform

/// A file that is written under a temporary name and renamed when it is complete. If it is not finished, releasing the
/// object deletes it. A destination that is not a regular file, such as a pipe or a device, is written directly.
package final class NewFile {
    private let path: String
    private let replaces: Bool
    private let descriptor: Int32
    /// Nil if the destination is written directly.
    private let entry: UnfinishedEntry?

    /// Begins a file. A new file gets its permissions from the umask, a replaced file keeps its permissions.
    ///
    /// - Parameter replaces: whether an existing file is replaced.
    /// - Throws: ``ExportError``.
    package init(at path: String, replaces: Bool) throws(ExportError) {
        self.replaces = replaces
        switch try Self.kind(of: path) {
        case .folder: throw .isFolder(path)
        case .file where !replaces: throw .exists(path)
        case .stream:
            self.path = path
            entry = nil
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .cannotCreate(path, reason: "\(SystemError.current)") }
        case .file, nil:
            // If the path is a symbolic link, write its target, so that the link remains.
            self.path = FilePath(path).resolved?.text ?? path
            var old = stat()
            let mode: mode_t? = stat(self.path, &old) == 0 ? old.st_mode & 0o777 : nil
            do throws(SystemError) {
                let entry = try UnfinishedEntry(.file, in: self.path.folderPrefix, mode: mode ?? 0o666)
                self.entry = entry
                descriptor = entry.descriptor
            } catch {
                throw .cannotCreate(path, reason: "\(error)")
            }
            if let mode { fchmod(descriptor, mode) }
        }
    }

    deinit { if entry == nil { close(descriptor) } }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(ExportError) {
        do { try bytes.write(to: descriptor) } catch { throw .cannotWrite(path, reason: "\(error)") }
    }

    /// Gives the file its final name.
    ///
    /// - Throws: ``ExportError``. An existing file is then unchanged.
    package func finish() throws(ExportError) {
        guard let entry else { return }
        guard fsync(descriptor) == 0 else { throw .cannotWrite(path, reason: "\(SystemError.current)") }
        // Unlike rename(2), link(2) fails if the name exists. Fall back to rename if hard links are unsupported.
        if !replaces {
            if link(entry.path, path) == 0 { return }
            if errno == EEXIST { throw .exists(path) }
        }
        guard rename(entry.path, path) == 0 else { throw .cannotCreate(path, reason: "\(SystemError.current)") }
        entry.isFinished = true
    }

    /// The kind of the destination; nil if it does not exist.
    private static func kind(of path: String) throws(ExportError) -> FileKind? {
        do throws(SystemError) {
            return try FileKind(of: FilePath(path))
        } catch {
            if error.code == ENOENT { return nil }
            throw .cannotCreate(path, reason: "\(error)")
        }
    }
}

extension String {
    /// The path up to the last slash, including it; empty if the path is only a name.
    var folderPrefix: String { utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[...$0]) } ?? "" }
}

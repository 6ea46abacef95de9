import Platform

/// A file that is being written under another name, and takes its own when it is whole. What was not finished goes with the
/// value. What is no file, such as a pipe or a device, is written into as it comes.
package final class NewFile {
    private let path: String
    private let replaces: Bool
    private let descriptor: Int32
    /// Nil for what is written into directly.
    private let entry: UnfinishedEntry?

    /// Begins a file, for whom the umask says, or for whom one that gives way is.
    /// - Parameter replaces: whether a file that is there gives way.
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
            // A link stays one.
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

    /// Gives the file its name.
    /// - Throws: ``ExportError``; then what was there is there.
    package func finish() throws(ExportError) {
        guard let entry else { return }
        guard fsync(descriptor) == 0 else { throw .cannotWrite(path, reason: "\(SystemError.current)") }
        // Other than renaming, linking takes no name that was given meanwhile; some file systems have no links.
        if !replaces {
            if link(entry.path, path) == 0 { return }
            if errno == EEXIST { throw .exists(path) }
        }
        guard rename(entry.path, path) == 0 else { throw .cannotCreate(path, reason: "\(SystemError.current)") }
        entry.isFinished = true
    }

    /// What is there; nil for nothing.
    private static func kind(of path: String) throws(ExportError) -> FileTree.Kind? {
        do throws(SystemError) {
            return try FileTree.kind(of: FilePath(path))
        } catch {
            if error.code == ENOENT { return nil }
            throw .cannotCreate(path, reason: "\(error)")
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Writes all of the bytes.
    func write(to descriptor: Int32) throws(SystemError) {
        var rest = self
        while !rest.isEmpty {
            let count = Platform.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno != EINTR { throw .current }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Swift.max(0, count)))
        }
    }
}

extension String {
    /// The path up to its last part, with the slash; empty for a name alone.
    var folderPrefix: String { utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[...$0]) } ?? "" }
}

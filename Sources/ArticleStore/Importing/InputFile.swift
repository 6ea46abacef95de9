import Essentials
import Platform

/// A file descriptor to read from, closed at the end where it was opened here.
final class InputFile {
    private let descriptor: Int32
    private let isOwned: Bool
    /// The file that is read, where it was made here.
    private let kept: TemporaryFile?
    /// How long to wait at once for what is written into it, in milliseconds; nil where what is there is all there is.
    private let patience: Int32?
    /// When what is read was written last; nil for what is no file.
    let modified: Date?
    /// Why what was kept here is not all that there was.
    private let failure: SystemError?

    /// Opens a file. For one that others write into, a pipe with a name, nobody waits here.
    ///
    /// - Parameter followsLinks: whether the last part of the path may be a symbolic link.
    init(path: FilePath, followsLinks: Bool = true) throws(SystemError) {
        descriptor = open(path.bytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw .current }
        isOwned = true
        kept = nil
        failure = nil
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            (patience, modified) = (nil, nil)
            return
        }
        let kind = status.st_mode & S_IFMT
        patience = kind == S_IFIFO ? 100 : nil
        modified = kind == S_IFREG ? FileTree.modified(status) : nil
    }

    /// Opens a file in a folder; anything else is refused, a symbolic link too.
    init(_ name: [CChar], in folder: OpenFolder) throws(SystemError) {
        descriptor = try folder.open(name)
        isOwned = true
        kept = nil
        patience = nil
        failure = nil
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            modified = nil
            // It was a file a moment ago.
            throw SystemError(code: ESTALE)
        }
        modified = FileTree.modified(status)
    }

    /// Reads from a descriptor and leaves it open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        isOwned = false
        kept = nil
        patience = nil
        failure = nil
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        modified = isFile ? FileTree.modified(status) : nil
    }

    /// Reads all of `source` into a temporary file, to be read from there. Where the source fails, what came before is kept, and
    /// reading fails after it.
    ///
    /// - Parameters:
    ///   - folder: where the file is.
    ///   - check: called before each piece, and when a signal interrupts reading.
    /// - Throws: `SpoolError` where the file cannot be made or is not large enough, and what `check` throws.
    init(spooling source: InputFile, in folder: String, check: () throws -> Void) throws {
        let kept: TemporaryFile
        do { kept = try TemporaryFile(in: folder) } catch { throw SpoolError(cause: error) }
        failure = try Self.copy(source, into: kept, check: check)
        do throws(SystemError) { try kept.rewind() } catch { throw SpoolError(cause: error) }
        descriptor = kept.descriptor
        isOwned = false
        self.kept = kept
        patience = nil
        modified = nil
    }

    /// - Returns: why the source could not be read to its end; nil where it was.
    private static func copy(
        _ source: InputFile, into file: TemporaryFile, check: () throws -> Void
    ) throws -> SystemError? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            try check()
            let count: Int
            do throws(SystemError) {
                guard let some = try source.read(into: buffer) else { continue }
                count = some
            } catch {
                return error
            }
            if count == 0 { return nil }
            do throws(SystemError) {
                try file.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } catch {
                throw SpoolError(cause: error)
            }
        }
    }

    /// Why a temporary file cannot be used.
    struct SpoolError: Error { let cause: SystemError }

    deinit { if isOwned { close(descriptor) } }

    /// Puts the next bytes where it is told.
    /// - Returns: how many; 0 at the end, nil where a signal came in between or nothing is there yet.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        if let patience {
            var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&source, 1, patience) > 0 else { return nil }
        }
        let count = Platform.read(descriptor, buffer.baseAddress, buffer.count)
        if count == 0, let failure { throw failure }
        if count >= 0 { return count }
        guard errno == EINTR || errno == EAGAIN else { throw .current }
        return nil
    }
}

import Essentials
import Platform

/// A file descriptor to read from, closed at the end where it was opened here.
final class InputFile {
    private let descriptor: Int32
    private let isOwned: Bool
    /// How long to wait at once for what is written into it, in milliseconds; nil where what is there is all there is.
    private let patience: Int32?
    /// When what is read was written last; nil for what is no file that was opened here.
    let modified: Date?

    /// Opens a file. For one that others write into, a pipe with a name, nobody waits here.
    init(path: FilePath) throws(SystemError) {
        descriptor = open(path.bytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .current }
        isOwned = true
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            (patience, modified) = (nil, nil)
            return
        }
        let kind = status.st_mode & S_IFMT
        patience = kind == S_IFIFO ? 100 : nil
        modified = kind == S_IFREG ? FileTree.modified(status) : nil
    }

    /// Reads from a descriptor and leaves it open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        isOwned = false
        patience = nil
        modified = nil
    }

    /// Reads all of `source` into a temporary file, to be read from there. The file has no name and goes with this value,
    /// also when the process is killed.
    ///
    /// - Parameters:
    ///   - folder: where the file is.
    ///   - check: called before each piece, and when a signal interrupts reading.
    /// - Throws: `SpoolError` where the file cannot be made or is not large enough, `SystemError` where the source
    ///   cannot be read, and what `check` throws.
    init(spooling source: InputFile, in folder: String, check: () throws -> Void) throws {
        var path = Array((folder + "/articlesctl.XXXXXX").utf8CString)
        // Of mode 0600.
        descriptor = mkstemp(&path)
        isOwned = true
        patience = nil
        modified = nil
        guard descriptor >= 0 else { throw SpoolError(cause: .current) }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            try check()
            guard let count = try source.read(into: buffer) else { continue }
            if count == 0 { break }
            var rest = UnsafeRawBufferPointer(buffer)[..<count]
            while !rest.isEmpty {
                let written = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0, errno != EINTR { throw SpoolError(cause: .current) }
                rest = rest.dropFirst(max(0, written))
            }
        }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SpoolError(cause: .current) }
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
        if count >= 0 { return count }
        guard errno == EINTR || errno == EAGAIN else { throw .current }
        return nil
    }
}

import ArticleStore
import Platform
import Text

/// A file descriptor for reading. It is closed at the end if this type has opened it.
final class InputFile {
    private let descriptor: Int32
    private let isOwned: Bool
    /// The temporary file that is read, if this type has created it.
    private let temporary: TemporaryFile?
    /// The time to wait for more data, in milliseconds; nil if the file does not grow.
    private let pollTimeout: Int32?
    /// The modification time; nil if it is not a file.
    let modified: Date?
    /// The error that made the temporary file incomplete.
    private let failure: SystemError?

    /// Opens a file. Opening does not wait for the writer of a named pipe.
    ///
    /// - Parameter followsLinks: whether the last part of the path may be a symbolic link.
    init(path: FilePath, followsLinks: Bool = true) throws(SystemError) {
        descriptor = open(path.bytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw .current }
        isOwned = true
        temporary = nil
        failure = nil
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            (pollTimeout, modified) = (nil, nil)
            return
        }
        let kind = status.st_mode & S_IFMT
        pollTimeout = kind == S_IFIFO ? 100 : nil
        modified = kind == S_IFREG ? status.modified : nil
    }

    /// Opens a file in a folder. Other kinds of entries are refused, including symbolic links.
    init(_ name: [CChar], in folder: OpenFolder) throws(SystemError) {
        descriptor = try folder.open(name)
        isOwned = true
        temporary = nil
        pollTimeout = nil
        failure = nil
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            modified = nil
            // It was a file when the folder was read, and was replaced since.
            throw SystemError(code: ESTALE)
        }
        modified = status.modified
    }

    /// Reads from a descriptor and leaves it open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        isOwned = false
        temporary = nil
        pollTimeout = nil
        failure = nil
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        modified = isFile ? status.modified : nil
    }

    /// Copies all of `source` into a temporary file and reads from there. If the source fails, the data before the
    /// failure can be read, and reading fails after it.
    ///
    /// - Parameters:
    ///   - folder: the folder of the temporary file.
    ///   - check: called before each piece, and when a signal interrupts reading.
    /// - Throws: `SpoolError` if the file cannot be created or written, and errors of `check`.
    init(spooling source: InputFile, in folder: String, check: () throws -> Void) throws {
        let temporary: TemporaryFile
        do { temporary = try TemporaryFile(in: folder) } catch { throw SpoolError(cause: error) }
        failure = try Self.copy(source, into: temporary, check: check)
        do throws(SystemError) { try temporary.rewind() } catch { throw SpoolError(cause: error) }
        descriptor = temporary.descriptor
        isOwned = false
        self.temporary = temporary
        pollTimeout = nil
        modified = nil
    }

    /// - Returns: the error that stopped the reading of the source; nil if it was read.
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

    /// The reason why a temporary file cannot be used.
    struct SpoolError: Error { let cause: SystemError }

    deinit { if isOwned { close(descriptor) } }

    /// Fills the buffer with the next bytes.
    ///
    /// - Returns: the number of bytes; 0 at the end; nil if a signal interrupted reading or no data is available yet.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        if let pollTimeout {
            var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&source, 1, pollTimeout) > 0 else { return nil }
        }
        let count = Platform.read(descriptor, buffer.baseAddress, buffer.count)
        if count == 0, let failure { throw failure }
        if count >= 0 { return count }
        guard errno == EINTR || errno == EAGAIN else { throw .current }
        return nil
    }
}

extension stat {
    fileprivate var modified: Date {
        #if canImport(Darwin)
            let time = st_mtimespec
        #else
            let time = st_mtim
        #endif
        return Date(timeIntervalSince1970: Double(time.tv_sec))
    }
}

extension FilePath {
    /// The path as a text that is unique and safe to print.
    var exact: ExactText { ExactText(escaped) }

    init(exact: ExactText) { self.init(escaped: exact.text) }
}

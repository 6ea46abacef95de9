/// A path as a sequence of bytes, as in the operating system. It may be invalid UTF-8.
package struct FilePath {
    /// The bytes with a terminating zero.
    package let bytes: [CChar]

    package init(_ text: String) { bytes = Array(text.utf8CString) }

    private init(bytes: [CChar]) { self.bytes = bytes }

    /// Creates the path of a single name, which has a terminating zero.
    package init(name: [CChar]) { bytes = name }

    /// Returns the path of an entry in this folder.
    package func appending(_ name: some Sequence<CChar>) -> FilePath {
        let slash = CChar(bitPattern: UInt8(ascii: "/"))
        let folder = bytes.dropLast()
        return FilePath(bytes: folder + (folder.last == slash ? [] : [slash]) + name + [0])
    }

    /// Returns the parts of the path below a folder, each with a terminating zero; nil if it is not in the folder.
    package func parts(below folder: FilePath) -> [[CChar]]? {
        let slash = CChar(bitPattern: UInt8(ascii: "/"))
        var start = folder.bytes.dropLast()
        if start.last != slash { start.append(slash) }
        guard bytes.count > start.count + 1, bytes.starts(with: start) else { return nil }
        return bytes.dropFirst(start.count).dropLast().split(separator: slash).map { $0 + [0] }
    }

    /// The absolute path without symbolic links; nil if the file cannot be reached.
    package var resolved: FilePath? {
        guard let path = realpath(bytes, nil) else { return nil }
        defer { free(path) }
        return FilePath(bytes: Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1)))
    }

    /// Whether the path exists, even as a broken symbolic link.
    package var exists: Bool {
        var status = stat()
        return lstat(bytes, &status) == 0
    }

    /// Whether the path is a regular file. A symbolic link in the last part is not followed.
    package var isFile: Bool {
        var status = stat()
        return lstat(bytes, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Creates the path from its ``escaped`` text.
    package init(escaped: String) {
        var bytes: [CChar] = []
        var rest = escaped.utf8[...]
        while let byte = rest.popFirst() {
            if byte == Self.backslash, let byte = Self.escapedByte(rest) {
                bytes.append(CChar(bitPattern: byte))
                rest = rest.dropFirst(3)
            } else {
                bytes.append(CChar(bitPattern: byte))
            }
        }
        self.bytes = bytes + [0]
    }

    private static let backslash = UInt8(ascii: "\\")

    /// Returns the byte that an escape such as `xE9` after a backslash stands for; nil if the backslash is part of a
    /// name. Only invalid UTF-8 and the backslash itself are escaped.
    private static func escapedByte(_ bytes: some Collection<UInt8>) -> UInt8? {
        let digits = bytes.dropFirst().prefix(2)
        guard bytes.first == UInt8(ascii: "x"), digits.count == 2,
            let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), byte >= 0x80 || byte == backslash
        else { return nil }
        return byte
    }

    /// The path as a text that is unique and safe to print: bytes that are invalid UTF-8 are written as `\xE9`, and a
    /// backslash that could be confused with such an escape as `\x5C`.
    package var escaped: String { Self.escaped(bytes.dropLast().map { UInt8(bitPattern: $0) }[...]) }

    private static func escaped(_ path: ArraySlice<UInt8>) -> String {
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = path.makeIterator()
        var read = path.startIndex
        func escape(_ byte: UInt8) -> String { "\\x" + String(byte, radix: 16, uppercase: true) }
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar):
                let start = read
                read += scalar.count
                if path[start] == backslash, escapedByte(path[read...]) != nil {
                    text += escape(backslash)
                } else {
                    text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
                }
            case .error(let length):
                for byte in path[read..<read + length] { text += escape(byte) }
                read += length
            case .emptyInput: return text
            }
        }
    }

    /// The path for display, with U+FFFD for invalid bytes.
    package var text: String { bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" } }

    /// The last part of the path, in the form of ``escaped``.
    package var name: String {
        let slash = UInt8(ascii: "/")
        var path = bytes.dropLast().map { UInt8(bitPattern: $0) }[...]
        while path.count > 1, path.last == slash { path.removeLast() }
        return Self.escaped(path.suffix(from: path.lastIndex(of: slash).map { $0 + 1 } ?? path.startIndex))
    }
}

/// The kind of a file. Symbolic links are followed.
package enum FileKind {
    case file, folder
    /// A pipe, a socket, or a device.
    case stream

    /// Returns the kind of the file at a path.
    package init(of path: FilePath) throws(SystemError) {
        var status = stat()
        guard stat(path.bytes, &status) == 0 else { throw .current }
        self.init(status)
    }

    /// Returns the kind of the file behind an open descriptor.
    package init(of descriptor: Int32) throws(SystemError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .current }
        self.init(status)
    }

    private init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        default: self = .stream
        }
    }
}

/// Identifies a file regardless of its name.
package struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64

    package init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

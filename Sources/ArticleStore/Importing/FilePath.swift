import Platform

/// A path as a sequence of bytes, as in the operating system. It may be invalid UTF-8.
struct FilePath {
    /// The bytes with a terminating zero.
    let bytes: [CChar]

    init(_ text: String) { bytes = Array(text.utf8CString) }

    private init(bytes: [CChar]) { self.bytes = bytes }

    /// Creates the path of a single name, which has a terminating zero.
    init(name: [CChar]) { bytes = name }

    /// Returns the path of an entry in this folder.
    func appending(_ name: some Sequence<CChar>) -> FilePath {
        let slash = CChar(bitPattern: UInt8(ascii: "/"))
        let folder = bytes.dropLast()
        return FilePath(bytes: folder + (folder.last == slash ? [] : [slash]) + name + [0])
    }

    /// Returns the parts of the path below a folder, each with a terminating zero; nil if it is not in the folder.
    func parts(below folder: FilePath) -> [[CChar]]? {
        let slash = CChar(bitPattern: UInt8(ascii: "/"))
        var start = folder.bytes.dropLast()
        if start.last != slash { start.append(slash) }
        guard bytes.count > start.count + 1, bytes.starts(with: start) else { return nil }
        return bytes.dropFirst(start.count).dropLast().split(separator: slash).map { $0 + [0] }
    }

    /// The absolute path without symbolic links; nil if the file cannot be reached.
    var resolved: FilePath? {
        guard let path = realpath(bytes, nil) else { return nil }
        defer { free(path) }
        return FilePath(bytes: Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1)))
    }

    /// Whether the path exists, even as a broken symbolic link.
    var exists: Bool {
        var status = stat()
        return lstat(bytes, &status) == 0
    }

    /// Creates the path from its ``exact`` text.
    init(exact: ExactText) {
        var bytes: [CChar] = []
        var rest = exact.text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == Self.backslash, let escaped = Self.escaped(rest) {
                bytes.append(CChar(bitPattern: escaped))
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
    private static func escaped(_ bytes: some Collection<UInt8>) -> UInt8? {
        let digits = bytes.dropFirst().prefix(2)
        guard bytes.first == UInt8(ascii: "x"), digits.count == 2,
            let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), byte >= 0x80 || byte == backslash
        else { return nil }
        return byte
    }

    /// The path as a text that is unique and safe to print: bytes that are invalid UTF-8 are written as `\xE9`, and a
    /// backslash that could be confused with such an escape as `\x5C`.
    var exact: ExactText { Self.exact(bytes.dropLast().map { UInt8(bitPattern: $0) }[...]) }

    private static func exact(_ path: ArraySlice<UInt8>) -> ExactText {
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
                if path[start] == backslash, escaped(path[read...]) != nil {
                    text += escape(backslash)
                } else {
                    text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
                }
            case .error(let length):
                for byte in path[read..<read + length] { text += escape(byte) }
                read += length
            case .emptyInput: return ExactText(text)
            }
        }
    }

    /// The path for display, with U+FFFD for invalid bytes.
    var text: String { bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" } }

    /// The last part of the path, in the form of ``exact``.
    var name: String {
        let slash = UInt8(ascii: "/")
        var path = bytes.dropLast().map { UInt8(bitPattern: $0) }[...]
        while path.count > 1, path.last == slash { path.removeLast() }
        return Self.exact(path.suffix(from: path.lastIndex(of: slash).map { $0 + 1 } ?? path.startIndex)).text
    }
}

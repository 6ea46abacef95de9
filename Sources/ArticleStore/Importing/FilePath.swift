import Platform

/// A path as the system has it: bytes, which need not be text.
struct FilePath {
    /// The bytes and the 0 that ends them.
    let bytes: [CChar]

    init(_ text: String) { bytes = Array(text.utf8CString) }

    private init(bytes: [CChar]) { self.bytes = bytes }

    /// One name of a path, with the 0 that ends it.
    init(name: [CChar]) { bytes = name }

    /// The path of what has this name in the folder that is here.
    func appending(_ name: some Sequence<CChar>) -> FilePath {
        let slash = CChar(bitPattern: UInt8(ascii: "/"))
        let folder = bytes.dropLast()
        return FilePath(bytes: folder + (folder.last == slash ? [] : [slash]) + name + [0])
    }

    /// The parts of the rest of the path below a folder, each with the 0 that ends it; nil where it is not in it.
    func parts(below folder: FilePath) -> [[CChar]]? {
        let slash = CChar(bitPattern: UInt8(ascii: "/"))
        var start = folder.bytes.dropLast()
        if start.last != slash { start.append(slash) }
        guard bytes.count > start.count + 1, bytes.starts(with: start) else { return nil }
        return bytes.dropFirst(start.count).dropLast().split(separator: slash).map { $0 + [0] }
    }

    /// The same place as an absolute path without symbolic links; nil where it cannot be reached.
    var resolved: FilePath? {
        guard let path = realpath(bytes, nil) else { return nil }
        defer { free(path) }
        return FilePath(bytes: Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1)))
    }

    /// Whether something is there, were it only a link that leads nowhere.
    var exists: Bool {
        var status = stat()
        return lstat(bytes, &status) == 0
    }

    /// Whether something is at a path whose parts are as ``name`` has them.
    static func exists(_ path: String) -> Bool {
        if FilePath(path).exists { return true }
        return path.utf8.contains(UInt8(ascii: "\\")) && FilePath(unescaping: path).exists
    }

    /// The path that has its bytes that are not UTF-8 for `\xE9` and its like.
    private init(unescaping text: String) {
        var bytes: [CChar] = []
        var rest = Substring(text).utf8
        while let byte = rest.first {
            let digits = rest.dropFirst(2).prefix(2)
            if rest.starts(with: "\\x".utf8), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value >= 0x80
            {
                bytes.append(CChar(bitPattern: value))
                rest = rest.dropFirst(4)
            } else {
                bytes.append(CChar(bitPattern: byte))
                rest = rest.dropFirst()
            }
        }
        self.bytes = bytes + [0]
    }

    /// The path for people, with U+FFFD for what is not UTF-8.
    var text: String { bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" } }

    /// The last part of the path, bytes that are not UTF-8 written as `\xE9`: other than ``text``, it tells any two names
    /// apart.
    var name: String {
        let slash = UInt8(ascii: "/")
        var path = bytes.dropLast().map { UInt8(bitPattern: $0) }[...]
        while path.count > 1, path.last == slash { path.removeLast() }
        let name = path.suffix(from: path.lastIndex(of: slash).map { $0 + 1 } ?? path.startIndex)
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = name.makeIterator()
        var read = name.startIndex
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar):
                text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
                read += scalar.count
            case .error(let length):
                for byte in name[read..<read + length] { text += "\\x" + String(byte, radix: 16, uppercase: true) }
                read += length
            case .emptyInput: return text
            }
        }
    }
}

/// A path as the system has it: bytes, which need not be text.
struct FilePath {
    /// The bytes and the 0 that ends them.
    let bytes: [CChar]

    init(_ text: String) { bytes = Array(text.utf8CString) }

    private init(bytes: [CChar]) { self.bytes = bytes }

    /// The path of what has this name in the folder that is here.
    func appending(_ name: some Sequence<CChar>) -> FilePath {
        let slash = CChar(bitPattern: UInt8(ascii: "/"))
        let folder = bytes.dropLast()
        return FilePath(bytes: folder + (folder.last == slash ? [] : [slash]) + name + [0])
    }

    /// The path for people, with U+FFFD for what is not UTF-8.
    var text: String { bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" } }
}

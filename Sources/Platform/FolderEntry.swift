/// The next entry of a folder, as `readdir` gives it.
///
/// An entry is as long as its name, and the name's type longer: who copies `d_name`, or asks for the size of its value, reads
/// what lies behind the entry, which may be nothing. So its bytes are reached through where they begin.
extension UnsafePointer<dirent> {
    /// The bytes of the name, with the 0 that ends it.
    public var name: [CChar] {
        guard let start = UnsafeRawPointer(pointer(to: \.d_name))?.assumingMemoryBound(to: CChar.self) else {
            return [0]
        }
        return Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
    }
}

/// The names of all that is in the folder at `path`, `.` and `..` among them, in the order of the file system; none where it
/// may not be read. Bytes of a name that are not UTF-8 are replaced.
public func folderNames(_ path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        names.append(String(decoding: UnsafePointer(entry).name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    return names
}

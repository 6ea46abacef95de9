/// The next entry of a folder, as `readdir` returns it.
///
/// An entry is only as long as its name, but its type is longer. Copying `d_name`, or asking for its size, would read
/// memory after the entry, which may not exist. So this extension accesses the bytes through a pointer to their start.
extension UnsafePointer<dirent> {
    /// The bytes of the name, with the 0 at the end.
    public var name: [CChar] {
        guard let start = UnsafeRawPointer(pointer(to: \.d_name))?.assumingMemoryBound(to: CChar.self) else {
            return [0]
        }
        return Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
    }
}

/// Returns the names of all entries in the folder at `path`, including `.` and `..`, in the order of the file system.
/// If the folder cannot be read, the result is empty. Bytes of a name that are not UTF-8 are replaced.
public func folderNames(_ path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        names.append(String(decoding: UnsafePointer(entry).name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    return names
}

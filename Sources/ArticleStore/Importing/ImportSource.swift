import Platform

/// The origin of articles.
public enum ImportSource: Sendable, Hashable {
    /// A file or a folder. In a folder, at any depth, the import reads files whose names end in `.md`, `.markdown`,
    /// `.mdown`, `.html`, `.htm`, `.json`, `.jsonl`, or `.ndjson`, and feeds in XML, in the order of their names. Names
    /// that begin with a dot are skipped. A folder that is reached a second time, such as through a symbolic link to a
    /// parent folder, is skipped too.
    case path(String)
    /// An open file descriptor, with the name for reports. It is read to its end and left open.
    case descriptor(Int32, name: String)

    /// Whether it is a device, such as the terminal. A device is read only if the user named it on the command line.
    public var isDevice: Bool {
        guard case .path(let path) = self else { return false }
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT)
    }

    /// Standard input. Reports call it `-`.
    public static let standardInput = ImportSource.descriptor(0, name: "-")
}

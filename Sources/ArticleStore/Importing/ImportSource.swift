import Platform

/// Where articles come from.
public enum ImportSource: Sendable, Hashable {
    /// A file or a folder. In a folder, at any depth, the files are read whose names end in `.md`, `.markdown`,
    /// `.mdown`, `.html`, `.htm`, `.json`, `.jsonl` or `.ndjson`, and feeds in XML, in the order of their names. Names that begin with a
    /// dot are passed over, and so is what a folder is reached by a second time, such as through a symbolic link to a
    /// folder above.
    case path(String)
    /// An open file descriptor, read to its end and left open, with the name that reports call it by.
    case descriptor(Int32, name: String)

    /// Whether it is a device, such as the terminal that somebody types at: such a thing is read only where it was asked for
    /// on a command line.
    public var isDevice: Bool {
        guard case .path(let path) = self else { return false }
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT)
    }

    /// Standard input, which reports call `-`.
    public static let standardInput = ImportSource.descriptor(0, name: "-")
}

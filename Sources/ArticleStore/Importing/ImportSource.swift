/// Where articles come from.
public enum ImportSource: Sendable, Hashable {
    /// A file or a folder. In a folder, at any depth, the files are read whose names end in `.md`, `.markdown`,
    /// `.mdown`, `.html`, `.htm`, `.json`, `.jsonl` or `.ndjson`, in the order of their names. Names that begin with a
    /// dot are passed over, and so is what a folder is reached by a second time, such as through a symbolic link to a
    /// folder above.
    case path(String)
    /// An open file descriptor, read to its end and left open, with the name that reports call it by.
    case descriptor(Int32, name: String)

    /// Standard input, which reports call `-`.
    public static let standardInput = ImportSource.descriptor(0, name: "-")
}

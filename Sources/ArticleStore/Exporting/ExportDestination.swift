/// The destination of an export.
public enum ExportDestination {
    /// A function that receives the export in pieces. A text is never split between pieces.
    case stream((UnsafeRawBufferPointer) throws -> Void)
    /// A file or folder, which appears under its name only when it is complete.
    ///
    /// An existing file or folder is an error unless `replaces` is true. Then a file is replaced. In a folder that an
    /// export has written, all entries are replaced except those whose names begin with a dot. Other folders are never
    /// replaced.
    case path(String, replaces: Bool)
}

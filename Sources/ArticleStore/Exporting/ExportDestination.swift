/// Where an export goes.
public enum ExportDestination {
    /// To whoever takes its pieces, each whole text, as they come.
    case stream((UnsafeRawBufferPointer) throws -> Void)
    /// To a file or folder, which is there when it is whole and not before.
    ///
    /// What is there already is left alone, unless it is replaced: a file; of a folder that an export has written, what does not
    /// begin with a dot; of any other folder nothing.
    case path(String, replaces: Bool)
}

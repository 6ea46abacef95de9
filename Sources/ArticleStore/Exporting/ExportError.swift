import Platform

/// The reason why an export was not written.
public enum ExportError: Error, Hashable, CustomStringConvertible {
    /// The format is a folder of files, and cannot be written to a stream.
    case needsFolder(ExportFormat)
    /// The destination exists already.
    case exists(String)
    /// The folder is not empty.
    case notEmpty(String)
    /// The folder was not written by an export, and an existing entry of it would be lost.
    case wouldReplace(String, name: String)
    /// The destination must be a file, but is a folder.
    case isFolder(String)
    /// The destination must be a folder, but is something else.
    case isNoFolder(String)
    /// A file or folder cannot be created.
    case cannotCreate(String, reason: String)
    /// A file cannot be written: for example, because the disk is full, the quota is reached, or the device is
    /// defective.
    case cannotWrite(String, reason: String)

    /// The error in words for the user.
    public var description: String {
        switch self {
        case .needsFolder(let format): "\(format.rawValue) is a folder of files: nothing else can take it"
        case .exists(let path): "there is a file \(path) already"
        case .notEmpty(let path): "the folder \(path) is not empty"
        case .wouldReplace(let path, let name): "“\(name)” in \(path) is of no export: it is not replaced"
        case .isFolder(let path): "\(path) is a folder: this is written into one file"
        case .isNoFolder(let path): "\(path) is no folder"
        case .cannotCreate(let path, let reason): "\(path) cannot be created: \(reason)"
        case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)"
        }
    }
}

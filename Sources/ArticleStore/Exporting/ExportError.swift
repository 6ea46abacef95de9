import Platform

/// Why an export was not written.
public enum ExportError: Error, Hashable, CustomStringConvertible {
    /// It is a folder of files, and was to go to a stream.
    case needsFolder(ExportFormat)
    /// Something is there already.
    case exists(String)
    /// The folder has something in it already.
    case notEmpty(String)
    /// No export has written the folder, and what it holds by that name would be lost.
    case wouldReplace(String, name: String)
    /// A folder is where a file is to be.
    case isFolder(String)
    /// Something else is where a folder is to be.
    case isNoFolder(String)
    /// A file or folder cannot be made.
    case cannotCreate(String, reason: String)
    /// A file cannot be written: the disk is full, the quota reached, the device broken.
    case cannotWrite(String, reason: String)

    /// A sentence for people.
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

import ArticleStore
import Platform
package import Text

/// The metadata that an export states about itself.
public struct ExportOptions: Sendable, Hashable {
    /// The title of a feed, a list of feeds, or a folder of pages.
    public var title: String
    /// The future web address of a feed or a folder of pages; nil if it is unknown.
    public var url: String?

    /// Creates options.
    public init(title: String = "Articles", url: String? = nil) {
        self.title = title
        self.url = url
    }
}

/// The format of an export.
public enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    /// JSON Lines: first an object with the sources, then one line per article with all of its data.
    case jsonl
    /// A folder with one file with front matter per article, and one file with the sources.
    case markdown
    /// A feed in Atom 1.0 (RFC 4287).
    case atom
    /// A feed in JSON Feed 1.1.
    case jsonfeed
    /// A folder of web pages, with feeds of the newest articles.
    case html
    /// A list of the sources that are feeds, in OPML 2.0.
    case opml

    /// Whether the format is a folder rather than a stream of bytes.
    public var isFolder: Bool { if case .folder = shape { true } else { false } }

    /// Whether an import reads the export as the same articles.
    public var isRead: Bool { self == .jsonl || self == .markdown }

    /// Creates the writer of the format, depending on the kind of its destination.
    enum Shape {
        case stream((Export, ByteSink) -> any ExportWriter)
        case folder((Export, NewFolder) -> any ExportWriter)
    }

    var shape: Shape {
        switch self {
        case .jsonl: .stream { JSONLinesExport(export: $0, sink: $1) }
        case .markdown: .folder { MarkdownExport(export: $0, folder: $1) }
        case .atom: .stream { AtomExport(export: $0, sink: $1) }
        case .jsonfeed: .stream { JSONFeedExport(export: $0, sink: $1) }
        case .html: .folder { SiteExport(export: $0, folder: $1) }
        case .opml: .stream { OPMLExport(export: $0, sink: $1) }
        }
    }
}

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

/// The result of an export.
public struct ExportReport: Sendable, Hashable {
    /// The number of articles.
    public var articles = 0
    /// The number of feeds in a list of feeds.
    public var feeds = 0
    /// The number of files; 0 for a stream.
    public var files = 0
    /// Whether the export was stopped before its end. Then it leaves no file or folder.
    public var isInterrupted = false

    /// Creates an empty report.
    public init() {}
}

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
        case .needsFolder(let format): "the format \(format.rawValue) writes a folder, not a stream"
        case .exists(let path): "the file \(path) already exists"
        case .notEmpty(let path): "the folder \(path) is not empty"
        case .wouldReplace(let path, let name):
            "“\(name)” in \(path) was not written by an export, so it is not replaced"
        case .isFolder(let path): "\(path) is a folder, but this format is one file"
        case .isNoFolder(let path): "\(path) is not a folder"
        case .cannotCreate(let path, let reason): "cannot create \(path): \(reason)"
        case .cannotWrite(let path, let reason): "cannot write \(path): \(reason)"
        }
    }
}

extension ExportError: ExplainedError {
    package var errorKind: ErrorKind {
        switch self {
        case .needsFolder: .usage
        case .exists, .notEmpty, .wouldReplace, .isFolder, .isNoFolder, .cannotCreate: .cannotCreate
        case .cannotWrite: .inputOutput
        }
    }

    package var hint: String? {
        switch self {
        case .needsFolder: "pass the path of the folder with --output"
        case .exists: "choose another name, or replace it with --force"
        case .notEmpty: "choose another folder, or replace its content with --force"
        case .wouldReplace: "move that file away, or choose another folder"
        case .isFolder, .isNoFolder: "choose another name"
        case .cannotCreate: "check that its folder exists and that you may write there"
        case .cannotWrite: "check the disk: it may be full, over its quota, or failing"
        }
    }
}

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

/// What an export wrote.
public struct ExportReport: Sendable, Hashable {
    /// How many articles.
    public var articles = 0
    /// How many feeds, of a list of them.
    public var feeds = 0
    /// How many files; 0 where it went to a stream.
    public var files = 0
    /// Whether it was stopped before its end. Then no file and no folder of it is left.
    public var isInterrupted = false

    /// A report of nothing.
    public init() {}
}

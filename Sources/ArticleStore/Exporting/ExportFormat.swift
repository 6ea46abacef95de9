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

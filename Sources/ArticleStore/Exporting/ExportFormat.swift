/// What an export is written as.
public enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    /// JSON Lines: the sources in an object, and then an article a line with all that is known of it.
    case jsonl
    /// A folder of files with front matter, one an article, and one of the sources.
    case markdown
    /// A feed in Atom 1.0 (RFC 4287).
    case atom
    /// A feed in JSON Feed 1.1.
    case jsonfeed
    /// A folder of pages for a browser, with feeds of the newest articles.
    case html
    /// A list of the sources that are feeds, in OPML 2.0.
    case opml

    /// Whether it is a folder, and no stream of bytes.
    public var isFolder: Bool { if case .folder = shape { true } else { false } }

    /// Whether an import reads it as the same articles.
    public var isRead: Bool { self == .jsonl || self == .markdown }

    /// What writes it, by what it writes into.
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

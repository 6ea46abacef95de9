import Text

/// The notation of a file of articles.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// Markdown or MDX, with or without front matter in YAML (between `---`), TOML (between `+++`), or JSON. One
    /// article per file.
    case markdown
    /// HTML, with or without front matter; one article per file.
    case html
    /// Plain text, with or without front matter; one article per file.
    case text
    /// An array of objects, or a sequence of objects, each of which is an article or a JSON Feed.
    case json
    /// JSON Lines, also called NDJSON: one object per line, each of which is an article.
    case jsonl
    /// A feed in XML: RSS 0.90 to 2.0, Atom 0.3 and 1.0. Also a list of feeds (OPML), which contains no articles.
    case feed
    /// A WordPress export: RSS with elements of its own (WXR).
    case wordpress
    /// A Ghost export: the tables of its database in JSON.
    case ghost
    /// A list of links in HTML: a bookmark file of a browser, or an export of Pocket.
    case bookmarks
    /// A list of feeds of newsboat (`urls`), which contains no articles.
    case newsboat
    /// A table (RFC 4180) of articles or links whose first row names the columns, including exports of Pocket and
    /// Instapaper.
    case csv

    /// Creates the format from the extension of a file name; nil if it is unknown.
    package init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[dot...].dropFirst().lowercased() {
        case "md", "markdown", "mdown", "mdx": self = .markdown
        case "html", "htm": self = .html
        case "txt": self = .text
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        case "xml", "rss", "atom", "rdf", "opml": self = .feed
        case "csv": self = .csv
        default: return nil
        }
    }

    /// Returns the notation of a document that imports cannot read, by its file extension.
    package static func unsupportedFormat(fileName: String) -> String? {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        return switch fileName[dot...].dropFirst().lowercased() {
        case "org": "Org"
        case "adoc", "asciidoc", "asc": "AsciiDoc"
        case "rst", "rest": "reStructuredText"
        case "textile": "Textile"
        case "wiki", "mediawiki": "wiki text"
        case "typ": "Typst"
        case "tex", "latex": "LaTeX"
        case "rtf": "RTF"
        case "doc", "docx", "odt": "a format of word processors"
        case "epub": "EPUB"
        case "pdf": "PDF"
        default: nil
        }
    }
}

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
    /// A table (RFC 4180) of articles or links whose first row names the columns, including exports of Pocket and
    /// Instapaper.
    case csv

    /// Creates the format from the extension of a file name; nil if it is unknown.
    init?(fileName: String) {
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
    static func unreadNotation(fileName: String) -> String? {
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
        case "doc", "docx", "odt": "a word processor's format"
        case "epub": "EPUB"
        case "pdf": "PDF"
        default: nil
        }
    }

    /// Detects the format from the start of a text. A feed is recognized whatever the file is named. Otherwise the file
    /// name counts; without one, a text that begins with a bracket is JSON, or JSON Lines if the first line is a
    /// complete object; any other text is Markdown.
    ///
    /// - Parameter ending: the format of the file name.
    init(start: UnsafeBufferPointer<UInt8>, ending: ImportFormat?) {
        let text = start.starts(with: ByteReader.byteOrderMark) ? start.dropFirst(3) : start[...]
        let trimmed = text.trimmed
        let root = XMLRoot(trimmed)
        if let root, root.isFeed || root.isList {
            self = root.isWordPress ? .wordpress : .feed
            return
        }
        if GhostReader.isGhost(UnsafeBufferPointer(rebasing: trimmed)) {
            self = .ghost
            return
        }
        if BookmarkReader.isBookmarks(UnsafeBufferPointer(rebasing: trimmed)) {
            self = .bookmarks
            return
        }
        let isJSON = trimmed.first == UInt8(ascii: "{") || trimmed.first == UInt8(ascii: "[")
        if ending == nil || ending == .text, !isJSON, TableHeader(start: UnsafeBufferPointer(rebasing: trimmed)) != nil
        {
            self = .csv
            return
        }
        if let ending, ending != .feed {
            self = ending
            return
        }
        if let root {
            self = root.isPage ? .html : .feed
            return
        }
        switch trimmed.first {
        case UInt8(ascii: "["): self = .json
        case UInt8(ascii: "{"):
            let line = UnsafeBufferPointer(rebasing: trimmed.prefix { $0 != 0x0A })
            // If the first line is longer than the available bytes, assume JSON Lines.
            self = line.count == trimmed.count || (try? JSONParser.value(of: line)) != nil ? .jsonl : .json
        default: self = ending ?? .markdown
        }
    }

    /// Whether more bytes could change the detected format. They cannot if the first line is a record: records of a
    /// stream are read as they arrive.
    static func mayBeAnother(start: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = start.drop { $0 <= 0x20 }
        let line = text.prefix { $0 != 0x0A }
        guard line.count < text.count else { return true }
        switch line.first {
        case UInt8(ascii: "{"): return (try? JSONParser.value(of: UnsafeBufferPointer(rebasing: line))) == nil
        case UInt8(ascii: "["), UInt8(ascii: "<"): return true
        default: return false
        }
    }
}

import Text

/// The notation of a file of articles.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// Markdown or MDX, with or without front matter in YAML (between `---`), TOML (between `+++`) or JSON. One article a file.
    case markdown
    /// HTML, with or without front matter. One article a file.
    case html
    /// Text with or without front matter. One article a file.
    case text
    /// An array of objects, or objects one after another, each an article or a JSON Feed of articles.
    case json
    /// An object a line (JSON Lines, also called NDJSON), each an article.
    case jsonl
    /// A feed in XML: RSS 0.90 to 2.0, Atom 0.3 and 1.0. A list of feeds (OPML) is known, too, and holds no articles.
    case feed
    /// What WordPress exports: RSS with elements of its own (WXR).
    case wordpress
    /// What Ghost exports: the tables of its database in JSON.
    case ghost
    /// A list of links in HTML: a bookmark file as browsers export it, or what Pocket exports.
    case bookmarks
    /// A table (RFC 4180) of articles or links, whose first row names the columns: what Pocket and Instapaper export too.
    case csv

    /// The format that the end of a file's name tells; nil for none that is known.
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

    /// Returns the notation of a document that no import reads, by the ending of its name.
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

    /// The format that the start of a text looks like: a feed where it is one, whatever its name ends in; else what its name
    /// says; else JSON where it begins with a bracket, Lines where the first line is a whole object; else Markdown.
    /// - Parameter ending: what the name says.
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
            // A first line that is longer than what is there to look at is one of JSON Lines.
            self = line.count == trimmed.count || (try? JSONParser.value(of: line)) != nil ? .jsonl : .json
        default: self = ending ?? .markdown
        }
    }

    /// Whether a text that begins so may turn out to be of another format when more of it is there. Not so where the first line
    /// is a record: those of a stream are read as they come.
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

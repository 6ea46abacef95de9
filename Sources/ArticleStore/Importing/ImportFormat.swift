import Text

/// The notation of a file of articles.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// Markdown, with or without front matter in YAML (between `---`) or TOML (between `+++`). One article a file.
    case markdown
    /// HTML, with or without front matter. One article a file.
    case html
    /// Text with or without front matter. One article a file.
    case text
    /// An array of objects, or objects one after another, each an article or a JSON Feed of articles.
    case json
    /// An object a line (JSON Lines, also called NDJSON), each an article.
    case jsonl

    /// The format that the end of a file's name tells; nil for none that is known.
    init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[dot...].dropFirst().lowercased() {
        case "md", "markdown", "mdown": self = .markdown
        case "html", "htm": self = .html
        case "txt": self = .text
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        default: return nil
        }
    }

    /// Whether the end of a file's name tells XML, which is no format of these.
    static func isXML(fileName: String) -> Bool {
        let name = fileName.lowercased()
        return [".xml", ".rss", ".atom", ".rdf"].contains { name.hasSuffix($0) }
    }

    /// The format that the start of a file looks like: JSON where it begins with a bracket, Lines where the first line
    /// is a whole object; else Markdown. Nil for XML.
    init?(start: UnsafeBufferPointer<UInt8>) {
        let text = start.starts(with: ByteReader.byteOrderMark) ? start.dropFirst(3) : start[...]
        let trimmed = text.trimmed
        if ["<?xml", "<rss", "<feed", "<rdf:RDF"].contains(where: { trimmed.starts(with: $0.utf8) }) { return nil }
        switch trimmed.first {
        case UInt8(ascii: "["): self = .json
        case UInt8(ascii: "{"):
            let line = UnsafeBufferPointer(rebasing: trimmed.prefix { $0 != 0x0A })
            // A first line that is longer than what is there to look at is one of JSON Lines.
            self = line.count == trimmed.count || (try? JSONParser.value(of: line)) != nil ? .jsonl : .json
        default: self = .markdown
        }
    }
}

import Markup
import Text

/// The first heading of a text, which is its title where nothing else says one.
enum Heading {
    /// The first heading of Markdown, as plain text, and the body without it where it stood at the head: the title is
    /// shown above a body. Headings in code are none.
    static func first(inMarkdown body: String) -> (title: String, body: String)? {
        var fence: Substring?
        var isAtHead = true
        var previous: Substring?
        var start = body.startIndex
        while start < body.endIndex {
            let end = body.utf8[start...].firstIndex(of: 0x0A).map(body.utf8.index(after:)) ?? body.endIndex
            let line = body[start..<end].trimmed
            defer {
                start = end
                if !line.isEmpty { isAtHead = false }
            }
            if let open = fence {
                if line.hasPrefix(open) { fence = nil }
                continue
            }
            if line.hasPrefix("```") || line.hasPrefix("~~~") {
                fence = line.prefix(3)
                continue
            }
            if let title = atx(line) {
                return (title, isAtHead ? without(body, upTo: end) : body)
            }
            if let text = previous, isUnderline(line) {
                let title = plain(text, markdown: true)
                let isFirst = body[..<text.startIndex].trimmed.isEmpty
                if !title.isEmpty { return (title, isFirst ? without(body, upTo: end) : body) }
            }
            previous = line.isEmpty || line.hasPrefix(">") || line.hasPrefix("- ") ? nil : line
        }
        return nil
    }

    /// The title of HTML, or its first heading.
    static func first(inHTML body: String) -> String? {
        for name in ["title", "h1", "h2"] {
            if let inside = PlainText.firstElement(name, in: body) {
                let title = plain(inside, markdown: false)
                if !title.isEmpty { return title }
            }
        }
        return nil
    }

    /// The text without markup. What is longer than any title is cut, so that it costs no more than one.
    private static func plain(_ text: Substring, markdown: Bool) -> String {
        PlainText.strip(Array(text.utf8.prefix(8192)), markdown: markdown)
    }

    private static func atx(_ line: Substring) -> String? {
        let hashes = line.prefix { $0 == "#" }
        guard (1...6).contains(hashes.count), line[hashes.endIndex...].first == " " else { return nil }
        var text = line[hashes.endIndex...].trimmed
        while text.hasSuffix("#") { text = text.dropLast() }
        let title = plain(text, markdown: true)
        return title.isEmpty ? nil : title
    }

    private static func isUnderline(_ line: Substring) -> Bool {
        guard let first = line.utf8.first, first == UInt8(ascii: "=") || first == UInt8(ascii: "-") else {
            return false
        }
        return line.utf8.count >= 2 && line.utf8.allSatisfy { $0 == first }
    }

    private static func without(_ body: String, upTo end: String.Index) -> String {
        String(body[end...].drop { $0.isNewline })
    }
}

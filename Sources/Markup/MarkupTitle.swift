import Text

/// The title of a text: a heading at its start.
package enum MarkupTitle {
    /// Returns the heading at the start of Markdown as plain text, and the Markdown without it; nil if it does not
    /// begin with a heading.
    package static func first(inMarkdown body: String) -> (title: String, body: String)? {
        var start = body.startIndex
        var isFirst = true
        var lineStart = body.startIndex
        // Collect the first line if it is a heading, else the lines up to an underline.
        while lineStart < body.endIndex {
            let end = body.utf8[lineStart...].firstIndex(of: 0x0A).map(body.utf8.index(after:)) ?? body.endIndex
            let line = body[lineStart..<end].trimmed
            defer { lineStart = end }
            if line.isEmpty {
                guard isFirst else { return nil }
                start = end
                continue
            }
            guard body.utf8.distance(from: start, to: end) <= sizeLimit else { return nil }
            let isWhole = isFirst && line.hasPrefix("#")
            if isWhole || !isFirst && isUnderline(line) {
                return heading(body[start..<end], in: body).map { title in
                    (title, String(body[end...].drop { $0.isNewline }))
                }
            }
            isFirst = false
        }
        return nil
    }

    /// Returns the title of a page: that in the head, else the first heading of level 1, else a heading at the start.
    package static func first(inHTML html: String) -> String? {
        guard let page = HTMLReader.page(html) else { return nil }
        if let title = page.title { return title }
        if let heading = page.document.headings.first(where: { $0.level == 1 }) { return heading.text.collapsed }
        if case .heading(_, _, let inlines) = page.document.blocks.first { return inlines.text.collapsed }
        return nil
    }

    /// The maximum size of a title.
    private static let sizeLimit = 8192

    private static func isUnderline(_ line: Substring) -> Bool {
        guard let first = line.utf8.first, first == UInt8(ascii: "=") || first == UInt8(ascii: "-") else {
            return false
        }
        return line.utf8.allSatisfy { $0 == first }
    }

    private static func heading(_ text: Substring, in body: String) -> String? {
        guard let document = MarkupDocument(markdown: String(text)), document.blocks.count == 1,
            case .heading(_, _, let inlines) = document.blocks[0]
        else { return nil }
        // A bracket may belong to a link whose address is elsewhere in the text.
        if text.utf8.contains(UInt8(ascii: "[")), let whole = MarkupDocument(markdown: body),
            case .heading(_, _, let inlines) = whole.blocks.first
        {
            return inlines.text.collapsed
        }
        let title = inlines.text.collapsed
        return title.isEmpty ? nil : title
    }
}

import Text

/// Replaces the markers that ``MarkdownSource`` inserted for md4c: footnotes, and definitions with their terms.
struct MarkdownExtensions {
    private typealias Mark = MarkdownSource.Mark

    /// The texts of footnotes, by their names.
    private var notes: [String: [MarkupBlock]] = [:]
    /// The names in the order of the references.
    let names: [String]

    /// Returns a document with these blocks, in which footnotes are numbered by their position in `names`.
    static func document(_ blocks: [MarkupBlock], names: [String]) -> MarkupDocument {
        var extensions = MarkdownExtensions(names: names)
        let blocks = extensions.blocks(of: blocks)
        var document = MarkupDocument(blocks: blocks, footnotes: names.map { extensions.notes[$0] ?? [] })
        document.numberFootnotes()
        return document
    }

    private init(names: [String]) { self.names = names }

    private mutating func blocks(of blocks: [MarkupBlock]) -> [MarkupBlock] {
        var result: [MarkupBlock] = []
        var terms: [[MarkupInline]] = []
        func endTerms() {
            // No definition follows, so these are ordinary paragraphs.
            result += terms.map { .paragraph($0) }
            terms = []
        }
        for block in blocks {
            switch block {
            case .paragraph(let inlines):
                if let term = Self.text(after: Mark.term, in: inlines) {
                    terms.append(term)
                    continue
                }
                endTerms()
                result.append(block)
            case .quote(let inside):
                endTerms()
                let inside = self.blocks(of: inside)
                if !inside.isEmpty { result.append(.quote(inside)) }
            case .list(let start, let style, let isTight, let items):
                var kept: [MarkupBlock.Item] = []
                var definitions: [[MarkupBlock]] = []
                for item in items { add(item, &kept, &definitions) }
                if !definitions.isEmpty {
                    let definition = MarkupBlock.Definition(terms: terms, definitions: definitions)
                    terms = []
                    if case .definitionList(let others) = result.last {
                        result[result.count - 1] = .definitionList(others + [definition])
                    } else {
                        result.append(.definitionList([definition]))
                    }
                }
                endTerms()
                if !kept.isEmpty { result.append(.list(start: start, style: style, isTight: isTight, items: kept)) }
            default:
                endTerms()
                result.append(block)
            }
        }
        endTerms()
        return result
    }

    private mutating func add(
        _ item: MarkupBlock.Item, _ kept: inout [MarkupBlock.Item], _ definitions: inout [[MarkupBlock]]
    ) {
        guard case .paragraph(let first) = item.blocks.first else {
            kept.append(MarkupBlock.Item(isDone: item.isDone, blocks: blocks(of: item.blocks)))
            return
        }
        if Self.text(after: Mark.definition, in: first) != nil {
            let definition = blocks(of: Array(item.blocks.dropFirst()))
            if !definition.isEmpty { definitions.append(definition) }
        } else if let name = Self.noteName(in: first) {
            let note = blocks(of: Array(item.blocks.dropFirst()))
            if notes[name] == nil, names.contains(name) {
                notes[name] = note
            } else {
                kept.append(MarkupBlock.Item(blocks: [.paragraph([.text("[^\(name)]:")])] + note))
            }
        } else {
            kept.append(MarkupBlock.Item(isDone: item.isDone, blocks: blocks(of: item.blocks)))
        }
    }

    /// Returns the text after a marker at the start of running text; nil without a marker.
    private static func text(after mark: Unicode.Scalar, in inlines: [MarkupInline]) -> [MarkupInline]? {
        guard case .text(let text) = inlines.first, text.unicodeScalars.first == mark else { return nil }
        let rest = String(text.unicodeScalars.dropFirst().drop { $0 == " " })
        return (rest.isEmpty ? [] : [.text(rest)]) + inlines.dropFirst()
    }

    private static func noteName(in inlines: [MarkupInline]) -> String? {
        guard inlines.count == 1, case .text(let text) = inlines[0], text.unicodeScalars.first == Mark.noteStart,
            text.unicodeScalars.last == Mark.noteEnd
        else { return nil }
        return String(text.unicodeScalars.dropFirst().dropLast())
    }
}

extension [MarkupBlock] {
    /// The blocks with titles for alerts: if a quotation begins with `[!NOTE]` or a similar word, as in GitHub and
    /// Obsidian, the word becomes its title.
    var titlingAlerts: [MarkupBlock] {
        map { block in
            let block = block.mappingInside(\.titlingAlerts)
            guard case .quote(let blocks) = block else { return block }
            return .quote(blocks.titlingAlert)
        }
    }

    private var titlingAlert: [MarkupBlock] {
        guard case .paragraph(var inlines) = first, case .text(let text) = inlines.first, text.hasPrefix("[!"),
            let end = text.firstIndex(of: "]")
        else { return self }
        let name = text[..<end].dropFirst(2)
        guard !name.isEmpty, name.utf8.count <= 20, name.utf8.allSatisfy(\.isASCIILetter) else { return self }
        // In Obsidian, a sign states whether the content is folded.
        let rest = text[text.index(after: end)...].drop { $0 == "+" || $0 == "-" }.drop { $0 == " " }
        inlines.removeFirst()
        if rest.isEmpty, case .lineBreak = inlines.first { inlines.removeFirst() }
        if !rest.isEmpty { inlines.insert(.text(String(rest)), at: 0) }
        let title = MarkupBlock.paragraph([
            .strong([.text(name.prefix(1).uppercased() + name.dropFirst().lowercased())])
        ])
        return [title] + (inlines.isEmpty ? [] : [.paragraph(inlines)]) + dropFirst()
    }
}

/// A link by the name of a note, as in Obsidian: `[[Page]]`, `[[Page#Heading]]`, `[[Page|text]]`, and `![[Page]]` for
/// embedded content.
struct WikiLink {
    /// The target, relative to the text.
    let destination: String
    /// The text of the link.
    let text: String
    /// Whether it is a picture.
    let isImage: Bool
    /// The range of the link in the text.
    let range: Range<Int>

    /// Parses the link that begins with two brackets at an index; nil if it is not a link.
    init?(_ text: UnsafeBufferPointer<UInt8>, at index: Int) {
        let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        guard index + 1 < text.count, text[index] == open, text[index + 1] == open else { return nil }
        let start = index + 2
        guard let end = text[start...].prefix(Self.limit).firstIndex(of: close), end > start, end + 1 < text.count,
            text[end + 1] == close
        else { return nil }
        let inside = text[start..<end]
        // White space next to the brackets occurs in tests of shell scripts (`[[ … ]]`).
        guard !inside.contains(open), let first = inside.first, let last = inside.last, !first.isHTMLSpace,
            !last.isHTMLSpace
        else { return nil }
        let isEmbedded = index > 0 && text[index - 1] == UInt8(ascii: "!")
        let parts = inside.split(separator: UInt8(ascii: "|"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let names = parts[0].split(separator: "#", omittingEmptySubsequences: false).map { String($0.trimmed) }
        let page = names[0]
        let heading = names.count > 1 ? names[names.count - 1] : ""
        guard !page.isEmpty || !heading.isEmpty else { return nil }
        // A name that begins with a caret refers to a block, which is not supported.
        let fragment = heading.hasPrefix("^") ? "" : HeadingNames.slug(heading)
        destination = Self.encoded(page) + (fragment.isEmpty ? "" : "#" + fragment)
        guard !destination.isEmpty else { return nil }
        isImage = isEmbedded && Self.pictures.contains { page.lowercased().hasSuffix("." + $0) }
        // After a picture, the second part is the size.
        let alias = parts.count > 1 && !isImage ? String(parts[1].trimmed) : ""
        self.text = alias.isEmpty ? names.filter { !$0.isEmpty }.joined(separator: " > ") : alias
        range = (isEmbedded ? index - 1 : index)..<(end + 2)
    }

    /// The maximum number of bytes between the brackets.
    private static let limit = 400

    private static let pictures = ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp"]

    /// Encodes a path for an address (RFC 3986, section 3.3). Letters of all alphabets are kept.
    private static func encoded(_ path: String) -> String {
        var result: [UInt8] = []
        for byte in path.utf8 {
            if byte >= 0x80 || byte.isASCIILetterOrDigit || "-._~!$&'()*+,;=@/".utf8.contains(byte) {
                result.append(byte)
            } else {
                result.appendPercentEncoded(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

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
                for item in items { take(item, &kept, &definitions) }
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

    private mutating func take(
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

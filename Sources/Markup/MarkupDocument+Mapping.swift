extension MarkupDocument {
    /// Returns the document with each inline replaced by the result of `change`, innermost first. If the result is nil,
    /// the inline is removed.
    package func mappingInlines(_ change: (MarkupInline) -> MarkupInline?) -> MarkupDocument {
        MarkupDocument(
            blocks: blocks.mappingInlines(change), footnotes: footnotes.map { $0.mappingInlines(change) })
    }
}

extension MarkupDocument {
    /// Numbers the footnotes in the order of the references in the text, those referenced only in footnotes last.
    /// Unreferenced footnotes are moved to the end of the text.
    mutating func numberFootnotes() {
        var order: [Int] = []
        var numbers: [Int: Int] = [:]
        func collectReferences(in blocks: [MarkupBlock]) {
            _ = MarkupDocument(blocks: blocks).mappingInlines { inline in
                if case .footnote(let number) = inline, numbers[number] == nil, footnotes.indices.contains(number - 1) {
                    order.append(number)
                    numbers[number] = order.count
                }
                return inline
            }
        }
        collectReferences(in: blocks)
        var next = 0
        func followReferences() {
            while next < order.count {
                collectReferences(in: footnotes[order[next] - 1])
                next += 1
            }
        }
        followReferences()
        var rest: [MarkupBlock] = []
        for (index, footnote) in footnotes.enumerated() where numbers[index + 1] == nil {
            rest += footnote
            collectReferences(in: footnote)
            followReferences()
        }
        let ordered = MarkupDocument(blocks: blocks + rest, footnotes: order.map { footnotes[$0 - 1] })
        self = ordered.mappingInlines { inline in
            guard case .footnote(let number) = inline else { return inline }
            return numbers[number].map { .footnote(number: $0) } ?? .text("")
        }
    }
}

extension MarkupBlock {
    /// Returns the block with the blocks inside it (of a quotation, item, or definition) replaced by the result of
    /// `change`.
    func mappingInside(_ change: ([MarkupBlock]) -> [MarkupBlock]) -> MarkupBlock {
        switch self {
        case .quote(let blocks): .quote(change(blocks))
        case .list(let start, let style, let isTight, let items):
            .list(
                start: start, style: style, isTight: isTight,
                items: items.map { Item(isDone: $0.isDone, number: $0.number, blocks: change($0.blocks)) })
        case .definitionList(let definitions):
            .definitionList(definitions.map { Definition(terms: $0.terms, definitions: $0.definitions.map(change)) })
        case .paragraph, .heading, .preformatted, .code, .lines, .thematicBreak, .table: self
        }
    }

    fileprivate func mappingInlines(_ change: (MarkupInline) -> MarkupInline?) -> MarkupBlock {
        func mapped(_ inlines: [MarkupInline]) -> [MarkupInline] { inlines.mapping(change) }
        func mapped(_ blocks: [MarkupBlock]) -> [MarkupBlock] { blocks.mappingInlines(change) }
        switch self {
        case .paragraph(let inlines): return .paragraph(mapped(inlines))
        case .heading(let level, let id, let inlines): return .heading(level: level, id: id, mapped(inlines))
        case .preformatted(let inlines): return .preformatted(mapped(inlines))
        case .code, .lines, .thematicBreak: return self
        case .quote, .list: return mappingInside(mapped)
        case .definitionList(let definitions):
            return .definitionList(
                definitions.map { definition in
                    Definition(
                        terms: definition.terms.map { mapped($0) },
                        definitions: definition.definitions.map { mapped($0) })
                })
        case .table(let alignments, let header, let rows):
            return .table(
                alignments: alignments, header: header.map { mapped($0) }, rows: rows.map { $0.map { mapped($0) } })
        }
    }
}

extension [MarkupBlock] {
    fileprivate func mappingInlines(_ change: (MarkupInline) -> MarkupInline?) -> [MarkupBlock] {
        compactMap { block in
            let mapped = block.mappingInlines(change)
            // Remove a paragraph that became empty.
            if mapped == .paragraph([]), block != mapped { return nil }
            return mapped
        }
    }
}

extension [MarkupInline] {
    fileprivate func mapping(_ change: (MarkupInline) -> MarkupInline?) -> [MarkupInline] {
        var result: [MarkupInline] = []
        var isJoined = false
        for inline in self {
            guard let mapped = inline.mapping(change) else {
                isJoined = true
                continue
            }
            if isJoined, case .text(let text) = mapped, case .text(let before) = result.last {
                result[result.count - 1] = .text(before + text)
            } else {
                result.append(mapped)
            }
            isJoined = false
        }
        return result
    }
}

extension MarkupInline {
    fileprivate func mapping(_ change: (MarkupInline) -> MarkupInline?) -> MarkupInline? {
        func mapped(_ inlines: [MarkupInline]) -> [MarkupInline] { inlines.mapping(change) }
        let inside: MarkupInline =
            switch self {
            case .text, .lineBreak, .code, .image, .footnote, .anchor: self
            case .emphasis(let inlines): .emphasis(mapped(inlines))
            case .strong(let inlines): .strong(mapped(inlines))
            case .strikethrough(let inlines): .strikethrough(mapped(inlines))
            case .superscript(let inlines): .superscript(mapped(inlines))
            case .subscript(let inlines): .subscript(mapped(inlines))
            case .link(let destination, let inlines): .link(destination: destination, mapped(inlines))
            }
        return change(inside)
    }
}

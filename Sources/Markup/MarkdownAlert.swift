import Text

extension [MarkupBlock] {
    /// The blocks, in which a quotation that begins with `[!NOTE]` or another word, as GitHub and Obsidian have it, begins with
    /// that word as its title.
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
        // A sign says whether Obsidian shows what follows.
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

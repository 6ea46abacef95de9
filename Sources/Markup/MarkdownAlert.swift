import Text

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

import CGumbo
import Text

/// The facts about a page that its reader needs in advance: the title, the tables that are only used for layout, the
/// formulas that were not closed, and the list with the footnotes.
struct HTMLOutline {
    /// The title in the head.
    private(set) var title: String?
    /// The base of relative links, if the page states it as an absolute address.
    private(set) var base: String?
    /// The elements that contain one footnote each, in the order in which the text first refers to them.
    private(set) var notes: [HTMLNode] = []

    private var layoutTables: Set<HTMLNode> = []
    private var unclosedFormulas: Set<HTMLNode> = []
    private var noteSections: Set<HTMLNode> = []
    private var numbers: [Substring: Int] = [:]

    func isLayout(_ table: HTMLNode) -> Bool { layoutTables.contains(table) }
    /// Whether a formula contains blocks. Then it was not closed, and the rest of the page is in it.
    func isUnclosed(_ formula: HTMLNode) -> Bool { unclosedFormulas.contains(formula) }
    func isNotes(_ node: HTMLNode) -> Bool { noteSections.contains(node) }
    func noteNumber(of name: Substring) -> Int? { numbers[name] }

    init(_ root: HTMLNode) {
        var tables: [(node: HTMLNode, isLayout: Bool, isData: Bool)] = []
        var formulas: [HTMLNode] = []
        var sections: [(node: HTMLNode, notes: [HTMLNode])] = []
        var isInNotes = false
        var references: [String] = []
        root.walk(
            enter: { node in
                guard let element = node.element else { return false }
                if !formulas.isEmpty, element.isBlock {
                    unclosedFormulas.formUnion(formulas)
                    formulas = []
                }
                switch element {
                case .hidden:
                    return false
                case .formula:
                    formulas.append(node)
                case .head:
                    read(head: node)
                    return false
                case .table:
                    if !tables.isEmpty { tables[tables.count - 1].isLayout = true }
                    tables.append((node, ["presentation", "none"].contains(node.attribute("role")), false))
                case .heading, .preformatted, .quote, .definitionList, .thematicBreak, .media:
                    if !tables.isEmpty { tables[tables.count - 1].isLayout = true }
                case .tableCell:
                    // A single column without a title is layout, not data.
                    if !tables.isEmpty, node.tag == GUMBO_TAG_TH || node.parent?.isWide == true {
                        tables[tables.count - 1].isData = true
                    }
                case .link:
                    if !isInNotes, let name = Self.fragment(of: node) { references.append(name) }
                case .block, .numberedList:
                    if !isInNotes, let notes = Self.notes(in: node) {
                        sections.append((node, notes))
                        isInNotes = true
                    }
                default: break
                }
                return true
            },
            leave: { node in
                if tables.last?.node == node, let table = tables.popLast(), table.isLayout || !table.isData {
                    layoutTables.insert(node)
                }
                if formulas.last == node { formulas.removeLast() }
                if isInNotes, sections.last?.node == node { isInNotes = false }
            })
        number(sections, references)
    }

    private mutating func read(head: HTMLNode) {
        for node in head.children where node.isElement {
            if node.tag == GUMBO_TAG_TITLE, title == nil {
                let text = node.plainText
                if !text.isEmpty { title = text }
            }
            if node.tag == GUMBO_TAG_BASE, base == nil, let address = node.value("href"),
                URLReference(address).scheme != nil
            {
                base = HTMLReader.address(address)
            }
        }
    }
}

// MARK: - Footnotes

extension HTMLOutline {
    /// Whether a link in a footnote leads back to the reference.
    static func isBackLink(_ link: HTMLNode) -> Bool {
        if link.attribute("role") == "doc-backlink" { return true }
        if let name = link.attribute("class"),
            ["backref", "reversefootnote", "footnote-back"].contains(where: name.contains)
        {
            return true
        }
        return ["↩", "↑", "^"].contains { link.plainText.hasPrefix($0) }
    }

    private static func fragment(of link: HTMLNode) -> String? {
        guard let address = link.attribute("href").map(HTMLReader.address), address.hasPrefix("#"), !isBackLink(link)
        else {
            return nil
        }
        return String(address.dropFirst())
    }

    /// Returns the items of a footnote list as Markdown renderers write it: a numbered list in an element of the class
    /// `footnotes` that otherwise contains only a title or a rule.
    private static func notes(in node: HTMLNode) -> [HTMLNode]? {
        guard node.hasAttributes else { return nil }
        let isNamed =
            node.attribute("role") == "doc-endnotes"
            || node.classes.contains { ["footnotes", "footnote", "references"].contains($0) }
        guard isNamed else { return nil }
        var list = node
        if node.element != .numberedList {
            let inside = node.children.filter { $0.isElement && ![.thematicBreak, .heading].contains($0.element) }
            guard inside.count == 1, inside[0].element == .numberedList else { return nil }
            list = inside[0]
        }
        let items = list.children.filter(\.isElement)
        guard !items.isEmpty, items.allSatisfy({ $0.element == .item && $0.value("id") != nil }) else { return nil }
        return items
    }

    /// Numbers the footnotes in the order of the references. A list with an unreferenced item is not a footnote list.
    private mutating func number(_ sections: [(node: HTMLNode, notes: [HTMLNode])], _ references: [String]) {
        guard !sections.isEmpty else { return }
        var named: [String: HTMLNode] = [:]
        for note in sections.flatMap(\.notes) {
            guard let id = note.value("id").map(HTMLReader.name(withoutPrefix:)) else { continue }
            named[id] = named[id] ?? note
        }
        var found: [HTMLNode] = []
        var names: Set<String> = []
        var pending = references[...]
        var next = 0
        while true {
            for name in pending where names.insert(name).inserted {
                if let note = named[name] { found.append(note) }
            }
            guard next < found.count else { break }
            // Footnotes can have footnotes.
            var inner: [String] = []
            found[next].forEachNode { node in
                if node.element == .link, let name = Self.fragment(of: node) { inner.append(name) }
                return node.element != nil && node.element != .hidden
            }
            pending = inner[...]
            next += 1
        }
        let all = Set(found)
        let whole = sections.filter { $0.notes.allSatisfy(all.contains) }
        let kept = Set(whole.flatMap(\.notes))
        notes = found.filter(kept.contains)
        noteSections = Set(whole.map(\.node))
        for (index, note) in notes.enumerated() {
            if let id = note.value("id").map(HTMLReader.name(withoutPrefix:)) { numbers[Substring(id)] = index + 1 }
        }
    }
}

extension HTMLNode {
    /// Whether a row has several cells.
    fileprivate var isWide: Bool {
        var cells = 0
        for node in children where node.element == .tableCell {
            cells += 1
            if cells > 1 { return true }
        }
        return false
    }
}

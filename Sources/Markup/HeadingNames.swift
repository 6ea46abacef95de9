import Text

/// Gives each heading a name of its own, as GitHub does for links within a page.
package struct HeadingNames {
    /// How often each name was asked for, those that were made from another included.
    private var counts: [String: Int] = [:]

    package init() {}

    /// The name of the next heading: its author's unless an earlier one has it, else made from its text.
    package mutating func name(of heading: [MarkupInline], id: String?) -> String {
        if let id, counts[id] == nil {
            counts[id] = 0
            return id
        }
        let implied = impliedName(of: heading)
        counts[implied.base] = implied.count
        if implied.name != implied.base { counts[implied.name] = 0 }
        return implied.name
    }

    /// The name that the next heading would get without one of its author.
    func impliedName(of heading: [MarkupInline]) -> (name: String, base: String, count: Int) {
        let slug = Self.slug(heading.text)
        let base = slug.isEmpty ? "section" : slug
        guard var count = counts[base] else { return (base, base, 0) }
        var name = base
        while counts[name] != nil {
            count += 1
            name = "\(base)-\(count)"
        }
        return (name, base, count)
    }

    /// The text in lower case, its spaces as hyphens, without punctuation but hyphens and underscores.
    static func slug(_ text: String) -> String {
        var slug = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars {
            switch scalar {
            case " ", "\n": slug.append("-")
            case "-", "_": slug.append(scalar)
            default:
                switch scalar.properties.generalCategory {
                case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter,
                    .decimalNumber,
                    .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation:
                    slug.append(scalar)
                default: break
                }
            }
        }
        return String(slug)
    }
}

/// A heading of a document, and the name by which links lead to it.
public struct MarkupHeading: Hashable, Sendable {
    /// From 1 to 6.
    public var level: Int
    /// What it says.
    public var text: String
    /// The name: that of its author, else made from the text by GitHub's rule. No other heading of the document has it.
    public var id: String
}

extension MarkupDocument {
    /// The headings from the start to the end, those within quotations and lists too, but none of the footnotes.
    public var headings: [MarkupHeading] {
        var headings: [MarkupHeading] = []
        var names = HeadingNames()
        blocks.forEachHeading { level, id, inlines in
            headings.append(
                MarkupHeading(level: level, text: inlines.text, id: names.name(of: inlines, id: id)))
        }
        return headings
    }

    /// Which of ``headings`` a link within the document leads to, of which the destination is `#` and this name; nil where
    /// none has the name. A name that is right but for its case will do.
    public func headingIndex(named name: String) -> Int? {
        let headings = headings
        return headings.firstIndex { $0.id == name }
            ?? headings.firstIndex { $0.id.lowercased() == name.lowercased() }
    }

    /// Leaves out each place that has the name of a heading or of a footnote, and makes links within the document lead to the name that
    /// they mean: one that is right but for its case or for percent signs will do.
    mutating func matchAnchors() {
        var names: Set<String> = []
        _ = mappingInlines { inline in
            if case .anchor(let name) = inline { names.insert(name) }
            return inline
        }
        let headings = Set(headings.map(\.id))
        names.formUnion(headings)
        var folded: [String: String] = [:]
        for name in names { folded[name.lowercased()] = min(folded[name.lowercased()] ?? name, name) }
        let hasFootnotes = !footnotes.isEmpty
        self = mappingInlines { inline in
            switch inline {
            case .anchor(let name):
                let isTaken =
                    headings.contains(name) || hasFootnotes && (name.hasPrefix("fn-") || name.hasPrefix("fnref-"))
                return isTaken ? nil : inline
            case .link(let destination, let inlines) where destination.utf8.first == UInt8(ascii: "#"):
                let name = String(destination.dropFirst())
                guard !names.contains(name) else { return inline }
                let decoded = name.percentDecoded
                guard let found = names.contains(decoded) ? decoded : folded[decoded.lowercased()] else {
                    return inline
                }
                return .link(destination: "#" + found, inlines)
            default: return inline
            }
        }
    }

    /// Leaves out the names of headings that they would be given anyway.
    mutating func dropImpliedNames() {
        var hasNames = false
        blocks.forEachHeading { _, id, _ in hasNames = hasNames || id != nil }
        guard hasNames else { return }
        var names = HeadingNames()
        blocks.changeHeadings { inlines, id in
            let isNeeded =
                id.map { !$0.utf8.contains(where: \.isHTMLSpace) && $0 != names.impliedName(of: inlines).name } ?? false
            let kept = isNeeded ? id : nil
            return names.name(of: inlines, id: kept) == kept ? kept : nil
        }
    }
}

extension [MarkupBlock] {
    func forEachHeading(_ body: (Int, String?, [MarkupInline]) -> Void) {
        for block in self {
            switch block {
            case .heading(let level, let id, let inlines): body(level, id, inlines)
            case .quote(let blocks): blocks.forEachHeading(body)
            case .list(_, _, _, let items): for item in items { item.blocks.forEachHeading(body) }
            case .definitionList(let definitions):
                for definition in definitions {
                    for blocks in definition.definitions { blocks.forEachHeading(body) }
                }
            case .paragraph, .code, .preformatted, .lines, .table, .thematicBreak: break
            }
        }
    }

    /// Gives each heading the name that `name` makes of its text and its name.
    fileprivate mutating func changeHeadings(_ name: ([MarkupInline], String?) -> String?) {
        for index in indices {
            switch self[index] {
            case .heading(let level, let id, let inlines):
                self[index] = .heading(level: level, id: name(inlines, id), inlines)
            case .quote(var blocks):
                blocks.changeHeadings(name)
                self[index] = .quote(blocks)
            case .list(let start, let style, let isTight, var items):
                for item in items.indices { items[item].blocks.changeHeadings(name) }
                self[index] = .list(start: start, style: style, isTight: isTight, items: items)
            case .definitionList(var definitions):
                for definition in definitions.indices {
                    for blocks in definitions[definition].definitions.indices {
                        definitions[definition].definitions[blocks].changeHeadings(name)
                    }
                }
                self[index] = .definitionList(definitions)
            case .paragraph, .code, .preformatted, .lines, .table, .thematicBreak: break
            }
        }
    }
}

import Text

/// Gives each heading a unique name, like GitHub for links within a page.
package struct HeadingNames {
    /// The number of headings with each name, including names that were derived from another.
    private var counts: [String: Int] = [:]

    package init() {}

    /// Returns the name of the next heading: the one from the author unless an earlier heading has it, else one made
    /// from the text.
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

    /// Returns the name that the next heading would get without one from the author.
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

    /// Returns the text in lower case, with hyphens for spaces, and without punctuation except hyphens and underscores.
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

/// A heading of a document with the name for links to it.
public struct MarkupHeading: Hashable, Sendable {
    /// The level, from 1 to 6.
    public var level: Int
    /// The text.
    public var text: String
    /// The name, which is unique in the document: the one from the author, or one made from the text by GitHub's rule.
    public var id: String
}

extension MarkupDocument {
    /// The headings in document order, including those in quotations and lists, but not those in footnotes.
    public var headings: [MarkupHeading] {
        var headings: [MarkupHeading] = []
        var names = HeadingNames()
        blocks.forEachHeading { level, id, inlines in
            headings.append(
                MarkupHeading(level: level, text: inlines.text, id: names.name(of: inlines, id: id)))
        }
        return headings
    }

    /// Removes link targets that have the name of a heading or a footnote, and corrects links within the document whose
    /// names match except for case or percent-encoding.
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

    /// Removes names of headings that equal the automatic ones.
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

    /// Replaces the name of each heading with the result of `name` for its text and name.
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

import CGumbo
import Text

/// A node of a page that gumbo parsed. It is valid as long as its page.
struct HTMLNode: Hashable {
    private let pointer: UnsafePointer<GumboNode>

    init(_ pointer: UnsafePointer<GumboNode>) { self.pointer = pointer }

    /// The text of a text node.
    var text: UnsafeBufferPointer<UInt8>? {
        guard [GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA].contains(pointer.pointee.type),
            let text = pointer.pointee.v.text.text
        else { return nil }
        return UnsafeRawBufferPointer(start: text, count: cgumbo_length(text)).assumingMemoryBound(to: UInt8.self)
    }

    var isElement: Bool { pointer.pointee.type == GUMBO_NODE_ELEMENT }

    var tag: GumboTag { pointer.pointee.v.element.tag }

    /// The meaning of the element; nil if the node is not an element.
    var element: HTMLElement? {
        switch pointer.pointee.type {
        case GUMBO_NODE_ELEMENT:
            let element = pointer.pointee.v.element
            // The shapes and texts in an SVG do not have a reading order.
            if element.tag_namespace == GUMBO_NAMESPACE_SVG { return .hidden }
            if element.tag == GUMBO_TAG_UNKNOWN {
                let name = localName
                if name == "annotation" { return .hidden }
                if name == "math" { return .formula }
            }
            return HTMLElement.ofTag[Int(min(element.tag.rawValue, GUMBO_TAG_LAST.rawValue))]
        case GUMBO_NODE_DOCUMENT: return .transparent
        default: return nil
        }
    }

    /// The name in lower case, without an XML prefix.
    var localName: String {
        let name = name.lowercased()
        return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// The name as it is written.
    var name: String {
        var piece = pointer.pointee.v.element.original_tag
        gumbo_tag_from_original_text(&piece)
        guard let start = piece.data else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: min(piece.length, 32)), as: UTF8.self)
    }

    /// The level of a heading.
    var headingLevel: Int { Int(tag.rawValue) - Int(GUMBO_TAG_H1.rawValue) + 1 }

    var parent: HTMLNode? { pointer.pointee.parent.map { HTMLNode($0) } }

    var childCount: Int { Int(childVector?.length ?? 0) }

    subscript(index: Int) -> HTMLNode {
        guard var children = childVector else { return self }
        return HTMLNode(cgumbo_child(&children, UInt32(index)))
    }

    var children: some Sequence<HTMLNode> { (0..<childCount).lazy.map { self[$0] } }

    private var childVector: GumboVector? {
        switch pointer.pointee.type {
        case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE: pointer.pointee.v.element.children
        case GUMBO_NODE_DOCUMENT: pointer.pointee.v.document.children
        default: nil
        }
    }

    /// The next sibling.
    var next: HTMLNode? {
        guard let parent else { return nil }
        let index = pointer.pointee.index_within_parent + 1
        return index < parent.childCount ? parent[index] : nil
    }

    var hasAttributes: Bool { isElement && pointer.pointee.v.element.attributes.length > 0 }

    /// The names of the attributes, in lower case.
    var attributeNames: [String] {
        guard hasAttributes else { return [] }
        let attributes = pointer.pointee.v.element.attributes
        return (0..<Int(attributes.length)).compactMap { index in
            guard let name = attributes.data[index]?.assumingMemoryBound(to: GumboAttribute.self).pointee.name else {
                return nil
            }
            return String(cString: name)
        }
    }

    /// Returns the value of an attribute. The name must be in lower case.
    func attribute(_ name: String) -> String? {
        guard hasAttributes else { return nil }
        var attributes = pointer.pointee.v.element.attributes
        guard let attribute = gumbo_get_attribute(&attributes, name), let value = attribute.pointee.value else {
            return nil
        }
        return String(cString: value)
    }

    /// Returns the trimmed value of an attribute; nil if it is missing or blank.
    func value(_ name: String) -> String? {
        guard let value = attribute(name)?.trimmed, !value.isEmpty else { return nil }
        return String(value)
    }

    /// The words of the attribute `class`.
    var classes: [Substring] {
        attribute("class")?.split(whereSeparator: { $0.utf8.allSatisfy(\.isHTMLSpace) }) ?? []
    }

    /// The byte ranges of an element and of its content in the parsed text; nil if it does not have a tag there.
    var place: (outer: Range<Int>, inner: Range<Int>)? {
        guard let start = startTag else { return nil }
        let element = pointer.pointee.v.element
        let close = Int(element.end_pos.offset)
        guard start.upperBound <= close else { return nil }
        return (start.lowerBound..<close + element.original_end_tag.length, start.upperBound..<close)
    }

    /// The byte range of the start tag in the parsed text; nil if it does not have one there.
    var startTag: Range<Int>? {
        guard isElement, pointer.pointee.v.element.original_tag.length > 0 else { return nil }
        let start = Int(pointer.pointee.v.element.start_pos.offset)
        return start..<start + pointer.pointee.v.element.original_tag.length
    }

    /// Visits the node and its descendants in document order.
    func forEachNode(_ body: (HTMLNode) -> Bool) {
        walk(enter: body, leave: { _ in })
    }

    /// Visits the node and its descendants without recursion. If `enter` returns false, the content of the node is
    /// skipped and `leave` is not called for it.
    func walk(enter: (HTMLNode) -> Bool, leave: (HTMLNode) -> Void) {
        var node = self
        while true {
            if enter(node) {
                if node.childCount > 0 {
                    node = node[0]
                    continue
                }
                leave(node)
            }
            while true {
                if node == self { return }
                if let next = node.next {
                    node = next
                    break
                }
                guard let parent = node.parent else { return }
                node = parent
                leave(node)
            }
        }
    }

    /// The text of the node and its descendants, with white space collapsed.
    var plainText: String {
        var builder = TreeBuilder()
        builder.begin(.cell)
        forEachNode { node in
            if let text = node.text { builder.add(text) }
            return true
        }
        return builder.removeInlines().text
    }
}

/// The meaning of an HTML element for the tree.
enum HTMLElement: UInt8 {
    /// Only its content counts.
    case transparent
    /// Its content is hidden.
    case hidden
    /// It begins and ends on lines of its own.
    case block
    case paragraph
    case heading
    case preformatted
    case quote
    case bulletList, numberedList, item
    case definitionList, term, definition
    case table, tableRow, tableCell, tableCaption
    case thematicBreak
    case summary
    case lineBreak
    case image
    case link
    case media
    case emphasis, strong, strikethrough, superscript, `subscript`, code
    case quotation
    case rubyText
    case input
    case head
    case formula
    /// Text with elements for browsers that do not support a feature.
    case fallback

    /// Whether it is a block, which cannot be in a formula or a line of text.
    var isBlock: Bool {
        switch self {
        case .block, .paragraph, .heading, .preformatted, .quote, .bulletList, .numberedList, .definitionList, .table:
            true
        default: false
        }
    }

    /// Whether it stands for itself, without readable content.
    var isPlace: Bool {
        switch self {
        case .thematicBreak, .image, .media, .formula: true
        default: false
        }
    }

    /// The meaning of each tag of gumbo, by its number.
    static let ofTag: [HTMLElement] = {
        var meaning = [HTMLElement](repeating: .transparent, count: Int(GUMBO_TAG_LAST.rawValue) + 1)
        for (element, tags) in meanings {
            for tag in tags { meaning[Int(tag.rawValue)] = element }
        }
        return meaning
    }()

    private static let meanings: [(HTMLElement, [GumboTag])] = [
        (
            .hidden,
            [
                GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TEMPLATE, GUMBO_TAG_TITLE,
                GUMBO_TAG_BASE,
                GUMBO_TAG_LINK, GUMBO_TAG_META, GUMBO_TAG_SVG, GUMBO_TAG_SELECT, GUMBO_TAG_TEXTAREA, GUMBO_TAG_BUTTON,
                GUMBO_TAG_DATALIST, GUMBO_TAG_OPTION, GUMBO_TAG_OPTGROUP, GUMBO_TAG_RP,
                GUMBO_TAG_NOEMBED,
                GUMBO_TAG_COL, GUMBO_TAG_COLGROUP, GUMBO_TAG_AREA, GUMBO_TAG_PARAM, GUMBO_TAG_SOURCE, GUMBO_TAG_TRACK,
                GUMBO_TAG_KEYGEN, GUMBO_TAG_ANNOTATION_XML,
            ]
        ),
        (
            .block,
            [
                GUMBO_TAG_HTML, GUMBO_TAG_BODY, GUMBO_TAG_DIV, GUMBO_TAG_ADDRESS, GUMBO_TAG_ARTICLE, GUMBO_TAG_ASIDE,
                GUMBO_TAG_CENTER, GUMBO_TAG_DETAILS, GUMBO_TAG_FIELDSET, GUMBO_TAG_LEGEND, GUMBO_TAG_FIGCAPTION,
                GUMBO_TAG_FIGURE, GUMBO_TAG_FOOTER, GUMBO_TAG_FORM, GUMBO_TAG_HEADER, GUMBO_TAG_HGROUP, GUMBO_TAG_MAIN,
                GUMBO_TAG_NAV, GUMBO_TAG_SECTION,
            ]
        ),
        (.paragraph, [GUMBO_TAG_P]),
        (.heading, [GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6]),
        (.preformatted, [GUMBO_TAG_PRE, GUMBO_TAG_LISTING, GUMBO_TAG_XMP, GUMBO_TAG_PLAINTEXT]),
        (.quote, [GUMBO_TAG_BLOCKQUOTE]),
        (.bulletList, [GUMBO_TAG_UL, GUMBO_TAG_MENU, GUMBO_TAG_DIR]),
        (.numberedList, [GUMBO_TAG_OL]), (.item, [GUMBO_TAG_LI]),
        (.definitionList, [GUMBO_TAG_DL]), (.term, [GUMBO_TAG_DT]), (.definition, [GUMBO_TAG_DD]),
        (.table, [GUMBO_TAG_TABLE]), (.tableRow, [GUMBO_TAG_TR]), (.tableCell, [GUMBO_TAG_TD, GUMBO_TAG_TH]),
        (.tableCaption, [GUMBO_TAG_CAPTION]),
        (.thematicBreak, [GUMBO_TAG_HR]), (.summary, [GUMBO_TAG_SUMMARY]),
        (.lineBreak, [GUMBO_TAG_BR]), (.image, [GUMBO_TAG_IMG, GUMBO_TAG_IMAGE]), (.link, [GUMBO_TAG_A]),
        (.media, [GUMBO_TAG_VIDEO, GUMBO_TAG_AUDIO, GUMBO_TAG_IFRAME, GUMBO_TAG_EMBED, GUMBO_TAG_OBJECT]),
        (.emphasis, [GUMBO_TAG_EM, GUMBO_TAG_I, GUMBO_TAG_CITE, GUMBO_TAG_DFN, GUMBO_TAG_VAR]),
        (.strong, [GUMBO_TAG_STRONG, GUMBO_TAG_B]),
        (.strikethrough, [GUMBO_TAG_DEL, GUMBO_TAG_S, GUMBO_TAG_STRIKE]),
        (.superscript, [GUMBO_TAG_SUP]), (.subscript, [GUMBO_TAG_SUB]),
        (.code, [GUMBO_TAG_CODE, GUMBO_TAG_KBD, GUMBO_TAG_SAMP, GUMBO_TAG_TT]),
        (.quotation, [GUMBO_TAG_Q]), (.rubyText, [GUMBO_TAG_RT]), (.input, [GUMBO_TAG_INPUT]),
        (.head, [GUMBO_TAG_HEAD]), (.formula, [GUMBO_TAG_MATH]), (.fallback, [GUMBO_TAG_NOFRAMES]),
    ]
}

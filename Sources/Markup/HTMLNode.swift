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
        return builder.takeInlines().text
    }
}

import CGumbo
import Text

/// A node of a page as gumbo read it. Valid as long as its page.
struct HTMLNode: Hashable {
    private let pointer: UnsafePointer<GumboNode>

    init(_ pointer: UnsafePointer<GumboNode>) { self.pointer = pointer }

    /// The text of a node that is text.
    var text: UnsafeBufferPointer<UInt8>? {
        guard [GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA].contains(pointer.pointee.type),
            let text = pointer.pointee.v.text.text
        else { return nil }
        return UnsafeRawBufferPointer(start: text, count: cgumbo_length(text)).assumingMemoryBound(to: UInt8.self)
    }

    var isElement: Bool { pointer.pointee.type == GUMBO_NODE_ELEMENT }

    var tag: GumboTag { pointer.pointee.v.element.tag }

    /// What the element means; nil where the node is none.
    var element: HTMLElement? {
        switch pointer.pointee.type {
        case GUMBO_NODE_ELEMENT:
            let element = pointer.pointee.v.element
            // What is drawn in SVG has no order to read it in.
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

    /// The name in lower case, without the prefix that XML may put before it.
    var localName: String {
        let name = name.lowercased()
        return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// The name as it was written.
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

    /// The child of its parent that comes next.
    var next: HTMLNode? {
        guard let parent else { return nil }
        let index = pointer.pointee.index_within_parent + 1
        return index < parent.childCount ? parent[index] : nil
    }

    var hasAttributes: Bool { isElement && pointer.pointee.v.element.attributes.length > 0 }

    /// The value of an attribute, of which the name is in lower case.
    func attribute(_ name: String) -> String? {
        guard hasAttributes else { return nil }
        var attributes = pointer.pointee.v.element.attributes
        guard let attribute = gumbo_get_attribute(&attributes, name), let value = attribute.pointee.value else {
            return nil
        }
        return String(cString: value)
    }

    /// The value of an attribute where it has one that is not blank, without white space at either end.
    func value(_ name: String) -> String? {
        guard let value = attribute(name)?.trimmed, !value.isEmpty else { return nil }
        return String(value)
    }

    /// The words of the attribute `class`.
    var classes: [Substring] {
        attribute("class")?.split(whereSeparator: { $0.utf8.allSatisfy(\.isHTMLSpace) }) ?? []
    }

    /// Where an element stands in the text that was read, and what is between its tags, in bytes; nil where it has no tag there.
    var place: (outer: Range<Int>, inner: Range<Int>)? {
        guard let start = startTag else { return nil }
        let element = pointer.pointee.v.element
        let close = Int(element.end_pos.offset)
        guard start.upperBound <= close else { return nil }
        return (start.lowerBound..<close + element.original_end_tag.length, start.upperBound..<close)
    }

    /// Where the start tag of an element stands in the text that was read, in bytes; nil where it has none there.
    var startTag: Range<Int>? {
        guard isElement, pointer.pointee.v.element.original_tag.length > 0 else { return nil }
        let start = Int(pointer.pointee.v.element.start_pos.offset)
        return start..<start + pointer.pointee.v.element.original_tag.length
    }

    /// The nodes in it and itself, in the order of the text.
    func forEachNode(_ body: (HTMLNode) -> Bool) {
        walk(enter: body, leave: { _ in })
    }

    /// Goes through the nodes in it and itself, without recursion. What is in a node is left out where `enter` says so;
    /// only the others are left.
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

    /// All text in it, white space made one space.
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

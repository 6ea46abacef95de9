import CGumbo
import Text

/// The body of a page as a tree that can be changed, unlike that of gumbo. A copy is independent of the original.
///
/// Scripts, styles, and comments are left out. Each node has ``Facts`` about its content. They are computed when they are
/// first needed, and a change forgets only those of the elements around it. So reading and changing the whole tree takes
/// linear time, even if a page is built to be slow.
struct HTMLTree {
    /// The number of a node. The root has the number 0.
    typealias ID = Int

    /// An attribute of an element.
    struct Attribute {
        let name: String
        let value: String
    }

    /// An element or a text.
    struct Node {
        /// The tag; nil for a text.
        fileprivate(set) var tag: GumboTag?
        /// The name of an element as it is written, or the content of a text.
        fileprivate(set) var text: String
        fileprivate(set) var attributes: [Attribute] = []
        /// The meaning of the class and the ID.
        fileprivate(set) var hints: HTMLHints = []
        fileprivate(set) var parent: ID?
        fileprivate(set) var first: ID?
        fileprivate(set) var last: ID?
        fileprivate(set) var next: ID?
        fileprivate(set) var previous: ID?
        /// Whether it is a table with data, not for layout.
        fileprivate(set) var isDataTable = false
        fileprivate var facts: Facts?

        func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

        func isIn(_ tags: HTMLTagSet) -> Bool { tag.map(tags.contains) ?? false }
    }

    /// The number of nodes of the largest tree. Larger pages are not articles.
    static let sizeLimit = 400_000

    private var nodes: [Node]

    subscript(id: ID) -> Node { nodes[id] }

    static let root: ID = 0

    /// Nil if the page has more than ``sizeLimit`` nodes.
    init?(_ page: HTMLNode) {
        var body = page
        page.forEachNode { node in
            if body == page, node.isElement, node.tag == GUMBO_TAG_BODY { body = node }
            return body == page
        }
        nodes = [Node(tag: GUMBO_TAG_BODY, text: "body")]
        var open: [ID] = []
        var isComplete = true
        body.walk(
            enter: { node in
                guard isComplete else { return false }
                if node == body {
                    open.append(Self.root)
                    return true
                }
                guard let parent = open.last else { return false }
                guard nodes.count < Self.sizeLimit else {
                    isComplete = false
                    return false
                }
                if let text = node.text {
                    // The text in a frame is markup for old browsers.
                    guard nodes[parent].tag != GUMBO_TAG_IFRAME else { return false }
                    let isShown = nodes[parent].tag != GUMBO_TAG_NOFRAMES
                    let id = add(Node(tag: nil, text: String(decoding: text, as: UTF8.self)))
                    nodes[id].facts = isShown ? Facts(text: text) : Facts()
                    append(id, to: parent)
                    return false
                }
                guard node.isElement, !Self.left.contains(node.tag), !node.isSVG else { return false }
                if node.tag == GUMBO_TAG_NOFRAMES, !Self.hasPicture(node) { return false }
                let id = add(Node(tag: node.tag, text: node.normalizedName, attributes: node.allAttributes))
                nodes[id].hints = HTMLHints(class: nodes[id].value("class") ?? "", id: nodes[id].value("id") ?? "")
                append(id, to: parent)
                open.append(id)
                return true
            },
            leave: { _ in _ = open.popLast() })
        guard isComplete else { return nil }
    }

    private static let left: HTMLTagSet = [
        GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TEMPLATE, GUMBO_TAG_NOEMBED, GUMBO_TAG_META, GUMBO_TAG_LINK,
        GUMBO_TAG_TITLE, GUMBO_TAG_BASE, GUMBO_TAG_HEAD,
    ]

    /// Whether the text of a `noscript` repeats a picture that a script loads.
    private static func hasPicture(_ node: HTMLNode) -> Bool {
        node.children.contains { child in
            child.text.map { $0.count <= 64 << 10 && String(decoding: $0, as: UTF8.self).contains("<img") } ?? false
        }
    }
}

// MARK: - Changes

extension HTMLTree {
    private mutating func add(_ node: Node) -> ID {
        nodes.append(node)
        return nodes.count - 1
    }

    /// Adds an element that is not in the tree yet.
    mutating func addElement(_ tag: GumboTag, _ name: String) -> ID { add(Node(tag: tag, text: name)) }

    /// Changes the kind of an element.
    mutating func rename(_ id: ID, to tag: GumboTag, _ name: String) {
        (nodes[id].tag, nodes[id].text) = (tag, name)
        if let parent = nodes[id].parent { forgetFacts(from: parent) }
    }

    mutating func markDataTable(_ id: ID) {
        nodes[id].isDataTable = true
        if let parent = nodes[id].parent { forgetFacts(from: parent) }
    }

    /// Removes a node with its content from its parent.
    mutating func remove(_ id: ID) {
        guard let parent = nodes[id].parent else { return }
        let (previous, next) = (nodes[id].previous, nodes[id].next)
        if let previous { nodes[previous].next = next } else { nodes[parent].first = next }
        if let next { nodes[next].previous = previous } else { nodes[parent].last = previous }
        (nodes[id].parent, nodes[id].previous, nodes[id].next) = (nil, nil, nil)
        forgetFacts(from: parent)
    }

    /// Moves a node to the end of an element.
    mutating func append(_ id: ID, to parent: ID) {
        remove(id)
        nodes[id].parent = parent
        nodes[id].previous = nodes[parent].last
        if let last = nodes[parent].last { nodes[last].next = id } else { nodes[parent].first = id }
        nodes[parent].last = id
        forgetFacts(from: parent)
    }

    /// Moves a node to the place before another one.
    mutating func insert(_ id: ID, before other: ID) {
        remove(id)
        guard let parent = nodes[other].parent else { return }
        let previous = nodes[other].previous
        (nodes[id].parent, nodes[id].previous, nodes[id].next) = (parent, previous, other)
        nodes[other].previous = id
        if let previous { nodes[previous].next = id } else { nodes[parent].first = id }
        forgetFacts(from: parent)
    }

    /// Replaces a node with another one.
    mutating func replace(_ id: ID, with other: ID) {
        insert(other, before: id)
        remove(id)
    }

    /// Forgets the facts of an element and of those around it. An element without facts is only inside elements without
    /// facts, so the loop can stop at the first one.
    private mutating func forgetFacts(from id: ID) {
        var id: ID? = id
        while let element = id, nodes[element].facts != nil {
            nodes[element].facts = nil
            id = nodes[element].parent
        }
    }
}

// MARK: - Ways through the tree

extension HTMLTree {
    /// Returns the next element in document order.
    func element(after id: ID, skippingContent: Bool = false) -> ID? {
        if !skippingContent, let child = firstElement(in: id) { return child }
        var id = id
        while true {
            if let sibling = element(from: nodes[id].next) { return sibling }
            guard let parent = nodes[id].parent else { return nil }
            id = parent
        }
    }

    func firstElement(in id: ID) -> ID? { element(from: nodes[id].first) }

    func nextElement(_ id: ID) -> ID? { element(from: nodes[id].next) }

    /// Returns the node itself if it is an element, else the next sibling that is one.
    private func element(from id: ID?) -> ID? {
        var id = id
        while let node = id, nodes[node].tag == nil { id = nodes[node].next }
        return id
    }

    /// Returns the child if it is the only element in another one.
    func onlyElement(in id: ID) -> ID? {
        guard let first = firstElement(in: id), nextElement(first) == nil else { return nil }
        return first
    }

    func children(of id: ID) -> some Sequence<ID> {
        sequence(state: nodes[id].first) { next in
            defer { next = next.flatMap { nodes[$0].next } }
            return next
        }
    }

    /// Returns the elements in an element, in document order.
    func elements(in id: ID, _ tags: HTMLTagSet) -> [ID] {
        var found: [ID] = []
        let end = element(after: id, skippingContent: true)
        var next = element(after: id)
        while let element = next, element != end {
            if nodes[element].isIn(tags) { found.append(element) }
            next = self.element(after: element)
        }
        return found
    }

    /// Whether one of the elements around a node satisfies a condition.
    ///
    /// - Parameter depth: the number of elements to look at. Looking at all of them for each node would take quadratic
    ///   time.
    func isInside(_ id: ID, depth: Int, where holds: (Node) -> Bool) -> Bool {
        var (parent, rest) = (nodes[id].parent, depth)
        while let element = parent, rest > 0 {
            if holds(nodes[element]) { return true }
            (parent, rest) = (nodes[element].parent, rest - 1)
        }
        return false
    }

    /// Returns the elements around a node, from the inside out.
    func ancestors(of id: ID, upTo count: Int = .max) -> [ID] {
        var (found, parent): ([ID], ID?) = ([], nodes[id].parent)
        while let element = parent, found.count < count {
            found.append(element)
            parent = nodes[element].parent
        }
        return found
    }

    /// Returns the text in a node, with white space collapsed.
    func text(of id: ID) -> String {
        var text = ""
        forEachNode(in: id) { if $0.tag == nil { text += $0.text } }
        return text.collapsed
    }

    private func forEachNode(in id: ID, _ body: (Node) -> Void) {
        var node = id
        while true {
            body(nodes[node])
            if let child = nodes[node].first, nodes[node].tag != GUMBO_TAG_NOFRAMES {
                node = child
                continue
            }
            while nodes[node].next == nil || node == id {
                guard node != id, let parent = nodes[node].parent else { return }
                node = parent
            }
            guard let next = nodes[node].next else { return }
            node = next
        }
    }
}

// MARK: - Facts

extension HTMLTree {
    /// Returns the facts about the content of a node.
    mutating func facts(of id: ID) -> Facts {
        if let facts = nodes[id].facts { return facts }
        var open: [(id: ID, next: ID?, facts: Facts)] = [(id, nodes[id].first, Facts())]
        while let top = open.last {
            if let child = top.next {
                open[open.count - 1].next = nodes[child].next
                if let facts = nodes[child].facts {
                    open[open.count - 1].facts.add(nodes[child], facts)
                } else {
                    open.append((child, nodes[child].first, Facts()))
                }
            } else {
                nodes[top.id].facts = top.facts
                open.removeLast()
                if !open.isEmpty { open[open.count - 1].facts.add(nodes[top.id], top.facts) }
            }
        }
        return nodes[id].facts ?? Facts()
    }
}

// MARK: - HTML

extension HTMLTree {
    /// Returns the content of an element as HTML, without event handlers.
    func html(in id: ID) -> String {
        var html: [UInt8] = []
        var next = nodes[id].first
        var open: [ID] = []
        while true {
            guard let node = next else {
                guard let element = open.popLast() else { break }
                html.append("</")
                html += Self.name(of: nodes[element]).utf8
                html.append(">")
                next = nodes[element].next
                continue
            }
            next = nodes[node].next
            guard let tag = nodes[node].tag else {
                let isFallback = nodes[node].parent.map { nodes[$0].tag == GUMBO_TAG_NOFRAMES } ?? false
                if isFallback {
                    html += nodes[node].text.utf8
                } else {
                    html.append(escaping: nodes[node].text) { _ in nil }
                }
                continue
            }
            html.append("<")
            html += Self.name(of: nodes[node]).utf8
            for attribute in nodes[node].attributes where !attribute.name.hasPrefix("on") {
                html.append(" ")
                html += attribute.name.utf8
                html.append("=\"")
                html.append(escaping: attribute.value) { _ in nil }
                html.append("\"")
            }
            html.append(">")
            if Self.empty.contains(tag) { continue }
            // A parser drops a line break at the start.
            if tag == GUMBO_TAG_PRE, let text = nodes[node].first, nodes[text].tag == nil,
                nodes[text].text.first == "\n"
            {
                html.append("\n")
            }
            open.append(node)
            next = nodes[node].first
        }
        return String(String(decoding: html, as: UTF8.self).trimmed)
    }

    private static func name(of node: Node) -> String {
        switch node.tag {
        case GUMBO_TAG_NOFRAMES: "noscript"
        // The content of these elements is read as text.
        case GUMBO_TAG_XMP, GUMBO_TAG_LISTING, GUMBO_TAG_PLAINTEXT: "pre"
        default: node.text
        }
    }

    private static let empty: HTMLTagSet = [
        GUMBO_TAG_AREA, GUMBO_TAG_BASE, GUMBO_TAG_BR, GUMBO_TAG_COL, GUMBO_TAG_EMBED, GUMBO_TAG_HR, GUMBO_TAG_IMG,
        GUMBO_TAG_INPUT, GUMBO_TAG_KEYGEN, GUMBO_TAG_LINK, GUMBO_TAG_META, GUMBO_TAG_PARAM, GUMBO_TAG_SOURCE,
        GUMBO_TAG_TRACK, GUMBO_TAG_WBR,
    ]
}

/// A set of tags.
struct HTMLTagSet: ExpressibleByArrayLiteral {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(arrayLiteral tags: GumboTag...) {
        for tag in tags {
            let bit = UInt64(1) << UInt64(tag.rawValue % 64)
            switch tag.rawValue / 64 {
            case 0: bits.0 |= bit
            case 1: bits.1 |= bit
            case 2: bits.2 |= bit
            default: bits.3 |= bit
            }
        }
    }

    func contains(_ tag: GumboTag) -> Bool {
        let part =
            switch tag.rawValue / 64 {
            case 0: bits.0
            case 1: bits.1
            case 2: bits.2
            default: bits.3
            }
        return part >> UInt64(tag.rawValue % 64) & 1 == 1
    }
}

extension HTMLNode {
    fileprivate var isSVG: Bool { element == .hidden && tag == GUMBO_TAG_SVG }

    /// The name in lower case, also of an element whose tag is missing in the page.
    fileprivate var normalizedName: String {
        tag == GUMBO_TAG_UNKNOWN ? name.lowercased() : String(cString: gumbo_normalized_tagname(tag))
    }

    /// The attributes whose names can be written.
    fileprivate var allAttributes: [HTMLTree.Attribute] {
        attributeNames.compactMap { name in
            guard name.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-_:.".utf8.contains($0) }) else { return nil }
            return attribute(name).map { HTMLTree.Attribute(name: name, value: $0) }
        }
    }
}

import Text

/// The data of an entry without a property in an article, as JSON.
enum FeedExtra {
    /// Below this depth, elements are kept as text.
    private static let depth = 12

    /// Returns the elements by their names. Several elements with the same name become a list.
    ///
    /// - Parameter texts: the texts to omit because they are kept elsewhere.
    static func members(of elements: [(name: String, element: XMLElement)], except texts: Set<String>) -> [JSON.Member]
    {
        members(of: elements, except: texts, depth: 0)
    }

    private static func members(
        of elements: [(name: String, element: XMLElement)], except texts: Set<String>, depth: Int
    ) -> [JSON.Member] {
        var order: [String] = []
        var values: [String: [JSON]] = [:]
        for (name, element) in elements {
            guard let value = value(of: element, except: texts, depth: depth) else { continue }
            if values[name] == nil { order.append(name) }
            values[name, default: []].append(value)
        }
        return order.compactMap { name in
            values[name].map { .init(name, $0.count == 1 ? $0[0] : .array($0)) }
        }
    }

    private static func value(of element: XMLElement, except texts: Set<String>, depth: Int) -> JSON? {
        let inside = element.elements.map { ($0.name, $0) }
        let attributes = element.attributes.filter { !$0.name.hasPrefix("xmlns") }
        if inside.isEmpty {
            let text = String(element.text.trimmed)
            if attributes.isEmpty { return text.isEmpty || texts.contains(text) ? nil : .string(text) }
            let own = text.isEmpty || texts.contains(text) ? [] : [JSON.Member("text", .string(text))]
            return .object(attributes.map { .init($0.name, .string($0.value)) } + own)
        }
        if depth == Self.depth || inside.contains(where: { $0.0.hasPrefix("html:") }) {
            return .string(String(element.innerHTML.trimmed))
        }
        var members = attributes.map { JSON.Member($0.name, .string($0.value)) }
        members += Self.members(of: inside, except: texts, depth: depth + 1)
        let text = element.ownText.trimmed
        if !text.isEmpty { members.append(.init("text", .string(String(text)))) }
        return .object(members)
    }
}

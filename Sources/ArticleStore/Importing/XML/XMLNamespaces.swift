/// Maps names to the usual prefixes of their namespaces, whichever prefixes the document uses.
struct XMLNamespaces {
    /// The usual prefix of each known namespace; empty for names without a prefix.
    private let vocabularies: [String: String]
    /// The declared prefixes in scope, innermost last, with the depths of their declarations.
    private var declared: [(prefix: Substring, customary: String, depth: Int)] = []
    private var depth = 0

    init(_ vocabularies: [String: String]) { self.vocabularies = vocabularies }

    /// Converts a start tag from expat.
    mutating func open(_ name: String, _ attributes: [XMLAttribute]) -> XMLTag {
        depth += 1
        for attribute in attributes where attribute.name.hasPrefix("xmlns") {
            let prefix = attribute.name.dropFirst(5)
            guard prefix.isEmpty || prefix.first == ":" else { continue }
            let customary = vocabularies[attribute.value] ?? String(prefix.dropFirst())
            declared.append((prefix.dropFirst(), customary, depth))
        }
        return XMLTag(
            name: customary(name, isAttribute: false), rawName: name,
            attributes: attributes.map {
                $0.name.utf8.contains(UInt8(ascii: ":"))
                    ? XMLAttribute(name: customary($0.name, isAttribute: true), value: $0.value) : $0
            })
    }

    /// Ends an element.
    mutating func close() {
        while let last = declared.last, last.depth == depth { declared.removeLast() }
        depth -= 1
    }

    private func customary(_ name: String, isAttribute: Bool) -> String {
        if declared.isEmpty { return name }
        let colon = name.utf8.firstIndex(of: UInt8(ascii: ":"))
        let prefix = colon.map { name[..<$0] } ?? ""
        guard let customary = declared.last(where: { $0.prefix == prefix })?.customary, customary != prefix else {
            return name
        }
        let local = colon.map { name[name.utf8.index(after: $0)...] } ?? name[...]
        return customary.isEmpty ? String(local) : "\(customary):\(local)"
    }
}

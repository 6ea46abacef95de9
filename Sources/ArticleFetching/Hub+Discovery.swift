package import ArticleImporting
package import ArticleStore
package import HTTPClient
internal import Text

extension Hub {
    /// Finds the hub and the topic of a feed: in the field `Link` of its response, else in the feed (WebSub, section 4). A hub
    /// with an encrypted address is preferred, because it gets a key for signatures. Nil if one of them is missing.
    ///
    /// - Parameter facts: The facts of the feed; nil if only the field counts.
    package init?(of response: ClientResponse, _ facts: FeedFacts?) {
        let links = response.fields.filter { $0.isNamed("link") }.flatMap { WebLink.links(in: $0.text) }
        func addresses(_ relation: String) -> [String] {
            links.filter { $0.relations.contains(relation) }
                .compactMap { (try? HTTPURL($0.target, relativeTo: response.url))?.text }
        }
        let linked = addresses("hub")
        let stated = linked.isEmpty ? facts?.hubs ?? [] : linked
        guard let hub = stated.first(where: { $0.lowercased().hasPrefix("https://") }) ?? stated.first,
            let topic = addresses("self").first ?? facts?.address
        else { return nil }
        self.init(address: hub, topic: topic)
    }
}

/// A link in the field `Link` (RFC 8288, section 3).
private struct WebLink {
    let target: String
    /// The relations, in lower case.
    let relations: [String]

    /// Returns the links of a field. It ends at the first mistake.
    static func links(in value: String) -> [WebLink] {
        var links: [WebLink] = []
        var rest = value.utf8[...]
        func skipBlanks() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
        func take(while condition: (UInt8) -> Bool) -> String {
            let part = rest.prefix(while: condition)
            rest = rest[part.endIndex...]
            return String(decoding: part, as: UTF8.self)
        }
        func takeQuoted() -> String {
            var text: [UInt8] = []
            rest.removeFirst()
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                guard byte == UInt8(ascii: "\\") else {
                    text.append(byte)
                    continue
                }
                if let escaped = rest.popFirst() { text.append(escaped) }
            }
            return String(decoding: text, as: UTF8.self)
        }
        while true {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
            guard rest.popFirst() == UInt8(ascii: "<") else { return links }
            let target = take { $0 != UInt8(ascii: ">") }
            guard rest.popFirst() != nil else { return links }
            var relations: [String]?
            skipBlanks()
            while rest.first == UInt8(ascii: ";") {
                rest.removeFirst()
                skipBlanks()
                let name = take { !"=;, \t".utf8.contains($0) }.lowercased()
                skipBlanks()
                var parameter = ""
                if rest.first == UInt8(ascii: "=") {
                    rest.removeFirst()
                    skipBlanks()
                    parameter = rest.first == UInt8(ascii: "\"") ? takeQuoted() : take { !";, \t".utf8.contains($0) }
                    skipBlanks()
                }
                // Only the first parameter counts.
                if name == "rel", relations == nil {
                    relations = parameter.lowercased().split(separator: " ").map(String.init)
                }
            }
            links.append(WebLink(target: target, relations: relations ?? []))
        }
    }
}

import Text

/// A person in a feed.
struct FeedPerson: Hashable {
    let name: String
    let url: String?
    let email: String?

    /// Creates an author from Atom or RSS: `ada@example.org (Ada Lovelace)`, `Ada Lovelace <ada@example.org>`, or only
    /// one of the two. Nil if the element does not name a person.
    init?(_ element: XMLElement, base: String?) {
        func child(_ key: String) -> String? {
            element.elements.first { FeedVocabulary.key($0.name) == key }
                .map { FeedTitle.line(of: $0.text) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        if element.elements.contains(where: { _ in true }) {
            email = child("email")
            url = FeedLink.address(child("uri") ?? child("url") ?? child("homepage"), base: base)
            guard let name = child("name") ?? email ?? url else { return nil }
            self.name = name
            return
        }
        url = nil
        let text = element.text.trimmed
        var email: Substring?
        var name = text
        if let open = text.lastIndex(of: "("), text.hasSuffix(")"), text[..<open].contains("@") {
            email = text[..<open].trimmed
            name = text[text.index(after: open)...].dropLast().trimmed
        } else if let open = text.lastIndex(of: "<"), text.hasSuffix(">"), text[open...].contains("@") {
            email = text[text.index(after: open)...].dropLast().trimmed
            name = text[..<open].trimmed
        } else if text.contains("@"), !text.contains(where: \.isWhitespace) {
            email = text
        }
        self.email = email.map(String.init)
        let line = FeedTitle.line(of: String(name.isEmpty ? email ?? "" : name))
        guard !line.isEmpty else { return nil }
        self.name = line
    }

    /// Whether only the e-mail address is known.
    var isAddress: Bool { name == email }

    /// The author in the form of JSON Feed.
    var json: JSON {
        var members = [JSON.Member("name", .string(name))]
        if let url { members.append(.init("url", .string(url))) }
        if let email, email != name { members.append(.init("email", .string(email))) }
        return .object(members)
    }
}

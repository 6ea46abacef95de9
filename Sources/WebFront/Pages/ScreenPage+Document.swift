internal import ArticleStore
internal import FlowCoordinators
internal import Markup

extension ScreenPage {
    /// Returns a text with the facts before it and the actions after it.
    func document(_ document: Document) -> HTML {
        var facts = HTML(capacity: 1_024)
        for fact in document.facts {
            facts += "<div><dt>\(fact.label)</dt><dd>"
            for index in fact.parts.indices {
                if index > 0 { facts.add(", ") }
                let text = fact.parts[index].text
                if let list = fact.parts[index].list {
                    facts.addLink(text, to: AppRoute.articles(ArticleList(query: list)).path)
                } else if let address = fact.parts[index].address {
                    facts += "<bdi><a href=\"\(address)\" rel=\"noopener noreferrer\">\(text)</a></bdi>"
                } else {
                    facts.add(isolated: text)
                }
            }
            facts.add("</dd></div>")
        }
        let place = screen.readingPosition.map { String($0) }
        let rest: HTML? =
            document.body.isEmpty
            ? nil
            : """
            <div class="text" dir="auto"\(attribute: "lang", document.language)\(attribute: "data-place", place)>
            \(text(of: document))</div>
            \(afterReading(screen.actions))
            """
        return """
            <article><header>\(heading)\(notice)<dl class="facts">\(facts)</dl></header>
            \(toolbar(screen.actions))\(rest)</article>

            """
    }

    private func text(of document: Document) -> HTML {
        texts.html(of: RenderedTexts.Source(document, images: images, pictures: pictures, on: address)) {
            HTML(
                safe: document.webDocument(images: images, pictures: pictures) { address.link(to: $0) }
                    .html(
                        HTMLOptions(
                            keepsRelativeAddresses: true, highlightsCode: true, reachesScrolled: true,
                            isBeneathTitle: true)))
        }
    }

    /// The allowed sources of pictures for the policy; empty if there are none.
    var imageSources: String {
        guard case .document(let document) = screen.content else { return "" }
        return switch images {
        case .off, .kept: ""
        case .sameSource: document.site ?? ""
        case .all: "https: http:"
        }
    }
}

extension Document {
    /// The scheme and authority of the site from which the text comes; nil if they are unknown or not valid in a
    /// policy.
    var site: String? {
        guard let base = address ?? base else { return nil }
        let reference = URLReference(base)
        guard let scheme = reference.scheme, ["http", "https"].contains(scheme), let authority = reference.authority,
            authority.utf8.allSatisfy({ Self.isPlain($0) })
        else { return nil }
        return "\(scheme)://\(authority)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"):
            true
        default: false
        }
    }

    /// Returns the text with links adapted to this server.
    ///
    /// - Parameters:
    ///   - images: the images to show; others are replaced by links.
    ///   - pictures: the paths of pictures on this server, by their addresses.
    ///   - link: returns the address of the page that resolves a link which may lead to an article of the library.
    func webDocument(
        images: WebFrontSettings.Images, pictures: [String: String], link: (String) -> String
    ) -> MarkupDocument {
        let site = site
        return format.document(of: body).mappingInlines { inline in
            switch inline {
            case .link(let destination, let inlines):
                return Self.mayBeInside(destination, site: site)
                    ? .link(destination: link(destination), inlines) : .link(destination: destination, inlines)
            case .image(let source, let alternative):
                let whole = base.map { URLReference.resolved(source, against: URLReference($0)) } ?? source
                if let path = pictures[whole] { return .image(source: path, alternative: alternative) }
                let isShown =
                    switch images {
                    case .off, .kept: false
                    case .sameSource: site.map { whole.hasPrefix($0 + "/") } ?? false
                    case .all: true
                    }
                if isShown { return .image(source: whole, alternative: alternative) }
                return .link(destination: whole, [.text("Image: \(alternative.isEmpty ? whole : alternative)")])
            default: return inline
            }
        }
    }

    /// Whether the text contains a link.
    func links(to target: String) -> Bool {
        var isThere = false
        _ = format.document(of: body).mappingInlines { inline in
            if case .link(let destination, _) = inline, destination == target { isThere = true }
            return inline
        }
        return isThere
    }

    /// Returns the fragment of a link as the end of an address, so that the page of the other article opens at that
    /// part.
    func part(of link: String) -> String {
        guard let name = URLReference(link).fragment, !name.isEmpty else { return "" }
        // Escape only characters that an address cannot contain. The author has encoded the rest.
        let encoded = name.utf8.map { byte in
            (0x21...0x7E).contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + String(UInt16(byte) + 0x100, radix: 16).dropFirst().uppercased()
        }
        return "#" + MarkupDocument.namePrefix + encoded.joined()
    }

    /// Returns the web address of a link; nil if it does not lead to a web page.
    func address(of link: String) -> String? {
        let whole = base.map { URLReference.resolved(link, against: URLReference($0)) } ?? link
        return ["http", "https"].contains(URLReference(whole).scheme ?? "") ? whole : nil
    }

    /// Whether a link may lead to another article of the library: it leads to the same site, or is relative.
    private static func mayBeInside(_ link: String, site: String?) -> Bool {
        if link.hasPrefix("#") { return false }
        let reference = URLReference(link)
        guard let scheme = reference.scheme else { return true }
        return site.map { "\(scheme)://\(reference.authority ?? "")" == $0 } ?? false
    }
}

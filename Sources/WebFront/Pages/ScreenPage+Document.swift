internal import ArticleStore
internal import FlowCoordinators
internal import Markup

extension ScreenPage {
    /// Adds a document: an article with a line of brief facts, or facts with a text below them.
    func add(_ document: Document, to page: inout HTML) {
        let (brief, others) = (document.facts.filter(\.isBrief), document.facts.filter { !$0.isBrief })
        guard !brief.isEmpty else {
            page += """
                <article><header>\(heading)\(notice)\(list(of: others))</header>
                \(toolbar(screen.actions))
                """ as HTML
            addText(of: document, to: &page)
            page.add("</article>\n")
            return
        }
        let line = brief.sorted { $0.rank < $1.rank }.map { "<span>\(parts(of: $0))</span>" as HTML }
        let footer: HTML? = others.isEmpty ? nil : "<footer>\(list(of: others))</footer>"
        page += """
            <article>\(documentBar(screen.actions))<header>\(heading)<p class="facts">\(line)</p>\(notice)</header>

            """ as HTML
        addText(of: document, to: &page)
        page += "\(footer)</article>\n" as HTML
    }

    private func list(of facts: [Document.Fact]) -> HTML {
        "<dl class=\"facts\">\(facts.map { "<div><dt>\($0.label)</dt><dd>\(parts(of: $0))</dd></div>" as HTML })</dl>"
    }

    private func parts(of fact: Document.Fact) -> HTML {
        var parts = HTML(capacity: 256)
        for (index, part) in fact.parts.enumerated() {
            if index > 0 { parts.add(", ") }
            if let list = part.list {
                parts.addLink(part.text, to: AppRoute.articles(ArticleList(query: list)).path)
            } else if let address = part.address {
                parts += "<bdi><a href=\"\(address)\" rel=\"noopener noreferrer\">\(part.text)</a></bdi>"
            } else if let time = part.time {
                parts.add(text: time.before)
                DateWords(time.date, offset: time.offset, now: now).add(to: &parts, isWithin: !time.before.isEmpty)
                parts.add(text: time.after)
            } else {
                parts.add(isolated: part.text)
            }
        }
        return parts
    }

    private func addText(of document: Document, to page: inout HTML) {
        guard !document.body.isEmpty else { return }
        let place = screen.readingPosition.map { String($0) }
        page += """
            <div class="text" dir="auto"\(attribute: "lang", document.language)\(attribute: "data-place", place)>

            """ as HTML
        page += rendered(document)
        page.add("</div>\n")
    }

    private func rendered(_ document: Document) -> HTML {
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

extension Document.Fact {
    /// The position in the line below the title: the source, the date, facts without links, and the authors, who may be many.
    fileprivate var rank: Int {
        let part = parts.first
        if part?.list?.source != nil { return 0 }
        return part?.time != nil ? 1 : part?.list == nil ? 2 : 3
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

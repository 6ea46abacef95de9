import ArticleStore
import Text

/// An entry of RSS or Atom, converted to the field names of articles.
struct FeedEntry {
    private let head: FeedHead
    /// The base of relative addresses and the language, inherited from the elements around the entry.
    private var base: String?
    private var language: String?
    private let id: String?
    /// The other attributes of the entry.
    private let attributes: [XMLAttribute]
    /// The unused elements, each with its normalized name.
    private var children: [(key: String, element: XMLElement)]
    /// The texts that were used already and need not be kept again.
    private var taken: Set<String> = []

    private init(_ element: XMLElement, head: FeedHead, base: String?, language: String?) {
        self.head = head
        self.base = FeedLink.address(element["xml:base"], base: base) ?? base
        self.language = element["xml:lang"] ?? language
        id = element["rdf:about"]
        attributes = element.attributes.filter {
            !$0.name.hasPrefix("xmlns") && !["xml:base", "xml:lang", "rdf:about"].contains($0.name)
        }
        children = element.elements.map { (FeedVocabulary.key($0.name), $0) }
    }

    /// Returns the members of an entry.
    ///
    /// - Parameters:
    ///   - base: the base of relative addresses.
    ///   - language: the language of the surrounding element.
    /// - Returns: `id`, `title`, `url`, `external_url`, `date`, `updated`, `authors`, `tags`, `summary`, `language`,
    ///   `base`, `image`, `attachments` in the form of JSON Feed, and one of `content_html`, `content_text`, and `body`
    ///   (Markdown). All other data is in `extra` under its own name.
    static func members(
        of element: XMLElement, head: FeedHead, base: String?, language: String?
    ) -> [JSON.Member] {
        var entry = FeedEntry(element, head: head, base: base, language: language)
        return entry.members()
    }

    private mutating func members() -> [JSON.Member] {
        let guid = readText(["guid"], keepingIf: { _ in false })
        let attachments = attachments()
        let (url, external) = addresses(guid: guid?.element)
        let id = guid?.text ?? readText(["id"])?.text ?? self.id ?? readText(["dc:identifier"])?.text
        let (body, summary) = texts()
        let title = title(ofBody: body, attachments: attachments, url: url)
        let date = readText(Self.dateKeys)?.text
        let updated = readText(Self.updateKeys)?.text
        let language = readText(["dc:language", "language"])?.text ?? language ?? head.language

        var members: [JSON.Member] = []
        func add(_ key: String, _ text: String?) {
            if let text { members.append(.init(key, .string(text))) }
        }
        add("id", id ?? (url == nil ? videoID.map { "yt:video:\($0)" } : nil))
        add("title", title)
        add("url", url ?? videoID.map { "https://www.youtube.com/watch?v=\($0)" })
        add("external_url", external)
        add("date", date ?? updated)
        add("updated", updated)
        let authors = authors()
        if !authors.isEmpty { members.append(.init("authors", .array(authors))) }
        let tags = tags()
        if !tags.isEmpty { members.append(.init("tags", JSON(tags))) }
        add("summary", summary)
        add("language", language)
        add("base", base)
        add("image", image())
        if !attachments.isEmpty { members.append(.init("attachments", .array(attachments.map(\.json)))) }
        let text = body ?? FeedText(attachments.map(\.html).joined(separator: "\n"), .html)
        switch text.format {
        case .html: add("content_html", text.text)
        case .plain: add("content_text", text.text)
        case .markdown: add("body", text.text)
        }
        let extra = extra()
        if extra.isEmpty { return members }
        if title == nil { add("title", FeedTitle.untitled) }
        members.append(.init("extra", .object(extra)))
        return members
    }

    // MARK: - Taking

    /// Removes and returns the first element with text that has one of these names, in the order of the names. It stays
    /// available to ``extra()`` only if it contains more than the text.
    private mutating func readText(
        _ keys: [String], keepingIf keeps: (XMLElement) -> Bool = { !$0.attributes.isEmpty }
    ) -> (text: String, element: XMLElement)? {
        for key in keys {
            for index in children.indices where children[index].key == key {
                let element = children[index].element
                let text = element.text.oneLine
                guard !text.isEmpty else { continue }
                if !keeps(element) { children.remove(at: index) }
                return (text, element)
            }
        }
        return nil
    }

    /// Removes and returns the first element with readable text that has one of these names.
    private mutating func readConstruct(_ keys: [String]) -> (text: FeedText, element: XMLElement)? {
        for key in keys {
            for index in children.indices where children[index].key == key {
                let element = children[index].element
                guard let text = FeedText(element) else { continue }
                if element["src"] == nil { children.remove(at: index) }
                taken.insert(text.text)
                return (text, element)
            }
        }
        return nil
    }

    /// Adopts the base address and the language of the element that becomes the body. Those of a summary apply only to
    /// the summary.
    private mutating func adopt(_ element: XMLElement) {
        base = FeedLink.address(element["xml:base"], base: base) ?? base
        language = element["xml:lang"] ?? language
    }

    /// Returns all elements with these names, including those inside media groups.
    private func media(_ keys: Set<String>) -> [XMLElement] {
        var found: [XMLElement] = []
        func look(in children: some Sequence<(key: String, element: XMLElement)>) {
            for (key, element) in children {
                if keys.contains(key) { found.append(element) }
                if key == "media:group" || key == "media:content" {
                    look(in: element.elements.map { (FeedVocabulary.key($0.name), $0) })
                }
            }
        }
        look(in: children)
        return found
    }

    // MARK: - Addresses

    private mutating func addresses(guid: XMLElement?) -> (url: String?, external: String?) {
        var written: String?
        var alternates: [(href: String, isPage: Bool, index: Int)] = []
        var external: String?
        var own: String?
        for (index, child) in children.enumerated() where child.key == "link" {
            let element = child.element
            guard let href = FeedLink.address(element["href"], base: Self.base(of: element, in: base)) else {
                if written == nil { written = FeedLink.address(element.text, base: base) }
                continue
            }
            switch element["rel"]?.lowercased() ?? "alternate" {
            case "alternate", "":
                let type = element["type"]?.lowercased() ?? "text/html"
                alternates.append((href, ["text/html", "application/xhtml+xml"].contains(type), index))
            case "related": external = external ?? href
            case "self": own = own ?? href
            default: break
            }
        }
        let alternate = alternates.first { $0.isPage } ?? alternates.first
        let origin = readText(["feedburner:origlink"])?.text
        let isPermalink = guid?["isPermaLink"]?.lowercased() != "false"
        let names = [isPermalink ? guid?.text : nil, children.first { $0.key == "id" }?.element.text, id]
        let base = base
        let url =
            [origin, written, alternate?.href].lazy.compactMap { FeedLink.address($0, base: base) }
            .first(where: FeedLink.isWeb)
            // A name of an entry need not be an address. A relative one is not used as an address.
            ?? (names + [own]).lazy.compactMap { FeedLink.address($0, base: nil) }.first(where: FeedLink.isWeb)
        // Keep other links, and the unknown attributes of this one.
        children.removeAll { child in
            guard child.key == "link" else { return false }
            let href = FeedLink.address(child.element["href"], base: Self.base(of: child.element, in: base))
            let address = href ?? FeedLink.address(child.element.text, base: base)
            let isUsed = address == url || address == external || address == nil
            return isUsed && child.element.attributes.allSatisfy { ["href", "rel", "type"].contains($0.name) }
        }
        return (url, external)
    }

    private static func base(of element: XMLElement, in base: String?) -> String? {
        FeedLink.address(element["xml:base"], base: base) ?? base
    }

    private var videoID: String? {
        children.first { $0.key == "yt:videoid" }.map { String($0.element.text.trimmed) }.flatMap {
            $0.isEmpty ? nil : $0
        }
    }

    private mutating func attachments() -> [FeedAttachment] {
        var attachments: [FeedAttachment] = []
        var found: [XMLElement] = children.filter {
            $0.key == "enclosure" || $0.key == "link" && $0.element["rel"]?.lowercased() == "enclosure"
                || $0.key == "content" && $0.element["src"] != nil
        }.map(\.element)
        found += media(["media:content"])
        var addresses: Set<String> = []
        for element in found where attachments.count < FeedAttachment.most {
            guard let attachment = FeedAttachment(element, base: Self.base(of: element, in: base)),
                addresses.insert(attachment.url).inserted
            else { continue }
            attachments.append(attachment)
        }
        children.removeAll {
            $0.key == "enclosure" || $0.key == "link" && $0.element["rel"]?.lowercased() == "enclosure"
        }
        if let duration = children.first(where: { $0.key == "itunes:duration" })?.element.text {
            if let index = attachments.firstIndex(where: { !$0.isImage }) { attachments[index].duration = duration }
        }
        return attachments
    }

    private func image() -> String? {
        let images = children.filter { $0.key == "itunes:image" }.compactMap { $0.element["href"] }
        let thumbnails = media(["media:thumbnail"]).compactMap { $0["url"] }
        let pictures = media(["media:content"]).filter { FeedAttachment($0, base: nil)?.isImage == true }
        let urls = children.filter { $0.key == "image" }.compactMap { child -> String? in
            child.element["href"] ?? child.element.first("url")?.text ?? child.element.text
        }
        return (images + thumbnails + pictures.compactMap { $0["url"] } + urls)
            .lazy.compactMap { FeedLink.address($0, base: base) }.first(where: FeedLink.isWeb)
    }

    // MARK: - Texts

    private mutating func texts() -> (body: FeedText?, summary: String?) {
        // A multipart element of Atom 0.3 contains the same text in several types.
        for (index, child) in children.enumerated() where child.key == "content" {
            let parts = child.element.elements.filter { FeedVocabulary.key($0.name) == "content" }
            guard !parts.isEmpty else { continue }
            children.remove(at: index)
            let best = parts.first { $0["type"]?.contains("html") == true } ?? parts[0]
            children.append(("content", best))
            break
        }
        let content = readConstruct([
            "content:encoded", "content", "html:body", "html:div", "xhtml:body", "xhtml:div", "body", "fullitem",
        ])
        let description = readConstruct(["description", "summary", "dc:description", "dcterms:abstract", "abstract"])
        if let content {
            adopt(content.element)
            // Extracting the text of the content is the most expensive step here, so do it only if there is a summary
            // to compare.
            guard let summary = description?.text.line else { return (content.text, nil) }
            return (content.text, summary == content.text.line ? nil : summary)
        }
        let others =
            media(["media:description"])
            + ["itunes:summary", "googleplay:description", "itunes:subtitle", "source:markdown"].flatMap(all)
        guard let more = others.lazy.compactMap({ FeedText($0) }).first else {
            if let description { adopt(description.element) }
            return (description?.text, nil)
        }
        guard let description else {
            taken.insert(more.text)
            return (more, nil)
        }
        let line = description.text.line
        guard more.line.utf8.count > 2 * line.utf8.count else {
            adopt(description.element)
            return (description.text, nil)
        }
        taken.insert(more.text)
        return (more, line)
    }

    /// Returns the title or, if it is missing, the start of the text, as feed readers do; else the last part of an
    /// address.
    private mutating func title(ofBody body: FeedText?, attachments: [FeedAttachment], url: String?) -> String? {
        for key in ["title", "dc:title", "media:title", "itunes:title"] {
            let elements = key == "media:title" ? media([key]) : children.filter { $0.key == key }.map(\.element)
            guard
                let title = elements.lazy.compactMap({ FeedText($0, isTitle: true)?.line })
                    .first(where: { !FeedTitle.isPlaceholder($0) })
            else {
                continue
            }
            // If the text is too long for a title, it is also kept in full.
            let short = FeedTitle.cut(title)
            guard short == title else { return short }
            if key == "title" || key == "dc:title" {
                children.removeAll { $0.key == key && FeedText($0.element, isTitle: true)?.line == title }
            }
            taken.insert(title)
            return title
        }
        return FeedTitle.made(of: body, addresses: attachments.map(\.url) + [url].compactMap(\.self))
    }

    // MARK: - People and subjects

    private mutating func authors() -> [JSON] {
        var people: [FeedPerson] = []
        for key in ["author", "dc:creator", "itunes:author", "media:credit", "googleplay:author"] {
            let elements = key == "media:credit" ? media([key]).filter { $0["role"] == "author" } : all(key)
            let found = elements.compactMap { FeedPerson($0, base: base) }
            if !found.isEmpty, people.allSatisfy({ $0.isAddress }) {
                people = found
                children.removeAll { $0.key == key && key != "media:credit" }
            }
        }
        if people.isEmpty, let source = all("source").first {
            people = source.elements.filter { FeedVocabulary.key($0.name) == "author" }
                .compactMap { FeedPerson($0, base: base) }
        }
        return people.isEmpty ? head.authors : people.map(\.json)
    }

    private mutating func tags() -> [String] {
        var tags: [String] = []
        func add(_ text: String?) {
            guard let tag = text.map({ FeedTitle.line(of: $0) }), !tag.isEmpty, tag.utf8.count <= 1000,
                tags.count < 1000
            else { return }
            if !tags.contains(tag) { tags.append(tag) }
        }
        // Some feeds put categories into an enclosing element.
        let around = all("categories").flatMap { $0.elements.filter { FeedVocabulary.key($0.name) == "category" } }
        for element in all("category") + around {
            let texts = [element["label"], element["term"], element.ownText, element.text].compactMap(\.self)
            add(texts.first { !$0.trimmed.isEmpty })
        }
        for element in all("dc:subject") { add(element.text) }
        for element in media(["media:keywords"]) + all("itunes:keywords") {
            for word in element.text.split(separator: ",") { add(String(word.trimmed)) }
        }
        for element in all("itunes:category") {
            add(element["text"])
            for inner in element.elements { add(inner["text"]) }
        }
        for element in media(["media:category"]) { add(element["label"] ?? element.text) }
        let kept: Set<String> = ["domain", "scheme"]
        children.removeAll { child in
            ["category", "categories", "dc:subject"].contains(child.key)
                && !child.element.attributes.contains { kept.contains($0.name) }
                && !(child.element["label"] != nil && child.element["term"] != child.element["label"])
        }
        return tags
    }

    private func all(_ key: String) -> [XMLElement] { children.filter { $0.key == key }.map(\.element) }

    // MARK: - The rest

    private func extra() -> [JSON.Member] {
        attributes.map { .init($0.name, .string($0.value)) }
            + FeedExtra.members(of: children.map { ($0.element.name, $0.element) }, except: taken)
    }

    private static let dateKeys = [
        "pubdate", "published", "issued", "dc:date", "dcterms:issued", "dcterms:created", "created",
        "dcterms:available",
        "dcterms:date", "prism:publicationdate", "date",
    ]
    private static let updateKeys = ["updated", "modified", "dcterms:modified", "lastbuilddate", "lastmod"]
}

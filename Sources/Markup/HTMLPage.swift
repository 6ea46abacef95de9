import CGumbo
import Text

/// The metadata of a page, and the part of the page that is its main text.
package struct HTMLPage {
    /// The title in the head.
    package private(set) var title: String?
    /// The first heading of level 1.
    package private(set) var heading: String?
    /// The first headings of the levels 1 and 2.
    package private(set) var headings: [String] = []
    /// Whether there is a field for a password.
    package private(set) var hasPasswordField = false
    /// The `meta` elements in their order, each with its `property`, `name`, or `itemprop` in lower case.
    package private(set) var properties: [(name: String, content: String)] = []
    /// The address of the original, if the page states it.
    package private(set) var canonical: String?
    /// A feed that the page links to.
    package struct FeedLink: Hashable, Sendable {
        /// The address as it is written, possibly relative.
        package let address: String
        package let title: String?
    }

    /// The feeds that the page links to, in their order
    /// (<https://html.spec.whatwg.org/multipage/links.html#rel-alternate>).
    package private(set) var feeds: [FeedLink] = []
    /// The addresses of the page's icons as they are written, in their order. Large ones for the screens of phones come last.
    package var icons: [String] { smallIcons + largeIcons }
    private var smallIcons: [String] = []
    private var largeIcons: [String] = []
    /// The base of relative links, if the page states it.
    package private(set) var base: String?
    /// The language that the page states.
    package private(set) var language: String?
    /// The publication time in a `time` element that is marked as such, else the first time in the text.
    package private(set) var time: String?
    /// The JSON-LD texts.
    package private(set) var data: [String] = []
    /// The main text, in HTML as it is written. It is the only top-level `article` outside of `nav`, `aside`, and
    /// `footer`; else the `main` element, the element with that role, or `.e-content` in `.h-entry`, all without `nav`,
    /// forms, scripts, and styles; else the `body`, also without `header`, `footer`, and `aside`.
    package private(set) var text = ""

    /// Parses a page; nil if the text is only a part of a page, too large, or malicious.
    package init?(_ html: String) {
        guard Self.isPage(html) else { return nil }
        var html = html
        let page = html.withUTF8 { bytes -> HTMLPage? in
            guard bytes.count <= HTMLReader.sizeLimit else { return nil }
            // Parts of the page must be copied as they are written, so copy them from `bytes`.
            guard let renamed = HTMLSource.renamingNoscript(in: bytes) else {
                return Self.read(bytes, writtenAs: bytes)
            }
            return renamed.withUnsafeBufferPointer { Self.read($0, writtenAs: bytes) }
        }
        guard let page else { return nil }
        self = page
    }

    private static func read(
        _ html: UnsafeBufferPointer<UInt8>, writtenAs written: UnsafeBufferPointer<UInt8>
    ) -> HTMLPage? {
        html.withMemoryRebound(to: CChar.self) { characters in
            guard let start = characters.baseAddress, let page = cgumbo_read(start, characters.count) else {
                return nil
            }
            defer { cgumbo_free(page) }
            return HTMLPage(HTMLNode(cgumbo_document(page)), in: written)
        }
    }

    /// Whether the text has the outer elements of a page.
    private static func isPage(_ html: String) -> Bool {
        let start = html.trimmed.prefix(1024).lowercased()
        return ["<!doctype html", "<html", "<head", "<body"].contains { start.contains($0) }
    }

    private static let headingLimit = 100

    private static let feedTypes: Set = [
        "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
    ]

    /// Returns a media type in lower case without its parameters.
    private static func mediaType(_ text: String?) -> String {
        String((text ?? "").prefix { $0 != ";" }.trimmed).lowercased()
    }

    private init(_ root: HTMLNode, in html: UnsafeBufferPointer<UInt8>) {
        var outline = Outline()
        let enter = { (node: HTMLNode) in
            guard node.isElement else { return true }
            switch node.tag {
            case GUMBO_TAG_HTML: language = node.value("lang") ?? node.value("xml:lang")
            case GUMBO_TAG_TITLE:
                guard title == nil, node.parent?.isNamed(GUMBO_TAG_HEAD) == true else { break }
                let text = node.plainText
                if !text.isEmpty { title = text }
            case GUMBO_TAG_META:
                let name = node.value("property") ?? node.value("name") ?? node.value("itemprop")
                if let name, let content = node.value("content") { properties.append((name.lowercased(), content)) }
            case GUMBO_TAG_LINK:
                let relations = (node.value("rel") ?? "").lowercased().split { $0.isWhitespace }
                if let address = node.value("href"), !address.isEmpty,
                    Self.mediaType(node.value("type")) != "image/svg+xml"
                {
                    if relations.contains("icon") { smallIcons.append(address) }
                    if relations.contains("apple-touch-icon") { largeIcons.append(address) }
                }
                if canonical == nil, relations.contains("canonical") { canonical = node.value("href") }
                if relations.contains("alternate") || relations.contains("feed"), !relations.contains("stylesheet"),
                    let address = node.value("href"), !address.isEmpty,
                    Self.feedTypes.contains(Self.mediaType(node.value("type"))) || relations.contains("feed")
                {
                    feeds.append(FeedLink(address: address, title: node.value("title")))
                }
            case GUMBO_TAG_BASE: base = base ?? node.value("href")
            case GUMBO_TAG_SCRIPT:
                guard node.value("type")?.lowercased() == "application/ld+json" else { break }
                data.append(node.children.compactMap(\.text).map { String(decoding: $0, as: UTF8.self) }.joined())
            case GUMBO_TAG_H1, GUMBO_TAG_H2:
                guard headings.count < Self.headingLimit else { break }
                let text = node.plainText
                guard !text.isEmpty else { break }
                if heading == nil, node.tag == GUMBO_TAG_H1 { heading = text }
                headings.append(text)
            case GUMBO_TAG_INPUT:
                if node.value("type")?.lowercased() == "password" { hasPasswordField = true }
            default: break
            }
            outline.enter(node)
            return true
        }
        root.walk(enter: enter, leave: { outline.leave($0) })
        let main = outline.main
        time = outline.time(in: main)
        let (inner, dropped) = main.map { ($0.place?.inner, Outline.dropped) } ?? (nil, Outline.droppedFromBody)
        // An element that is not closed ends with the body.
        let body = outline.body ?? 0..<html.count
        text = Self.text(outline.places(of: dropped, in: html), in: inner?.clamped(to: body) ?? body, of: html)
    }

    /// Returns the text of a range without the dropped ranges.
    private static func text(
        _ dropped: [Range<Int>], in place: Range<Int>, of html: UnsafeBufferPointer<UInt8>
    ) -> String {
        var kept: [UInt8] = []
        var start = place.lowerBound
        let end = min(place.upperBound, html.count)
        for range in dropped where range.lowerBound >= start && range.upperBound <= end {
            kept += html[start..<range.lowerBound]
            start = range.upperBound
        }
        if start < end { kept += html[start..<end] }
        return String(String(decoding: kept, as: UTF8.self).trimmed)
    }

    /// The elements that may contain the main text of a page.
    private struct Outline {
        private var articles: [HTMLNode] = []
        private var mains: [HTMLNode] = []
        private var roles: [HTMLNode] = []
        private var contents: [HTMLNode] = []
        /// The times, and whether each is in one of the elements `around`.
        private var times: [(node: HTMLNode, isInside: Bool)] = []
        /// The number of open elements of the kinds `around`. It makes a look at all elements around a node unnecessary,
        /// which would take quadratic time.
        private var openAround = 0
        /// The number of open elements with the class `h-entry`.
        private var openEntries = 0
        /// The elements to drop, in document order.
        private var parts: [HTMLNode] = []
        /// The range of the body; nil if the tag is missing.
        private(set) var body: Range<Int>?

        static let dropped = [GUMBO_TAG_NAV, GUMBO_TAG_FORM, GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE]
        static let droppedFromBody =
            dropped + [
                GUMBO_TAG_HEADER, GUMBO_TAG_FOOTER, GUMBO_TAG_ASIDE, GUMBO_TAG_HEAD, GUMBO_TAG_TITLE, GUMBO_TAG_META,
            ]
            + [GUMBO_TAG_LINK, GUMBO_TAG_BASE]
        private static let around = [GUMBO_TAG_ARTICLE, GUMBO_TAG_NAV, GUMBO_TAG_ASIDE, GUMBO_TAG_FOOTER]

        /// Reads an element at its start.
        mutating func enter(_ node: HTMLNode) {
            let classes = node.hasAttributes ? node.classes : []
            defer {
                if Self.around.contains(node.tag) { openAround += 1 }
                if classes.contains("h-entry") { openEntries += 1 }
            }
            switch node.tag {
            case GUMBO_TAG_ARTICLE: if openAround == 0 { articles.append(node) }
            case GUMBO_TAG_MAIN: mains.append(node)
            case GUMBO_TAG_BODY: body = node.place?.inner
            case GUMBO_TAG_TIME: if node.value("datetime") != nil { times.append((node, openAround > 0)) }
            default: break
            }
            if Self.droppedFromBody.contains(node.tag) { parts.append(node) }
            guard node.hasAttributes else { return }
            if node.value("role")?.lowercased() == "main" { roles.append(node) }
            if openEntries > 0, classes.contains("e-content") { contents.append(node) }
        }

        /// Reads an element at its end.
        mutating func leave(_ node: HTMLNode) {
            guard node.isElement else { return }
            if Self.around.contains(node.tag) { openAround -= 1 }
            if node.hasAttributes, node.classes.contains("h-entry") { openEntries -= 1 }
        }

        /// The element with the main text, if its tags are in the source.
        var main: HTMLNode? {
            let article = articles.count == 1 ? articles.first : nil
            return [article, mains.first, roles.first, contents.first].compactMap(\.self).first { $0.place != nil }
        }

        func time(in main: HTMLNode?) -> String? {
            let published = times.first { time in
                time.node.attribute("pubdate") != nil || time.node.value("itemprop") == "datePublished"
                    || time.node.classes.contains("dt-published")
            }
            if let published { return published.node.value("datetime") }
            guard let main else { return times.first { !$0.isInside }?.node.value("datetime") }
            var found: String?
            main.forEachNode { node in
                if found == nil, node != main, node.isNamed(GUMBO_TAG_TIME) { found = node.value("datetime") }
                return found == nil
            }
            return found
        }

        func places(of tags: [GumboTag], in html: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
            parts.filter { tags.contains($0.tag) }.compactMap { node in
                node.tag == GUMBO_TAG_FORM ? Self.place(ofForm: node, in: html) : node.place?.outer
            }
        }

        /// Returns the range of a form. Gumbo does not report the end of a form, but forms cannot be nested.
        private static func place(ofForm node: HTMLNode, in html: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
            guard let start = node.startTag, start.upperBound <= html.count else { return nil }
            var rest = html[start.upperBound...]
            while let sign = rest.firstIndex(of: UInt8(ascii: "<")) {
                rest = html[(sign + 1)...]
                let name = rest.prefix(5).map { $0 >= UInt8(ascii: "A") ? $0 | 0x20 : $0 }
                guard name.elementsEqual("/form".utf8) else { continue }
                return rest.firstIndex(of: UInt8(ascii: ">")).map { start.lowerBound..<$0 + 1 }
            }
            return nil
        }
    }
}

extension HTMLNode {
    fileprivate func isNamed(_ tag: GumboTag) -> Bool { isElement && self.tag == tag }
}

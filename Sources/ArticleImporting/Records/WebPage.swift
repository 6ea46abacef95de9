import ArticleStore
import Markup
import Text

/// A web page in a file of its own. Its metadata has the role of front matter.
struct WebPage {
    private let page: HTMLPage
    /// The data about its article in JSON-LD (schema.org).
    private let data: [JSON.Member]

    /// Nil if the text is not a complete page.
    init?(_ html: String) {
        guard let page = HTMLPage(html) else { return nil }
        self.page = page
        data = page.data.lazy.compactMap(Self.article).first ?? []
    }

    /// Its metadata as front matter, and its main text.
    var file: FrontMatter {
        var members: [JSON.Member] = []
        members.add("title", first(["og:title"]) ?? page.title ?? page.heading)
        if let authors { members.append(.init("authors", authors)) }
        members.add("date", date)
        members.add("updated", first(["article:modified_time", "og:updated_time"]) ?? text("dateModified"))
        let base = FeedLink.address(page.base, base: nil).flatMap { FeedLink.isWeb($0) ? $0 : nil }
        members.add("base", base)
        let original = [page.canonical, first(["og:url"])].compactMap { FeedLink.address($0, base: base) }
        members.add("canonical_url", original.first(where: FeedLink.isWeb))
        members.add("description", first(["description", "og:description"]))
        members.add("tags", tags)
        members.add("lang", page.language)
        var extra: [JSON.Member] = []
        extra.add("image", first(["og:image"]))
        extra.add("site_name", first(["og:site_name"]))
        members.add(extra: extra)
        return FrontMatter(members: members, body: page.text)
    }

    private func all(_ names: [String]) -> [String] {
        names.lazy.map { name in page.properties.filter { $0.name == name }.map(\.content) }
            .first { !$0.isEmpty } ?? []
    }

    private func first(_ names: [String]) -> String? { all(names).first }

    private func value(_ key: String) -> JSON? { data.last { $0.key == key }?.value }

    private func text(_ key: String) -> String? { value(key)?.text }

    private var authors: JSON? {
        // Some sites put the address of the author's page here.
        let names = all(["author"]) + (first(["author"]) == nil ? all(["article:author"]) : [])
        let written = names.filter { !FeedLink.isWeb($0) }
        return written.isEmpty ? value("author") : JSON(written)
    }

    /// The first readable date, else the first date, so that it can be reported.
    private var date: String? {
        let dates =
            [first(["article:published_time"]), text("datePublished")]
            + [first(["datepublished", "date", "dc.date", "dcterms.date", "dc.date.issued"]), page.time]
        let written = dates.compactMap(\.self)
        return written.first { (try? DateParser.written(from: $0)) != nil } ?? written.first
    }

    private var tags: [String] {
        let tags = all(["article:tag"])
        return tags.isEmpty ? all(["keywords"]).flatMap { $0.split(separator: ",").map { String($0.trimmed) } } : tags
    }

    /// Returns the members of the object about an article in a JSON-LD text; nil if there is none.
    private static func article(_ text: String) -> [JSON.Member]? {
        // XHTML wraps it in a CDATA section.
        var text = String(text.trimmed)
        if text.hasPrefix("<![CDATA["), text.hasSuffix("]]>") { text = String(text.dropFirst(9).dropLast(3)) }
        guard let value = text.withUTF8({ try? JSONParser.value(of: $0) }) else { return nil }
        var rest = [value][...]
        while let next = rest.popFirst() {
            if case .array(let elements) = next { rest += elements }
            guard let members = next.members else { continue }
            if members.contains(where: { $0.key == "@type" && isArticle($0.value) }) { return members }
            rest += members.filter { $0.key == "@graph" }.map(\.value)
        }
        return nil
    }

    private static func isArticle(_ type: JSON) -> Bool {
        if case .array(let types) = type { return types.contains { isArticle($0) } }
        return type.text.map { $0.hasSuffix("Article") || $0.hasSuffix("Posting") } ?? false
    }
}

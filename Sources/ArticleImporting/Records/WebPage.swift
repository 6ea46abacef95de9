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
        let base = FeedLink.address(page.base, base: nil).flatMap { FeedLink.isWeb($0) ? $0 : nil }
        let original = [page.canonical, first(["og:url"])].compactMap { FeedLink.address($0, base: base) }
        return FrontMatter(
            members: members(
                title: first(["og:title"]) ?? page.title ?? page.heading, authors: authors, tags: tags,
                language: page.language, base: base, original: original.first(where: FeedLink.isWeb)),
            body: page.text)
    }

    private func members(
        title: String?, authors: JSON?, tags: [String], language: String?, base: String?, original: String?
    ) -> [JSON.Member] {
        var members: [JSON.Member] = []
        members.add("title", title)
        if let authors { members.append(.init("authors", authors)) }
        members.add("date", date)
        members.add("updated", first(["article:modified_time", "og:updated_time"]) ?? text("dateModified"))
        members.add("base", base)
        members.add("canonical_url", original)
        members.add("description", first(["description", "og:description"]))
        members.add("tags", tags)
        members.add("lang", language)
        var extra: [JSON.Member] = []
        extra.add("image", first(["og:image"]))
        extra.add("site_name", first(["og:site_name"]))
        members.add(extra: extra)
        return members
    }

    private func all(_ names: [String]) -> [String] {
        // A property may have several names, separated by spaces.
        names.lazy.map { name in
            page.properties.filter { $0.name == name || $0.name.split(separator: " ").contains { $0 == name } }
                .map(\.content)
        }.first { !$0.isEmpty } ?? []
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
            + [first(["datepublished", "date", "dc.date", "dcterms.date", "dc.date.issued", "parsely-pub-date"])]
            + [page.time]
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

// MARK: - Pages of the web

extension WebPage {
    /// A page that was fetched: its metadata as front matter, with its main text.
    struct Fetched {
        let file: FrontMatter
        /// The number of characters of the main text.
        let length: Int
    }

    /// Whether the page has a field for a password.
    var asksForPassword: Bool { page.hasPasswordField }

    /// Returns the page as an article; nil if it does not have a main text.
    ///
    /// - Parameters:
    ///   - html: The text of the page.
    ///   - address: The address that delivered it.
    func fetched(_ html: String, from address: String) -> Fetched? {
        let title = articleTitle
        let authors = statedAuthors ?? authors
        guard let main = MainText(html, title: title ?? "", findsByline: authors == nil) else { return nil }
        let base = FeedLink.address(page.base, base: address).flatMap { FeedLink.isWeb($0) ? $0 : nil } ?? address
        let byline = main.byline.flatMap(Byline.name)
        let file = FrontMatter(
            members: members(
                title: title, authors: authors ?? byline.map { .string($0) }, tags: [],
                language: page.language ?? first(["og:locale"]) ?? text("inLanguage"), base: base,
                original: original(base: base, address: address)),
            body: main.html)
        return Fetched(file: file, length: main.length)
    }

    /// The canonical address, or the address of the page. Some sites give the address of their start page for each page.
    private func original(base: String, address: String) -> String {
        let stated = [page.canonical, first(["og:url"])].compactMap { FeedLink.address($0, base: base) }
        func isStart(_ address: String) -> Bool {
            let parts = URLReference(address)
            return ["", "/"].contains(parts.path) && (parts.query ?? "").isEmpty
        }
        return stated.first { WebAddress.valid($0) != nil && (!isStart($0) || isStart(address)) } ?? address
    }

    /// The title without the name of the site.
    private var articleTitle: String? {
        let title =
            dataTitle ?? first(["dc.title", "dc:title", "dcterms.title", "dcterm:title", "og:title"])
            ?? first(["weibo:article:title", "weibo:webpage:title", "title", "twitter:title", "parsely-title"])
            ?? page.title.map { PageTitle.article(inTitle: $0, headings: page.headings) } ?? page.heading
        return title.map { String($0.prefix(Self.titleLimit)).oneLine }
    }

    /// The number of characters of a title. A longer one is not written by hand.
    private static var titleLimit: Int { 1_000 }

    /// The title in JSON-LD. Some sites put their own name into `name`, others a description into `headline`.
    private var dataTitle: String? {
        guard let name = text("name"), let headline = text("headline") else { return text("headline") ?? text("name") }
        let title = (page.title ?? "").lowercased()
        return title.contains(headline.lowercased()) && !title.contains(name.lowercased()) ? headline : name
    }

    /// The authors in JSON-LD or in Dublin Core.
    private var statedAuthors: JSON? {
        if let author = value("author"), author != .null, author != .array([]) { return author }
        let names = all(["dc.creator", "dc:creator", "dcterms.creator", "dcterm:creator"])
        guard !names.isEmpty else { return nil }
        return JSON(names)
    }
}

/// The line with the author above an article.
enum Byline {
    /// Returns the name in a line such as “By Ada Lovelace · May 20, 2019”; nil if there is none.
    static func name(_ line: String) -> String? {
        var name = line[...]
        for word in ["written by ", "posted by ", "author: ", "by: ", "by ", "von ", "par ", "por "]
        where name.lowercased().hasPrefix(word) {
            name = name.dropFirst(word.count)
        }
        let isDated = name.contains { "0123456789".contains($0) }
        name = name.prefix { !"0123456789•·|\n".contains($0) }.trimmed
        // The name of the month is before the day.
        if isDated, let space = name.lastIndex(of: " "),
            months.contains(where: { name[space...].trimmed.lowercased().hasPrefix($0) })
        {
            name = name[..<space].trimmed
        }
        return name.contains(where: \.isLetter) ? String(name) : nil
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}

/// The title of a page, which often also contains the name of the site.
enum PageTitle {
    /// Returns the title of the article in the title of its page. The rules are those of Mozilla's Readability.
    ///
    /// - Parameters:
    ///   - title: The title of the page.
    ///   - headings: Its headings of the levels 1 and 2.
    static func article(inTitle title: String, headings: [String]) -> String {
        func count(_ text: Substring) -> Int { text.split(separator: " ").count }
        let places = separators(in: title)
        var article = title[...]
        if let last = places.last {
            article = title[..<last.lowerBound].trimmed
            // A short beginning is the name of the site.
            if count(article) < 3, let first = places.first { article = title[first.upperBound...].trimmed }
        } else if let first = title.firstIndex(of: ":"), let last = title.lastIndex(of: ":"), title.contains(": "),
            !headings.contains(title)
        {
            article = title[title.index(after: last)...].trimmed
            if count(article) < 3 {
                article = title[title.index(after: first)...].trimmed
            } else if count(title[..<first]) > 5 {
                article = title[...]
            }
        } else if title.count > 150 || title.count < 15, headings.count == 1 {
            article = headings[0][...]
        }
        // A title that is too short has lost words, unless it is one level of a hierarchy.
        let isHierarchy = places.contains { ["\\", "/", ">", "»"].contains(title[$0].trimmed) }
        if count(article) <= 4, !isHierarchy || count(article) != count(title[...]) - places.count - 1 { return title }
        return String(article)
    }

    /// Returns the places of the signs between the title and the name of the site, with the spaces around them.
    private static func separators(in title: String) -> [Range<String.Index>] {
        var places: [Range<String.Index>] = []
        for sign in title.indices where "|-–—\\/>»".contains(title[sign]) && sign > title.startIndex {
            let (before, after) = (title.index(before: sign), title.index(after: sign))
            guard title[before] == " ", after < title.endIndex, title[after] == " " else { continue }
            places.append(before..<title.index(after: after))
        }
        return places
    }
}

import ArticleStore
import Markup
import Text

/// A folder of web pages: lists of fifty articles each, beginning with `index.html`; a page for each article in
/// `articles`; lists for each tag in `tags`; the pictures in `pictures`; and feeds of the newest fifty articles. The pages run no scripts, and can
/// be opened from a disk.
struct SiteExport: ExportWriter {
    /// A file that only folders written by an export contain.
    static let markName = "articlesctl-pages.json"

    private let export: Export
    private let pages: SitePages
    private var map: SiteMap
    private var index: SiteList
    private var pictures: PictureFiles

    var surveysArticles: Bool { true }

    init(export: Export, folder: NewFolder) {
        self.export = export
        pages = SitePages(title: export.options.title, folder: folder)
        map = SiteMap()
        for name in [Self.markName] + SitePages.names {
            _ = map.names.insert(file: name)
        }
        pictures = PictureFiles(export: export, folder: folder)
        index = SiteList(heading: nil, path: map.names.insert(file: "index.html"))
    }

    mutating func survey(_ article: Article) { map.place(of: article) }

    func begin() throws {
        try pages.folder.write(Self.markName, "{\"articlesctl\":1}\n")
        try pages.folder.write(SitePages.styleName, PageStyle.text)
    }

    mutating func add(_ exported: ExportedArticle) async throws {
        let article = exported.article
        let pictures = try await pictures.write(exported.pictures)
        let place = map.place(of: article)
        let entry = map.entries[place]
        var page = XMLWriter()
        let root = SitePages.root(of: entry.path)
        page.raw("<main>\n")
        ArticleHTML.write(
            article, body(of: article, root, pictures),
            tagAddress: { tag in map.path(ofTag: tag).map { root + WebPath.encoded($0) } },
            into: &page)
        page.raw("</main>\n")
        let neighbours = [place - 1, place + 1].map { map.entries.indices.contains($0) ? map.entries[$0] : nil }
        page.turn(neighbours.map { $0.map { ($0.title, root + WebPath.encoded($0.path)) } })
        try pages.write(ArticleHTML.frame(of: article), page.text, at: entry.path)
        try pages.add(entry, article.summary, to: &index, &map.names)
    }

    /// Returns the text of an article. Links to other articles of the export lead to their pages.
    private func body(of article: Article, _ root: String, _ pictures: [String: String]) -> String {
        let base = article.webBase.map { URLReference($0) }
        func address(_ written: String, isLink: Bool) -> String {
            if written.isEmpty || written.hasPrefix("#") { return written }
            let reference = URLReference(written)
            if isLink, let place = map.links.index(of: reference, base: base, in: article) {
                // IDs in the pages begin with this prefix: see `MarkupDocument.html(_:)`.
                let fragment = reference.fragment.map { $0.isEmpty ? "" : "#user-content-" + $0 } ?? ""
                return root + WebPath.encoded(map.entries[place].path) + fragment
            }
            if reference.scheme != nil { return written }
            // Without a base, a relative address could lead to an unrelated page of the site, so drop it.
            return base.map { reference.resolved(against: $0).text } ?? ""
        }
        func picture(_ address: String) -> String { pictures[address].map { root + $0 } ?? address }
        return article.document.mappingInlines { inline in
            switch inline {
            case .link(let destination, let inlines):
                .link(destination: address(destination, isLink: true), inlines)
            case .image(let source, let alternative):
                .image(source: picture(address(source, isLink: false)), alternative: alternative)
            default: inline
            }
        }.html(HTMLOptions(keepsRelativeAddresses: true, highlightsCode: true))
    }

    mutating func end(_ check: () throws -> Void) async throws {
        try pages.write(index)
        for tag in map.tags {
            var list = SiteList(heading: tag.name, path: tag.path)
            for place in tag.entries {
                try check()
                try pages.add(map.entries[place], "", to: &list, &map.names)
            }
            try pages.write(list)
        }
        try check()
        try writeTags()
        try await writeFeeds(check)
    }

    // MARK: - Lists

    private func writeTags() throws {
        var page = XMLWriter()
        page.raw("<main>\n<h1>Tags</h1>\n<ul class=\"all\">\n")
        let sorted = map.tags.map { (key: ArticleQuery.titleKey($0.name), tag: $0) }.sorted { $0.key < $1.key }
        for (_, tag) in sorted {
            page.open("li", [("dir", "auto")], end: "")
            page.element("a", [("href", WebPath.encoded(tag.path)), ("dir", "auto")], tag.name, end: " ")
            page.element("span", [], "\(tag.entries.count)", end: "")
            page.close("li")
        }
        page.raw("</ul>\n</main>\n")
        try pages.write(PageFrame(title: "Tags"), page.text, at: SitePages.tagsName)
    }

    // MARK: - Feeds

    /// Writes the newest articles as feeds. If the address of the site is known, the feeds link to the articles' pages.
    private func writeFeeds(_ check: () throws -> Void) async throws {
        var query = export.query
        query.sort = .newest
        let newest = try await export.repository.articles(query, after: nil, limit: SiteList.length).articles
        let site = export.options.url.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
        let map = map
        func place(_ name: String) -> FeedAddresses {
            FeedAddresses(address: site.map { $0 + name }, home: site) { article in
                site.flatMap { site in map.path(of: article).map { site + WebPath.encoded($0) } }
            }
        }
        for name in [SitePages.atomName, SitePages.jsonName] {
            let text = TextBox()
            let sink = ByteSink { text.text += String(decoding: $0, as: UTF8.self) }
            var feed: any ExportWriter =
                name == SitePages.atomName
                ? AtomExport(export: export, sink: sink, place: place(name))
                : JSONFeedExport(export: export, sink: sink, place: place(name))
            try await feed.begin()
            for article in newest { try await feed.add(ExportedArticle(article: article)) }
            try await feed.end(check)
            try sink.flush()
            try pages.folder.write(name, text.text)
        }
    }

    private final class TextBox { var text = "" }
}

/// Finds the article of an export that a link leads to: by the address of the original, else with `ArticleLink`.
struct SiteLinks {
    private var addresses: [UInt64: Int] = [:]
    private var keys: [UInt64: Int] = [:]
    private var candidates: [(candidate: LinkCandidate, index: Int)] = []
    /// The indexes in ``candidates`` of the articles of a source with this name.
    private var named: [UInt64: [Int]] = [:]

    mutating func note(_ article: Article, index: Int) {
        if let address = article.webAddress {
            let mark = Self.mark(URLReference(address))
            if addresses[mark] == nil { addresses[mark] = index }
        }
        keys[Self.mark(article.key.text, article.source)] = index
        let candidate = LinkCandidate(article)
        for name in candidate.names { named[Self.mark(name, article.source), default: []].append(candidates.count) }
        candidates.append((candidate, index))
    }

    /// Returns the article that a link leads to; nil if it is not part of the export.
    ///
    /// - Parameters:
    ///   - link: the address as it was written.
    ///   - base: the base of relative addresses, if it is known.
    ///   - article: the article that contains the link.
    func index(of link: URLReference, base: URLReference?, in article: Article) -> Int? {
        let link = ArticleLink(link, base: base, in: LinkCandidate(article))
        if let scheme = link.address.scheme {
            guard ["http", "https"].contains(scheme.lowercased()) else { return nil }
            if let index = addresses[Self.mark(link.address)] { return index }
        }
        for key in link.keys { if let index = keys[Self.mark(key.text, article.source)] { return index } }
        let places = Set(link.names.flatMap { named[Self.mark($0, article.source)] ?? [] })
        let target = link.target(among: places.map { candidates[$0].candidate })
        return target.flatMap { target in places.first { candidates[$0].candidate == target } }
            .map { candidates[$0].index }
    }

    private static func mark(_ name: String, _ source: SourceReference) -> UInt64 {
        Fingerprint("\(source.id)/\(name)").value
    }

    /// A hash of an address that ignores different spellings: the scheme, the case of the host, and a slash or
    /// `index.html` at the end.
    private static func mark(_ address: URLReference) -> UInt64 {
        var path = address.path
        if path.hasSuffix("/index.html") { path = path.dropLast(10) }
        if path.hasSuffix("/") { path = path.dropLast() }
        return Fingerprint((address.authority?.lowercased() ?? "") + path + "?" + (address.query ?? "")).value
    }
}

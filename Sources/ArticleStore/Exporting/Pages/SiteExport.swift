import Markup
import Text

/// A folder of web pages: lists of fifty articles each, beginning with `index.html`; a page for each article in
/// `articles`; lists for each tag in `tags`; and feeds of the newest fifty articles. The pages run no scripts, and can
/// be opened from a disk.
struct SiteExport: ExportWriter {
    /// A file that only folders written by an export contain.
    static let markName = "articlesctl-pages.json"

    private let export: Export
    private let pages: SitePages
    private var map: SiteMap
    private var index: SiteList

    var surveysArticles: Bool { true }

    init(export: Export, folder: NewFolder) {
        self.export = export
        pages = SitePages(title: export.options.title, folder: folder)
        map = SiteMap()
        for name in [Self.markName] + SitePages.names {
            _ = map.names.take(file: name)
        }
        index = SiteList(heading: nil, path: map.names.take(file: "index.html"))
    }

    mutating func survey(_ article: Article) { map.place(of: article) }

    func begin() throws {
        try pages.folder.write(Self.markName, "{\"articlesctl\":1}\n")
        try pages.folder.write(SitePages.styleName, PageStyle.text)
    }

    mutating func add(_ article: Article, marks _: JSON?) throws {
        let place = map.place(of: article)
        let entry = map.entries[place]
        var page = XMLWriter()
        let root = SitePages.root(of: entry.path)
        page.raw("<main>\n")
        ArticleHTML.write(
            article, body(of: article, root),
            tagAddress: { tag in map.path(ofTag: tag).map { root + WebPath.encoded($0) } },
            into: &page)
        page.raw("</main>\n")
        let neighbours = [place - 1, place + 1].map { map.entries.indices.contains($0) ? map.entries[$0] : nil }
        page.turn(neighbours.map { $0.map { ($0.title, root + WebPath.encoded($0.path)) } })
        try pages.write(ArticleHTML.frame(of: article), page.text, at: entry.path)
        try pages.add(entry, article.summary, to: &index, &map.names)
    }

    /// Returns the text of an article. Links to other articles of the export lead to their pages.
    private func body(of article: Article, _ root: String) -> String {
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
        return article.document.mappingInlines { inline in
            switch inline {
            case .link(let destination, let inlines):
                .link(destination: address(destination, isLink: true), inlines)
            case .image(let source, let alternative):
                .image(source: address(source, isLink: false), alternative: alternative)
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
        func place(_ name: String) -> FeedPlace {
            FeedPlace(address: site.map { $0 + name }, home: site) { article in
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
            for article in newest { try await feed.add(article, marks: nil) }
            try await feed.end(check)
            try sink.flush()
            try pages.folder.write(name, text.text)
        }
    }

    private final class TextBox { var text = "" }
}

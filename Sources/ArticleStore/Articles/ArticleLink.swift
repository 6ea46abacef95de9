package import Markup
public import Text

/// A link in an article, and the rules that find the article it leads to. The reader and exported pages share them.
///
/// A wrong article is worse than a dead link. So the whole path of the link counts, and a match of the name alone
/// counts only if the rest of the path does not contradict it.
package struct ArticleLink {
    /// The address that the link means, absolute if the base is known.
    package let address: URLReference
    /// Whether neither the link nor its base names a site.
    package let isHere: Bool
    /// Keys that name the target exactly, in the source of the article with the link; the best first.
    package let keys: [ExactText]
    /// The names that a candidate must have in its key or as its slug; empty if only ``keys`` can name the target.
    package let names: [String]

    private let article: LinkCandidate
    private let site: Substring?
    private var path: LinkPath
    /// The path, if this program's own pages are meant.
    private let ownPath: LinkPath
    /// Whether the path begins at the root of the source's files, so that the whole path must match.
    private var isFromRoot: Bool
    /// Whether the link is only a name, as links between notes are.
    private let isName: Bool

    /// Creates a link.
    /// - Parameters:
    ///   - link: the address as written.
    ///   - base: the address that it is relative to, if known.
    ///   - article: the article that contains the link.
    package init(_ link: URLReference, base: URLReference?, in article: LinkCandidate) {
        self.article = article
        address = base.map { link.resolved(against: $0) } ?? link
        isHere = address.scheme == nil && address.authority == nil
        site = address.authority
        var page = address
        page.fragment = nil
        var keys = page.scheme == nil ? [] : [ExactText(page.text)]
        ownPath = LinkPath(WebPath.resolved(WebPath.decoded(address.path), in: ""))
        path = ownPath
        isName =
            link.isRelativePath && !link.path.utf8.contains(UInt8(ascii: "/")) && LinkPath.ending(of: link.path) == nil
        isFromRoot = false
        if link.scheme == nil, link.authority == nil, !link.path.isEmpty {
            let written = WebPath.decoded(link.path)
            let file = PathKey(article.key).path
            let isPage = link.path.utf8.last == UInt8(ascii: "/")
            // A path that ends with a slash was written relative to the page, which is like a folder. Other paths are
            // relative to the file.
            let folders = [file.parentPath.text, LinkPath.page(of: file.text)]
            for folder in isPage ? folders.reversed() : folders {
                keys += LinkPath.files(of: WebPath.resolved(written, in: folder)).map {
                    PathKey(path: ExactText($0)).key
                }
            }
            if link.isRelativePath, !isName, LinkPath.ending(of: file.text) != nil {
                isFromRoot = isPage || LinkPath.ending(of: link.path) != nil
                if isFromRoot || isHere { path = LinkPath(WebPath.resolved(written, in: folders[0])) }
            }
        }
        self.keys = keys
        let isOnSite = address.authority.map { $0.lowercased() == base?.authority?.lowercased() } ?? false
        names = isHere || isOnSite ? path.names : []
    }

    /// Returns the candidate that the link leads to; nil if nothing matches or several candidates match equally well.
    package func target(among candidates: some Sequence<LinkCandidate>) -> LinkCandidate? {
        var best: (candidate: LinkCandidate, rank: [Int])?
        var isTied = false
        for candidate in candidates {
            guard let rank = rank(of: candidate) else { continue }
            if let current = best {
                if rank.lexicographicallyPrecedes(current.rank) { continue }
                isTied = rank == current.rank && candidate != current.candidate
                if isTied { continue }
            }
            best = (candidate, rank)
        }
        return isTied ? nil : best?.candidate
    }

    /// Returns the path of a candidate, on its site or among the files of its source.
    private func path(of candidate: LinkCandidate) -> LinkPath {
        let original = candidate.address.map { URLReference($0) }
        if let original, let site, original.authority?.lowercased() == site.lowercased() {
            return LinkPath(WebPath.decoded(original.path))
        }
        let key = URLReference(candidate.key.text)
        guard let scheme = key.scheme?.lowercased() else { return LinkPath(PathKey(candidate.key).path.text) }
        return LinkPath(["http", "https"].contains(scheme) ? WebPath.decoded(key.path) : candidate.slug)
    }

    /// Returns how well a candidate matches (a better match has the larger rank), or nil if something contradicts a
    /// match.
    private func rank(of candidate: LinkCandidate) -> [Int]? {
        // The link has the form of this program's own pages.
        if isHere, ownPath.folders == ["articles"], ownPath.names.contains(candidate.slug) { return [Int.max] }
        guard isHere || candidate.source == article.source else { return nil }
        let file = path(of: candidate)
        let isNamed = !Set(path.names).isDisjoint(with: file.names)
        guard isNamed || path.names.contains(candidate.slug) else { return nil }
        // Site generators may omit the date, the language, and their own folders from the addresses of pages.
        let theirs = file.folders.filter { !$0.hasPrefix("_") }
        let shared = zip(path.folders.reversed(), theirs.reversed()).prefix { $0.lowercased() == $1.lowercased() }.count
        let language = (candidate.language ?? file.language).map(LanguageTag.canonical)
        let link = LinkPath.withoutDate(path.folders.dropLast(shared), of: candidate.day)
            .filter { LanguageTag.canonical(String($0)) != language }
        let rest = LinkPath.withoutDate(theirs.dropLast(shared), of: nil)
        // The link names a page in another language.
        if link.contains(where: { LanguageTag.isFolder($0, in: nil) }) { return nil }
        // The candidate is in a language that neither the link nor its article names.
        let mine = PathKey(article.key).path.text.split(separator: "/").map { $0.lowercased() }
        let named = path.folders.map { $0.lowercased() }
        let spoken = rest.filter { LanguageTag.isFolder($0, in: nil) }.map { $0.lowercased() }
        guard spoken.allSatisfy({ mine.contains($0) || named.contains($0) }) else { return nil }
        let isWhole = link.isEmpty
        if isFromRoot {
            guard isWhole, rest.isEmpty else { return nil }
        } else if isWhole {
            // `/setup/` does not match `guides/setup.md`, but sites omit folders such as `posts`.
            guard isName || shared > 0 || rest.allSatisfy({ LinkPath.commonFolders.contains($0.lowercased()) }) else {
                return nil
            }
        } else {
            // A site may be below a path that is not part of its files, such as `/blog`.
            guard rest.isEmpty, shared > 0 || link.count == 1 else { return nil }
        }
        let near = zip(mine.dropLast(), file.folders).prefix { $0 == $1.lowercased() }.count
        let likeness = path.names.first == file.names.first ? 2 : isNamed ? 1 : 0
        return [shared, isWhole ? 1 : 0, likeness, near, -rest.count]
    }
}

extension URLReference {
    /// Whether it is a path relative to the page.
    fileprivate var isRelativePath: Bool {
        scheme == nil && authority == nil && !path.isEmpty && path.utf8.first != UInt8(ascii: "/")
    }
}

/// The facts of an article that decide whether a link leads to it. The properties mean what they mean in ``Article``.
public struct LinkCandidate: Sendable, Hashable {
    /// The number of the article.
    public let id: Article.ID
    /// The source of the article.
    public let source: Source.ID
    /// The key of the article in its source.
    public let key: ExactText
    /// The slug.
    public let slug: String
    /// The language, if known.
    public let language: String?
    /// The day of publication by the publisher's clock.
    package let day: CivilDate
    /// The `http` or `https` address of the original, if known.
    public let address: String?

    /// Creates a candidate from an article.
    public init(_ article: Article) {
        self.init(
            id: article.id, source: article.source.id, key: article.key, slug: article.slug,
            language: article.language, day: CivilDate(article.published, offset: article.publishedOffset),
            address: article.webAddress)
    }

    package init(
        id: Article.ID, source: Source.ID, key: ExactText, slug: String, language: String?, day: CivilDate,
        address: String?
    ) {
        self.id = id
        self.source = source
        self.key = key
        self.slug = slug
        self.language = language
        self.day = day
        self.address = address
    }

    /// The names with which links may name the article.
    package var names: Set<String> { Set(LinkPath(PathKey(key).path.text).names + [slug]) }
}

/// The parts of a path that names a page or the file of a page.
struct LinkPath {
    /// The folders; for an index file, without its own folder.
    let folders: [Substring]
    /// The names that match the last part: as written; without file extension, date, or language; and as a slug.
    let names: [String]
    /// The language at the end of the file name, as in `setup.fr.md`.
    let language: String?

    /// Folders that sites omit from the addresses of their pages.
    static let commonFolders: Set<String> = [
        "articles", "blog", "content", "docs", "notes", "pages", "post", "posts", "src", "www",
    ]

    init(_ path: String) {
        let page = Self.page(of: path)
        var parts = (page.isEmpty ? path : page).split(separator: "/")
        let facts = FileNameFacts(path: path)
        language = facts.language
        let last = parts.popLast()
        folders = parts
        guard let last else {
            names = []
            return
        }
        let written = path.split(separator: "/").last.map { String($0) }
        var names = [String(last)]
        for name in [written, facts.name, Slug.make(from: String(last))].compactMap({ $0 })
        where !name.isEmpty && !names.contains(name) && LinkPath.page(of: name) != "" {
            names.append(name)
        }
        self.names = names
    }

    /// The file extensions from which sites make pages.
    private static let endings = [".md", ".markdown", ".mdown", ".mdx", ".html", ".htm", ".txt"]

    /// Returns the extension of a file from which sites make a page; nil for any other file.
    static func ending(of path: some StringProtocol) -> String? {
        endings.first { path.lowercased().hasSuffix($0) }
    }

    /// Returns the files that a path may mean.
    static func files(of path: String) -> [String] {
        let page = page(of: path)
        let index = page.isEmpty ? "index" : page + "/index"
        return (path.isEmpty ? [] : [path]) + (page.isEmpty ? [] : endings.map { page + $0 })
            + endings.map { index + $0 }
    }

    /// Returns the path of a page: the path of its file without the extension, or the folder of an index file.
    static func page(of path: String) -> String {
        let name = path.dropLast(ending(of: path)?.count ?? 0)
        if name == "index" || name == "_index" { return "" }
        for index in ["/index", "/_index"] where name.hasSuffix(index) { return String(name.dropLast(index.count)) }
        return String(name)
    }

    /// Returns the folders without those of a date, such as `2016/05/03`: any date if `day` is nil, otherwise only that
    /// day.
    static func withoutDate(_ folders: ArraySlice<Substring>, of day: CivilDate?) -> [Substring] {
        guard
            let start = folders.firstIndex(where: { $0.utf8.count == 4 && (Int($0).map { 1900...2100 ~= $0 } ?? false) }
            )
        else { return Array(folders) }
        let more = folders[(start + 1)...].prefix { $0.utf8.count <= 2 && Int($0) != nil }.prefix(2)
        let date = ([folders[start]] + more).compactMap { Int($0) }
        if let day, !date.elementsEqual([day.year, day.month, day.day].prefix(date.count)) { return Array(folders) }
        return Array(folders[..<start] + folders[more.endIndex...])
    }
}

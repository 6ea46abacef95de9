package import Markup

/// By what an article may be known that a link in another leads to: the one rule of the reader and of exported pages.
///
/// The address itself counts most, where it is a key. Then, in the source of the article that the link is in, the path of a file:
/// beside that article's file, or beside the page that a generator of sites makes of it, with the ending of a page or as the index
/// of a folder. At last the slug, which a site calls its pages by.
package struct LinkedNames {
    /// What the link means, whole where that is known.
    package let address: URLReference
    /// Whether the link says no site and is on none.
    package let isHere: Bool
    /// Keys in the source of the article that the link is in, the best first.
    package let keys: [ExactText]
    /// Slugs, the best first: of any article where the link ``isHere``, else of the same source.
    package let slugs: [String]

    /// - Parameters:
    ///   - link: the address as it was written.
    ///   - base: what it is relative to, where that is known.
    ///   - key: that of the article in which it was written.
    package init(of link: URLReference, base: URLReference?, in key: ExactText) {
        address = base.map { link.resolved(against: $0) } ?? link
        isHere = address.scheme == nil && address.authority == nil
        var page = address
        page.fragment = nil
        var keys = page.scheme == nil ? [] : [ExactText(page.text)]
        if link.scheme == nil, link.authority == nil, !link.path.isEmpty {
            let file = PathKey(key).path
            for folder in [file.parentPath.text, Self.page(of: file.text)] {
                let path = WebPath.resolved(WebPath.decoded(link.path), in: folder)
                keys += Self.files(of: path).map { PathKey(path: ExactText($0)).key }
            }
        }
        self.keys = keys
        let isOnSite = address.authority.map { $0.lowercased() == base?.authority?.lowercased() } ?? false
        guard isHere || isOnSite, let last = address.path.split(separator: "/").last else {
            slugs = []
            return
        }
        let name = WebPath.decoded(last)
        let stem = Self.page(of: name)
        let names = stem.isEmpty || stem == name ? [name] : [name, stem]
        // A note is called by its title, too.
        let made = link.authority == nil ? names.map { Slug.make(from: $0) }.filter { !names.contains($0) } : []
        slugs = names + made
    }

    /// How the names of files end that sites make pages of.
    private static let endings = [".md", ".markdown", ".mdown", ".mdx", ".html", ".htm", ".txt"]

    /// The files that a path may mean.
    private static func files(of path: String) -> [String] {
        let page = page(of: path)
        let index = page.isEmpty ? "index" : page + "/index"
        return (path.isEmpty ? [] : [path]) + (page.isEmpty ? [] : endings.map { page + $0 })
            + endings.map { index + $0 }
    }

    /// What a page is called by: the path of its file without the ending, or that of its folder.
    private static func page(of path: String) -> String {
        let ending = endings.first { path.lowercased().hasSuffix($0) }
        let name = path.dropLast(ending?.count ?? 0)
        if name == "index" { return "" }
        return String(name.hasSuffix("/index") ? name.dropLast(6) : name)
    }
}

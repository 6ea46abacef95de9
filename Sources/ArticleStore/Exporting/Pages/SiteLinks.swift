import Database
import Markup

/// Which article of an export a link leads to: by the address of its original or, within a source, by the path of its file or by
/// its slug. Of each article some bytes are kept.
struct SiteLinks {
    private var addresses: [UInt64: Int] = [:]
    private var files: [UInt64: Int] = [:]
    private var slugs: [UInt64: Int] = [:]
    /// The sources whose keys are paths.
    private let withPaths: Set<Source.ID>

    init(_ sources: [Source]) { withPaths = Set(sources.lazy.filter { $0.kind.hasPaths }.map(\.id)) }

    mutating func note(_ article: Article, index: Int) {
        if let address = article.webAddress { note(Self.mark(URLReference(address)), index, in: \.addresses) }
        slugs[Self.mark(article.slug, article.source)] = index
        guard withPaths.contains(article.source.id) else { return }
        // The file itself counts more than what is called like it.
        files[Self.mark(article.key, article.source)] = index
        note(Self.mark(Self.name(of: article.key), article.source), index, in: \.files)
    }

    private mutating func note(_ mark: UInt64, _ index: Int, in marks: WritableKeyPath<SiteLinks, [UInt64: Int]>) {
        if self[keyPath: marks][mark] == nil { self[keyPath: marks][mark] = index }
    }

    /// The article that a link leads to; nil where that is none of the export.
    /// - Parameters:
    ///   - link: the address as it was written.
    ///   - base: what it is relative to, where that is known.
    ///   - article: in which it was written.
    func index(of link: URLReference, base: URLReference?, in article: Article) -> Int? {
        let address = base.map { link.resolved(against: $0) } ?? link
        if let scheme = address.scheme {
            guard ["http", "https"].contains(scheme.lowercased()) else { return nil }
            if let index = addresses[Self.mark(address)] { return index }
        }
        let isRelative = link.scheme == nil && link.authority == nil
        if isRelative, withPaths.contains(article.source.id), let index = file(WebPath.decoded(link.path), in: article)
        {
            return index
        }
        // The pages of a site are called by the slugs of its articles.
        let isOnSite = address.authority?.lowercased() == base?.authority?.lowercased()
        guard isRelative || isOnSite, let last = address.path.split(separator: "/").last else { return nil }
        let name = Self.name(of: WebPath.decoded(last))
        // A note is called by its title, too.
        return slugs[Self.mark(name, article.source)] ?? slugs[Self.mark(Slug.make(from: name), article.source)]
    }

    /// The article whose file a path means: beside the file of another, or beside the page that a generator of sites makes of it.
    private func file(_ path: String, in article: Article) -> Int? {
        guard !path.isEmpty else { return nil }
        for folder in [article.key.parentPath, Self.name(of: article.key)] {
            guard let path = WebPath.resolved(path, in: folder), !path.isEmpty else { continue }
            if let index = files[Self.mark(path, article.source)]
                ?? files[Self.mark(Self.name(of: path), article.source)]
            {
                return index
            }
        }
        return nil
    }

    /// What a page is called by: the path of its file without the ending, or that of its folder.
    private static func name(of path: String) -> String {
        var name = path[...]
        if let dot = path.lastIndex(of: "."), [.markdown, .html, .text].contains(ImportFormat(fileName: path)) {
            name = path[..<dot]
        }
        if name == "index" { return "" }
        return String(name.hasSuffix("/index") ? name.dropLast(6) : name)
    }

    private static func mark(_ name: String, _ source: SourceReference) -> UInt64 {
        Fingerprint("\(source.id)/\(name)").value
    }

    /// What stays the same of an address however it is written: neither the scheme, nor the case of the host, nor a slash or an
    /// `index.html` at the end.
    private static func mark(_ address: URLReference) -> UInt64 {
        var path = address.path
        if path.hasSuffix("/index.html") { path = path.dropLast(10) }
        if path.hasSuffix("/") { path = path.dropLast() }
        return Fingerprint((address.authority?.lowercased() ?? "") + path + "?" + (address.query ?? "")).value
    }
}

import Text
import Markup

/// Finds the article of an export that a link leads to: by the address of the original, else with ``ArticleLink``.
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

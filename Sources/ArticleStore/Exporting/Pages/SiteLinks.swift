import Database
import Markup

/// Which article of an export a link leads to: by the address of its original, else as ``LinkedNames`` says. Of each article some
/// bytes are kept.
struct SiteLinks {
    private var addresses: [UInt64: Int] = [:]
    private var keys: [UInt64: Int] = [:]
    private var slugs: [UInt64: Int] = [:]

    mutating func note(_ article: Article, index: Int) {
        if let address = article.webAddress {
            let mark = Self.mark(URLReference(address))
            if addresses[mark] == nil { addresses[mark] = index }
        }
        keys[Self.mark(article.key.text, article.source)] = index
        slugs[Self.mark(article.slug, article.source)] = index
    }

    /// The article that a link leads to; nil where that is none of the export.
    /// - Parameters:
    ///   - link: the address as it was written.
    ///   - base: what it is relative to, where that is known.
    ///   - article: in which it was written.
    func index(of link: URLReference, base: URLReference?, in article: Article) -> Int? {
        let names = LinkedNames(of: link, base: base, in: article.key)
        if let scheme = names.address.scheme {
            guard ["http", "https"].contains(scheme.lowercased()) else { return nil }
            if let index = addresses[Self.mark(names.address)] { return index }
        }
        for key in names.keys { if let index = keys[Self.mark(key.text, article.source)] { return index } }
        for slug in names.slugs { if let index = slugs[Self.mark(slug, article.source)] { return index } }
        return nil
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

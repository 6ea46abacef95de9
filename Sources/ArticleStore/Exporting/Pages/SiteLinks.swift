import Database
import Markup

/// Which article of an export a link leads to: by the address of its original or, between files of one folder, by its path. Of
/// each article some bytes are kept.
struct SiteLinks {
    private var addresses: [UInt64: Int] = [:]
    private var files: [UInt64: Int] = [:]
    /// The sources whose keys are paths.
    private let withPaths: Set<Source.ID>

    init(_ sources: [Source]) { withPaths = Set(sources.lazy.filter { $0.kind == .folder }.map(\.id)) }

    mutating func note(_ article: Article, index: Int) {
        if let address = article.webAddress { note(Self.mark(address: address), index, in: \.addresses) }
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
    ///   - destination: the address as it was written.
    ///   - whole: the same as a whole address, where that is known.
    ///   - article: in which it was written.
    func index(of destination: String, whole: String, in article: Article) -> Int? {
        if let address = ArticleFields.webAddress(whole), let index = addresses[Self.mark(address: address)] {
            return index
        }
        let path = WebPath.decoded(destination.prefix { $0 != "#" && $0 != "?" })
        guard withPaths.contains(article.source.id), !path.isEmpty, !path.hasPrefix("//"),
            !path.prefix(while: { $0 != "/" }).contains(":")
        else { return nil }
        // Beside the file, or beside the page that a generator of sites makes of it.
        let page = Self.name(of: article.key)
        for folder in [article.key.parentPath, page] {
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

    private static func mark(_ path: String, _ source: SourceReference) -> UInt64 {
        Fingerprint("\(source.id)/\(path)").value
    }

    /// What stays the same of an address however it is written: neither the scheme, nor the case of the host, nor a slash or an
    /// `index.html` at the end.
    private static func mark(address: String) -> UInt64 {
        var rest = address.prefix { $0 != "#" }.drop { $0 != "/" }.dropFirst(2)
        if rest.hasSuffix("/index.html") { rest = rest.dropLast(10) }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        return Fingerprint(host.lowercased() + rest[host.endIndex...]).value
    }
}

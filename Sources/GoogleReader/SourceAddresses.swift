import Text
import ArticleStore

/// The addresses of sources. Clients use them as keys: Fluent Reader has a unique index on them, and NetNewsWire stores
/// the settings of a feed by its address. An address never reveals the path of a source on the server's disk.
extension [Source] {
    /// Returns a distinct address for each source: the address of its feed, or the address at which this server returns
    /// it as Atom. If two sources have the same feed, the one with the lower ID keeps the address of the feed, so that
    /// a new source never changes the address of another.
    ///
    /// - Parameter site: the address of the server; nil if the client did not name it.
    func feedAddresses(at site: String?) -> [Source.ID: String] {
        var addresses: [Source.ID: String] = [:]
        var taken: Set<String> = []
        for source in sorted(by: { $0.id < $1.id }) {
            let own = "\(site ?? "")/reader/atom/feed/\(source.id)"
            let address = source.facts.publicFeedAddress.flatMap { taken.contains($0) ? nil : $0 } ?? own
            taken.insert(address)
            addresses[source.id] = address
        }
        return addresses
    }
}

extension SourceReference {
    /// Returns the address of the source's site, or of the page of this server that lists its articles.
    ///
    /// - Parameter site: the address of the server; nil if the client did not name it.
    func pageAddress(at site: String?) -> String {
        if let home, !home.isEmpty { return home }
        return (site ?? "") + ArticleList(query: ArticleQuery(source: name)).pagePath
    }
}

extension SourceFacts {
    /// The address of the feed on the web; nil if the source is not a feed.
    fileprivate var publicFeedAddress: String? {
        [feedURL, kind == .feed ? location?.text : nil].compactMap(\.self).first { address in
            ["http://", "https://"].contains { address.lowercased().hasPrefix($0) }
        }
    }
}

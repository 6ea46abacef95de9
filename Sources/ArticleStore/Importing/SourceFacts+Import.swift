import Text

extension SourceFacts {
    /// What is known of a stream: that of a feed is where the feed is.
    init(stream root: ImportRoot, feed: FeedHead?, home: String?) {
        let isNamed = root.name != "-" && !["/dev/", "/proc/"].contains { root.name.hasPrefix($0) }
        let name = isNamed ? ExactText(root.name).lastPathComponent : "stdin"
        // A place on this machine is none that a stream may claim.
        guard let feed, let address = (feed.address ?? feed.home).flatMap(ArticleFields.webAddress) else {
            self.init(name: name, kind: .stream, home: home ?? feed?.home, feedURL: feed?.webAddress)
            return
        }
        self.init(
            name: feed.title ?? name, kind: .feed, location: ExactText(address), home: home ?? feed.home,
            feedURL: feed.webAddress)
    }

    /// The name, or where it is taken, that with more and more of the folders that the source is in, and at last with a number.
    func name(besides taken: Set<String>) -> String {
        let folders = kind == .feed ? [] : location?.text.split(separator: "/").dropLast() ?? []
        let longer = folders.indices.reversed().lazy.map { (folders[$0...] + [Substring(name)]).joined(separator: "/") }
        let isFree = { !taken.contains(FoldedKey.fold($0)) }
        if isFree(name) { return name }
        if let longer = longer.first(where: isFree) { return longer }
        return (2...).lazy.map { "\(name) \($0)" }.first(where: isFree) ?? name
    }
}

extension Source.Kind {
    /// What was given to an import, as a source.
    init(_ root: ImportRoot, feed: FeedHead?) {
        self =
            switch root.kind {
            case .folder: .folder
            case .file: feed == nil ? .file : .feed
            case .stream: .stream
            }
    }
}

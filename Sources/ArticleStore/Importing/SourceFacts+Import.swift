import Platform
import Text

extension SourceFacts {
    /// Creates the facts about a stream. The location of a feed is its address.
    init(stream root: ImportRoot, feed: FeedHead?, home: String?) {
        let isNamed = root.name != "-" && !["/dev/", "/proc/"].contains { root.name.hasPrefix($0) }
        let name = isNamed ? ExactText(root.name).lastPathComponent : "stdin"
        // A stream must not claim a local path as its location.
        guard let feed, let address = (feed.address ?? feed.home).flatMap(ArticleFields.webAddress) else {
            self.init(name: name, kind: .stream, home: home ?? feed?.home, feedURL: feed?.webAddress)
            return
        }
        self.init(
            name: feed.title ?? name, kind: .feed, location: ExactText(address), home: home ?? feed.home,
            feedURL: feed.webAddress)
    }

    /// Returns the name or, if it is taken, the name with more and more of the parent folders, and finally with a
    /// number.
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
    /// Creates the kind of a source from the input of an import.
    init(_ root: ImportRoot, feed: FeedHead?) {
        self =
            switch root.kind {
            case .folder: .folder
            case .file: feed == nil ? .file : .feed
            case .stream: .stream
            }
    }
}

package import ArticleStore
package import ReadingStore
package import Text

extension JSON {
    /// A source, as `sources` writes it.
    ///
    /// - Parameters:
    ///   - count: how many articles it has.
    ///   - unread: how many of them somebody has not read; nil where nobody is asked about.
    ///   - isLocal: whether who is told may know where it lies on the machine.
    package init(source: Source, articles count: Int, unread: Int? = nil, isLocal: Bool = true) {
        let last = source.lastImport
        let location = source.facts.location?.text
        self = [
            "name": .string(source.name), "id": .string(source.uid.description), "kind": .string(source.kind.rawValue),
            "articles": JSON(count), "unread": unread.map { JSON($0) } ?? .null,
            "location": JSON(isLocal || location?.contains("://") == true ? location : nil),
            "feedURL": JSON(source.facts.feedURL),
            "baseURL": JSON(source.facts.home), "tags": JSON(source.facts.tags.map(\.name)),
            "lastImport": JSON(last.map { RFC3339.string(from: $0.date) }),
            "problemCount": JSON(last?.problemCount ?? 0), "problems": JSON(last?.problems ?? []),
        ]
    }

    /// An author or a tag, as `authors` and `tags` write it.
    ///
    /// - Parameter read: how many of its articles somebody has read.
    package init(label: ArticleLabel, read: Int) {
        self = [
            "name": .string(label.name), "articles": JSON(label.articles), "unread": JSON(label.articles - read),
        ]
    }

    /// A tag of somebody's own, as `tags --mine` writes it.
    package init(ownTag: MarkCounts.Tag) {
        self = ["name": .string(ownTag.tag.name), "articles": JSON(ownTag.articles)]
    }
}

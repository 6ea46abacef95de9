import ArticleStore
import AuthService
import LibraryServices
import Text

/// Operations that list feeds, labels, and unread counts.
extension GoogleReader {
    /// Returns the sources with their folders, without those to which users have unsubscribed: a client would keep
    /// showing the feed. Their articles stay in the list of all articles.
    ///
    /// - Parameter site: the address of the server; nil if the client did not name it.
    func subscriptions(at site: String?) async throws(ReaderError) -> JSON {
        let sources = try await sources()
        let firsts = try await ranges().mapValues(\.lowerBound)
        let addresses = sources.feedAddresses(at: site)
        // Clients compare the names of folders as text, so use the spelling of the list of folders everywhere.
        let folders = Dictionary(uniqueKeysWithValues: sources.tags.map { ($0.key, $0) })
        let numbers = Array(firsts.values)
        let arrivals = try await ReaderError.catching { try await services.articleLog.arrivals(of: numbers) }
        let unsubscribed = try await ReaderError.catching { try await services.subscriptions.unsubscribedSources() }
        let icons = try await ReaderError.catching {
            Set(try await services.subscriptions.subscriptions().filter(\.hasIcon).map(\.id))
        }
        let subscriptions = sources.filter { !unsubscribed.contains($0.id) }.map { source -> JSON in
            let first = firsts[source.id].flatMap { arrivals[$0] }
            let digits = String(source.id, radix: 16, uppercase: true)
            return [
                "id": .string("feed/\(source.id)"), "title": .string(source.name),
                "categories": .array(
                    source.facts.tags.compactMap { folders[$0.key] }.map {
                        ["id": .string($0.labelID), "label": .string($0.name)]
                    }),
                "sortid": .string(String(repeating: "0", count: max(0, 8 - digits.count)) + digits),
                "firstitemmsec": .string(first?.milliseconds ?? "0"),
                "url": .string(addresses[source.id] ?? ""),
                "htmlUrl": .string(source.reference.pageAddress(at: site)),
                "iconUrl": .string(site.flatMap { icons.contains(source.id) ? $0 + source.iconPath : nil } ?? ""),
            ]
        }
        return ["subscriptions": .array(subscriptions)]
    }

    /// Returns the starred state, the folders, and the user's own tags and saved searches.
    func tags(of user: User) async throws(ReaderError) -> JSON {
        let folders = try await folders()
        let names = Set(folders.map(\.key))
        let own = try await ownTags(of: user)
        let searches = try await ReaderError.catching {
            try await services.marks.savedSearches(of: user.id).map(\.name)
        }
        let tags = (own + searches.filter { !own.contains($0) }).filter { !names.contains($0.key) }
        let star: JSON = ["id": .string(Stream.State.starred.id)]
        return [
            "tags": .array(
                [star] + folders.map { ["id": .string($0.labelID), "type": "folder"] }
                    + tags.map { ["id": .string(Stream.labelID($0.name)), "type": "tag"] })
        ]
    }

    /// Returns the number of unread articles of the whole library, of each feed, folder, and label, and the time when
    /// the newest of them arrived.
    func unreadCounts(of user: User) async throws(ReaderError) -> JSON {
        let (all, listed, tags, searches) = try await ReaderError.catching {
            (
                // Not the sum of the sources: a story may be in several of them.
                try await services.marks.counts(of: user.id).unread, try await services.listing(for: user.id).sources(),
                try await services.marks.tagProgress(of: user.id),
                try await services.listing(for: user.id).searches(at: services.clock())
            )
        }
        let latest = try await ranges().mapValues(\.upperBound)
        var counts: [(id: String, count: Int, newest: Int64?)] = [
            (Stream.State.readingList.id, all, latest.values.max())
        ]
        let folders = listed.map(\.source).tags
        let names = Set(folders.map(\.key))
        for tag in tags where !names.contains(tag.tag.key) {
            counts.append((Stream.labelID(tag.tag.name), tag.unread, tag.newest))
        }
        let own = Set(tags.map(\.tag))
        for listed in searches where !names.contains(listed.search.name.key) && !own.contains(listed.search.name) {
            guard let unread = listed.unread else { continue }
            counts.append((Stream.labelID(listed.search.name.name), unread, listed.newest))
        }
        var ofFolders: [TagName: (count: Int, newest: Int64?)] = [:]
        for (source, count) in listed.map({ ($0.source, $0.unread ?? 0) }) {
            counts.append(("feed/\(source.id)", count, latest[source.id]))
            for tag in source.facts.tags {
                let (others, newest) = ofFolders[tag] ?? (0, nil)
                ofFolders[tag] = (others + count, [newest, latest[source.id]].compactMap(\.self).max())
            }
        }
        for folder in folders {
            guard let (count, newest) = ofFolders[folder] else { continue }
            counts.append((folder.labelID, count, newest))
        }
        let newest = counts.compactMap(\.newest)
        let arrivals = try await ReaderError.catching { try await services.articleLog.arrivals(of: newest) }
        return [
            "max": JSON(all),
            "unreadcounts": .array(
                counts.map { id, count, newest in
                    let arrival = newest.flatMap { arrivals[$0] }
                    return [
                        "id": .string(id), "count": JSON(count),
                        "newestItemTimestampUsec": .string(arrival?.text ?? "0"),
                    ]
                }),
        ]
    }

    /// Returns the sources, ordered by their numbers.
    func sources() async throws(ReaderError) -> [Source] {
        try await ReaderError.catching { try await services.articles.sources() }
    }

    /// Returns the user's own tags.
    func ownTags(of user: User) async throws(ReaderError) -> [TagName] {
        try await ReaderError.catching { try await services.listing(for: user.id).ownTags().map(\.tag) }
    }

    /// Returns the numbers of the first and the last article of each source.
    private func ranges() async throws(ReaderError) -> [Source.ID: ClosedRange<Int64>] {
        try await ReaderError.catching { try await services.articles.articleRanges() }
    }
}

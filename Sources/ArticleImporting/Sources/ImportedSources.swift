package import ArticleStore
import Platform
import Text

/// The sources of an import. Each is looked up once, and created when its first article is stored.
///
/// A path belongs to the source at that path, else to the source of the nearest folder above. A folder takes over the
/// sources inside it. So an article is the same one, whichever of its folders is imported.
struct ImportedSources {
    /// A source, and what an import has read of it.
    struct SourceState {
        var source: Source
        /// Whether it existed before this import.
        let wasThere: Bool
        /// The hashes of the keys that were read.
        var readKeys: Set<Int> = []
        /// The hashes of the keys of drafts.
        var drafts: Set<Int> = []
        /// Drafts whose keys are not in the library.
        var newDrafts = NewDrafts()
        /// The IDs of the articles that were read: those of feed entries, and those of records that share a key.
        var readArticles: Set<Int64> = []
        /// The IDs of articles whose key a record of another article states.
        var displacedArticles: Set<Int64> = []
        /// Articles whose files are gone; nil if they were not determined yet.
        var renameCandidates: RenameCandidates?
    }

    /// The name by which a source is found again during an import.
    private enum Name: Hashable {
        case given
        case place(ExactText)
        case stream(ExactText)
        case feed(String)
        case uid(SourceUID)
    }

    private(set) var states: [Source.ID: SourceState] = [:]
    /// The addresses that several entries of a feed have.
    var sharedAddresses: Set<StoryAddress> = []
    /// The names of sources that were merged into others.
    private(set) var merged: [String] = []
    private var ids: [Name: Source.ID] = [:]
    /// The sources as library exports describe them.
    private var exported: [SourceUID: SourceFacts] = [:]
    /// Skipped drafts that were not yet looked up in the library.
    private var drafts: [IncomingArticle] = []
    /// The slugs of articles that were deleted before sources existed, and the source that has these records; nil if
    /// they were not loaded yet.
    private var earlier: (source: Source.ID, deleted: Set<ExactText>)?
    private let options: ImportOptions

    init(options: ImportOptions) { self.options = options }

    /// Records a skipped draft. An article that is a draft in its source has not left the source.
    mutating func insert(draft: IncomingArticle) {
        if options.mirror != nil { drafts.append(draft) }
    }

    /// Adds the sources that a library export lists, even those without articles.
    mutating func insert(_ sources: [ExportedSource], by writer: some ArticleWriter) throws {
        for source in sources { exported[source.uid] = source.facts }
        if options.source != nil { return }
        for source in sources { _ = try claimed(source, by: writer) }
    }

    /// Creates a source for each feed of a list, or adds the tags in the list to an existing source.
    ///
    /// - Returns: The addresses of the sources.
    func subscribe(to feeds: [FeedList.Feed], by writer: some ArticleWriter) throws -> [Source.ID: String] {
        guard options.source == nil else { return [:] }
        var known = KnownFeeds(try writer.sources())
        var addresses: [Source.ID: String] = [:]
        for feed in feeds {
            guard let address = WebAddress.valid(feed.address) else { continue }
            let source = try writer.feed(
                at: [address], title: feed.title, home: feed.home, tags: feed.tags, among: &known)
            // The list may be older than a permanent redirect.
            addresses[source.id] = source.isFeed(at: address) ? address : source.facts.feedURL ?? address
        }
        return addresses
    }

    /// Stores an article.
    mutating func upsert(_ article: IncomingArticle, by writer: some ArticleWriter) throws -> Upsert {
        if case .entry = article.place { return try insertEntry(article, by: writer) }
        let (id, ownKey) = try place(article, article.draft.key, by: writer)
        let key = try recordKey(of: article, ownKey, in: id, by: writer)
        let otherKeys = try article.otherKeys.map { try place(article, $0, by: writer).key }
        guard var state = states[id] else { return Upsert(id: 0, outcome: .unchanged) }
        states[id] = nil
        defer { states[id] = state }
        var draft = article.draft
        draft.key = try keyInUse(by: draft, key, otherKeys, of: id, by: writer)
        if options.mirror != nil { state.readKeys.insert(draft.key.hashValue) }
        let story =
            article.place.feed == nil
            ? try state.knownStory(of: article, as: draft, by: writer)
            : try state.story(
                of: article, as: draft, otherKeys,
                mergesAt: { options.mergesStories && !sharedAddresses.contains($0) }, by: writer)
        if let story {
            state.readArticles.insert(story)
            return Upsert(id: story, outcome: .unchanged)
        }
        let isEdit = article.place.root == nil && options.source == nil
        try moveEarlierDeletion(of: draft, article.content, into: state.source, by: writer)
        let upsert = try writer.upsert(
            draft, into: state.source, content: isEdit ? nil : article.content, isEdit: isEdit,
            overwritesEdits: options.overwritesEdits
        ) {
            guard state.wasThere, article.place.root != nil else { return nil }
            for key in otherKeys {
                if let deletion = try writer.deletion(key: key, of: id), deletion.content == article.content {
                    try writer.move(deletion, to: draft.key, of: id)
                    return nil
                }
                guard let entry = try writer.entry(key: key, of: id), !state.readArticles.contains(entry.id) else {
                    continue
                }
                if try writer.article(id: entry.id)?.hasTitleAndDate(of: draft) == true { return entry.id }
            }
            if article.place.feed != nil, let id = try state.article(continuedBy: draft, by: writer) { return id }
            if state.renameCandidates == nil {
                state.renameCandidates = try RenameCandidates(from: state.source, by: writer)
            }
            switch try state.renameCandidates?.removeMatch(for: article, by: writer) {
            case .article(let id): return id
            case .deleted(let deletion): try writer.move(deletion, to: draft.key, of: id)
            case nil: break
            }
            return nil
        }
        if article.place.feed != nil { state.readArticles.insert(upsert.id) }
        if case .claimed = article.place, options.source == nil { try putAppearances(of: draft, upsert, by: writer) }
        return upsert
    }

    /// Stores the appearances of an article that a library export lists, except those whose entries are articles here.
    private mutating func putAppearances(
        of draft: ArticleDraft, _ upsert: Upsert, by writer: some ArticleWriter
    ) throws {
        guard upsert.outcome != .deleted, !draft.appearances.isEmpty,
            let article = try writer.article(id: upsert.id)
        else { return }
        for var appearance in draft.appearances {
            let facts = SourceFacts(name: appearance.source.name, kind: .stream)
            let id = try claimed(ExportedSource(uid: appearance.source.uid, facts: facts), by: writer)
            guard let source = states[id]?.source.reference, id != article.source.id,
                !article.appearances.contains(where: { $0.source.id == id }),
                try writer.entry(key: appearance.key, of: id) == nil,
                try writer.appearance(key: appearance.key, of: id) == nil
            else { continue }
            appearance.source = source
            try writer.put(appearance, of: article.id)
        }
    }

    /// Stores an entry of a feed from an export of a feed reader. An article that the library has stays as it is: the feed
    /// itself may have a newer version, and other readers change the texts.
    private mutating func insertEntry(_ article: IncomingArticle, by writer: some ArticleWriter) throws -> Upsert {
        let (id, key) = try place(article, article.draft.key, by: writer)
        guard var state = states[id] else { return Upsert(id: 0, outcome: .unchanged) }
        states[id] = nil
        defer { states[id] = state }
        let keys = [key] + article.otherKeys
        var draft = article.draft
        for key in keys {
            if let story = try writer.appearance(key: key, of: id) { return Upsert(id: story.id, outcome: .unchanged) }
        }
        if state.wasThere {
            if let known = try state.article(of: draft, keys: keys, by: writer) {
                state.readArticles.insert(known.id)
                if options.mirror != nil { state.readKeys.insert(known.key.hashValue) }
                return Upsert(id: known.id, outcome: .unchanged)
            }
            // Another article may have the key, such as an entry of a status page with the same address.
            draft.key = try keys.first { try writer.entry(key: $0, of: id) == nil } ?? key
        }
        if options.mirror != nil { state.readKeys.insert(draft.key.hashValue) }
        let upsert = try writer.upsert(draft, into: state.source, overwritesEdits: options.overwritesEdits)
        state.readArticles.insert(upsert.id)
        return upsert
    }

    /// Returns the key of a record's article in the library, which may differ from the record's key in this import.
    ///
    /// Of several records with the same key, only the first one keeps it. In another order, another record is first. So
    /// look for the article with the same content, title, or date under all keys that the record may have.
    private mutating func recordKey(
        of article: IncomingArticle, _ key: ExactText, in source: Source.ID, by writer: some ArticleWriter
    ) throws -> ExactText {
        guard case .record(_, _, nil) = article.place, states[source]?.wasThere == true else { return key }
        let isFirst = article.sharedKey == nil
        let holder = try writer.entry(key: key, of: source)
        if isFirst, holder?.origin.content == article.content { return key }
        var stated = article.draft
        stated.key = article.sharedKey ?? stated.key
        let longerKeys = try stated.longerKeys(content: article.content).map {
            try place(article, $0, by: writer).key
        }
        // Records that share a key with others are rare, and the first of them gets this key.
        if isFirst, try writer.entry(key: longerKeys[0], of: source) == nil {
            guard try writer.deletion(key: longerKeys[0], of: source)?.content == article.content else { return key }
            if let holder { states[source]?.displacedArticles.insert(holder.id) }
            return longerKeys[0]
        }
        let statedKey = try place(article, stated.key, by: writer).key
        var found: [(key: ExactText, entry: ArticleEntry)] = []
        for candidate in [statedKey] + longerKeys {
            guard let entry = try writer.entry(key: candidate, of: source), let state = states[source],
                !state.readArticles.contains(entry.id),
                isFirst || candidate != statedKey || state.displacedArticles.contains(entry.id)
            else { continue }
            found.append((candidate, entry))
        }
        let match =
            try found.first { $0.entry.origin.content == article.content }
            ?? found.first { try writer.article(id: $0.entry.id)?.hasTitleAndDate(of: article.draft) == true }
        guard let match else {
            guard let holder, states[source]?.readArticles.contains(holder.id) == true else { return key }
            return longerKeys.last ?? key
        }
        if isFirst, match.key != key, let holder { states[source]?.displacedArticles.insert(holder.id) }
        states[source]?.readArticles.insert(match.entry.id)
        return match.key
    }

    /// Returns the key of an entry's article in the library. If another entry has the first key there, it is one of the
    /// other keys whose article has the same title and day.
    private func keyInUse(
        by draft: ArticleDraft, _ key: ExactText, _ otherKeys: [ExactText], of source: Source.ID,
        by writer: some ArticleWriter
    ) throws -> ExactText {
        func isMeant(_ key: ExactText) throws -> Bool? {
            try writer.entry(key: key, of: source).flatMap { try writer.article(id: $0.id)?.hasTitleAndDate(of: draft) }
        }
        guard !otherKeys.isEmpty, try isMeant(key) == false else { return key }
        return try otherKeys.first { try isMeant($0) == true } ?? key
    }

    /// Records that an article was read.
    ///
    /// - Parameter key: the hash of its key.
    mutating func markRead(_ key: Int, of source: Source.ID) {
        if options.mirror != nil { states[source]?.readKeys.insert(key) }
    }

    /// Moves the record of a deletion to the source of the article, if the article was deleted before sources existed
    /// and its slug was recorded.
    private mutating func moveEarlierDeletion(
        of draft: ArticleDraft, _ content: UInt64, into source: Source, by writer: some ArticleWriter
    ) throws {
        if earlier == nil {
            let source = try writer.earlierSource()
            earlier = try source.map { ($0.id, Set(try writer.deletions(of: $0.id).map(\.key))) } ?? (0, [])
        }
        guard let old = earlier?.source, earlier?.deleted.contains(ExactText(draft.slug)) == true, old != source.id,
            try writer.entry(key: draft.key, of: source.id) == nil
        else { return }
        earlier?.deleted.remove(ExactText(draft.slug))
        try writer.forgetDeletion(key: ExactText(draft.slug), of: old)
        try writer.record(Deletion(key: draft.key, content: content), of: source.id)
    }

    /// Returns the missing articles of the sources that were read completely, and those that are drafts now.
    mutating func missingArticles(
        from roots: [ImportRoot], by writer: some ArticleWriter
    ) throws -> (gone: [MissingArticles], drafts: [MissingArticles]) {
        try placeDrafts(by: writer)
        var scopes: [Source.ID: [ExactText]] = [:]
        for root in roots {
            guard let (source, scope) = try scope(of: root, by: writer) else { continue }
            scopes[source, default: []].append(scope)
        }
        let sources = try writer.sources()
        var (gone, drafts) = ([MissingArticles](), [MissingArticles]())
        for (id, scopes) in scopes.sorted(by: { $0.key < $1.key }) {
            guard let source = sources.first(where: { $0.id == id }) else { continue }
            let state = states[id]
            var total = 0
            var (goneHere, draftsHere) = ([(id: Int64, key: ExactText)](), [(id: Int64, key: ExactText)]())
            try writer.forEachEntry(of: id) { key, entry in
                total += 1
                let hash = key.hashValue
                guard state?.readKeys.contains(hash) != true, scopes.contains(where: { key.isKey(in: $0) }) else {
                    return
                }
                let isDraft = state.map { $0.drafts.contains(hash) || $0.newDrafts.mayBe(key, entry) } ?? false
                if isDraft {
                    draftsHere.append((entry.id, key))
                } else if !source.hasFile(of: key) {
                    goneHere.append((entry.id, key))
                }
            }
            func missing(in articles: [(id: Int64, key: ExactText)]) -> MissingArticles {
                MissingArticles(source: source, articles: articles.map(\.id), keys: articles.map(\.key), total: total)
            }
            if !goneHere.isEmpty { gone.append(missing(in: goneHere)) }
            if !draftsHere.isEmpty { drafts.append(missing(in: draftsHere)) }
        }
        return (gone, drafts)
    }

    /// Determines the sources of the skipped drafts, if they are in the library.
    private mutating func placeDrafts(by writer: some ArticleWriter) throws {
        for draft in drafts {
            let isOfLibrary = try draft.place.root.map { try scope(of: $0, by: writer) != nil } ?? false
            guard isOfLibrary else { continue }
            let (id, key) = try place(draft, draft.draft.key, by: writer)
            if try writer.entry(key: key, of: id) == nil {
                states[id]?.newDrafts.insert(draft)
            } else {
                states[id]?.drafts.insert(key.hashValue)
            }
        }
        drafts = []
    }

    /// Returns the source of an input, and the path below which its keys are; an empty path means the whole source.
    private func scope(of root: ImportRoot, by writer: some ArticleWriter) throws -> (Source.ID, ExactText)? {
        if options.source != nil {
            return try writer.source(named: options.source ?? "").map { ($0.id, "") }
        }
        guard let location = root.location else { return source(at: root).map { ($0.id, "") } }
        guard let holder = try writer.sources().holder(of: location) else { return nil }
        return (holder.id, holder.facts.location.flatMap { location.path(below: $0) } ?? "")
    }

    /// Returns the source at an input; nil if nothing of it was stored.
    func source(at root: ImportRoot) -> Source? { state(at: root)?.source }

    /// Returns the entry of the source at an input; nil if nothing of it was stored.
    func state(at root: ImportRoot) -> SourceState? {
        guard options.source == nil else { return ids[.given].flatMap { states[$0] } }
        guard let location = root.location else { return ids[.stream(ExactText(root.name))].flatMap { states[$0] } }
        return states.values.map(\.source).holder(of: location).flatMap { states[$0.id] }
    }

    /// Returns the source of an article and its key there.
    ///
    /// - Parameter key: the key that the article states.
    private mutating func place(
        _ article: IncomingArticle, _ key: ExactText, by writer: some ArticleWriter
    ) throws -> (Source.ID, key: ExactText) {
        switch article.place {
        case .claimed(let source) where options.source == nil:
            return (try claimed(source, by: writer), key)
        case .entry(let feed) where options.source == nil: return (try self.feed(feed, by: writer), key)
        case .claimed, .entry:
            return (try ids[.given] ?? register(given(nil, nil, by: writer), as: .given), key)
        case .file(let root, let path):
            let (source, path) = try source(of: root, path, article, by: writer)
            return (source, path.map { PathKey(path: $0).key } ?? key)
        case .record(let root, let path, _):
            let (source, path) = try source(of: root, path, article, by: writer)
            // If the file is a source of its own, the keys of its records do not contain its name.
            let isWhole = states[source].map { !$0.source.kind.hasPaths } ?? true
            return (source, isWhole ? key : path.map { PathKey(path: $0, record: key).key } ?? key)
        }
    }

    /// Returns the source of an article, and the path of its file there.
    private mutating func source(
        of root: ImportRoot, _ path: ExactText?, _ article: IncomingArticle, by writer: some ArticleWriter
    ) throws -> (Source.ID, path: ExactText?) {
        if options.source != nil {
            return (try ids[.given] ?? register(given(root, article.place.feed, by: writer), as: .given), path)
        }
        guard let site = SourceSite(article.place) else {
            let facts = SourceFacts(stream: root, feed: article.place.feed, home: home(of: nil))
            let name = Name.stream(facts.location ?? ExactText(root.name))
            let source = try ids[name] ?? register(stream(facts, by: writer), as: name)
            ids[.stream(ExactText(root.name))] = source
            return (source, nil)
        }
        let name = Name.place(site.location)
        let source = try ids[name] ?? register(holder(of: site, article, by: writer), as: name)
        return (source, states[source].map { site.path(in: $0.source) } ?? site.path)
    }

    private mutating func register(_ state: SourceState, as name: Name) -> Source.ID {
        ids[name] = state.source.id
        if states[state.source.id] == nil { states[state.source.id] = state }
        return state.source.id
    }

    /// Returns the source that an article states. If it is not in the library, it is created under an unused name.
    private mutating func claimed(_ source: ExportedSource, by writer: some ArticleWriter) throws -> Source.ID {
        if let number = ids[.uid(source.uid)] { return number }
        let sources = try writer.sources()
        let known = sources.first { $0.uid == source.uid }
        let facts = exported[source.uid] ?? source.facts
        return register(
            SourceState(
                source: try known ?? writer.insert(facts, besides: sources, uid: source.uid), wasThere: known != nil),
            as: .uid(source.uid))
    }

    /// Returns the source of a feed in an export of a feed reader. It is created if it does not exist.
    private mutating func feed(_ feed: FeedHead, by writer: some ArticleWriter) throws -> Source.ID {
        let name = Name.feed(feed.address ?? "")
        if let id = ids[name] { return id }
        var known = KnownFeeds(try writer.sources())
        let count = known.count
        let source = try writer.feed(
            at: [feed.address ?? ""], title: feed.title, home: feed.home, tags: feed.tags, among: &known)
        return register(SourceState(source: source, wasThere: known.count == count), as: name)
    }

    /// Returns the source that the user named. Its location becomes the present input.
    private func given(_ root: ImportRoot?, _ feed: FeedHead?, by writer: some ArticleWriter) throws -> SourceState {
        let name = options.source ?? ""
        let found: Source?
        if let id = options.existingSource {
            found = try writer.source(id: id)
            if found == nil { throw SourceError.noSource(name, similar: []) }
        } else {
            found = try writer.source(named: name)
        }
        guard var source = found else {
            // The source for articles that users write here does not have a location, even if files are imported into
            // it.
            if FoldedKey.fold(name) == FoldedKey.fold(SourceFacts.library.name) {
                return SourceState(source: try writer.source(.library), wasThere: false)
            }
            let kind = root.map { Source.Kind($0, feed: nil) } ?? .stream
            let facts = SourceFacts(
                name: name, kind: kind, location: root?.location, home: home(of: nil),
                feedURL: root?.kind == .folder ? nil : feed?.webAddress)
            return SourceState(source: try writer.insert(facts, uid: nil), wasThere: false)
        }
        let before = source
        if let location = root?.location, source.kind != .stream { source.facts.location = location }
        if options.home != nil { source.facts.home = home(of: nil) }
        // A feed that is fetched keeps the address of its fetches, whatever address it states.
        let isFetched = source.kind == .feed && source.facts.location?.text == source.facts.feedURL
        if root?.kind != .folder, !isFetched, let address = feed?.webAddress { source.facts.feedURL = address }
        if source != before { try writer.update(source) }
        return SourceState(source: source, wasThere: true)
    }

    /// The base address from the options, unless it is empty, else that of the feed.
    private func home(of feed: FeedHead?) -> String? {
        options.home.flatMap { $0.isEmpty ? nil : $0 } ?? feed?.home
    }

    private func stream(_ facts: SourceFacts, by writer: some ArticleWriter) throws -> SourceState {
        let sources = try writer.sources()
        let known = sources.first {
            facts.location == nil
                ? $0.facts.location == nil && $0.kind == facts.kind && $0.name == facts.name
                : $0.facts.location == facts.location && $0.kind == .feed
        }
        guard var known else { return SourceState(source: try writer.insert(facts, besides: sources), wasThere: false) }
        let before = known
        if let address = facts.feedURL { known.facts.feedURL = address }
        if options.home != nil { known.facts.home = facts.home }
        if known != before { try writer.update(known) }
        return SourceState(source: known, wasThere: true)
    }

    /// Returns the source to which a file or folder belongs.
    private mutating func holder(of site: SourceSite, _ article: IncomingArticle, by writer: some ArticleWriter) throws
        -> SourceState
    {
        let sources = try writer.sources()
        var state: SourceState
        if let holder = sources.holder(of: site.location) {
            state = SourceState(source: holder, wasThere: true)
        } else if site.kind == .feed, let address = article.place.feed?.webAddress,
            let listed = sources.first(where: { $0.kind == .feed && $0.facts.location == ExactText(address) })
        {
            state = SourceState(source: listed, wasThere: true)
            state.source.facts.location = site.location
        } else if let moved = try sources.first(where: { try isMoved($0, to: site, article, by: writer) }) {
            state = SourceState(source: moved, wasThere: true)
            state.source.facts.location = site.location
        } else {
            let feed = article.place.feed
            let isFeed = site.kind == .feed
            let facts = SourceFacts(
                name: (isFeed ? feed?.title : nil) ?? site.location.lastPathComponent, kind: site.kind,
                location: site.location, home: home(of: isFeed ? feed : nil),
                feedURL: isFeed ? feed?.webAddress : nil)
            state = SourceState(source: try writer.insert(facts, besides: sources), wasThere: false)
        }
        if options.home != nil {
            state.source.facts.home = home(of: state.source.kind == .feed ? article.place.feed : nil)
        }
        if state.source.kind == .feed, let address = article.place.feed?.webAddress {
            state.source.facts.feedURL = address
        }
        if state.source.kind == .feed, let tags = article.place.feed?.tags { state.source.facts.add(tags) }
        if site.isWhole, state.source.kind == .files { state.source.facts.kind = .folder }
        try writer.update(state.source)
        if site.isWhole, state.source.facts.location == site.location {
            for inner in sources where inner.id != state.source.id {
                guard let below = inner.facts.location?.path(below: site.location) else { continue }
                try writer.move(inner, into: state.source, at: below)
                state.source.facts.add(inner.facts.tags)
                try writer.update(state.source)
                merged.append(inner.name)
            }
        }
        return state
    }

    /// Whether a source that is no longer at its location is this input: most of its folder is there, or a file of
    /// records contains this article or another version of it.
    private func isMoved(
        _ source: Source, to site: SourceSite, _ article: IncomingArticle, by writer: some ArticleWriter
    ) throws -> Bool {
        guard source.kind == site.kind || source.kind.hasPaths && site.kind.hasPaths, let old = source.facts.location,
            !FilePath(exact: old).exists
        else { return false }
        guard !site.kind.hasPaths else {
            return try RecordSample(of: source, by: writer).isMostly(at: site.location, options: options)
        }
        guard let entry = try writer.entry(key: article.draft.key, of: source.id) else { return false }
        return try entry.origin.content == article.content
            || writer.article(id: entry.id)?.isContradicted(by: article.draft) == false
    }
}

extension Source {
    /// Whether it is the feed at a web address.
    package func isFeed(at address: String) -> Bool {
        facts.feedURL == address || kind == .feed && facts.location == ExactText(address)
    }

    /// Whether it was the feed at one of these addresses before a permanent redirect.
    package func wasFeed(at addresses: some Sequence<String>) -> Bool {
        addresses.contains { facts.formerAddresses.contains($0) }
    }

    /// Whether its address stands for its name, because a list of feeds did not have a title for it.
    package var isNamedAfterAddress: Bool {
        kind == .feed && (name == facts.location?.text || name == facts.feedURL)
    }
}

extension ArticleWriter {
    /// Returns the source of a feed, with more tags. It is created if it does not exist.
    ///
    /// - Parameters:
    ///   - addresses: The web addresses of the feed. A new source gets the first one.
    ///   - title: The name of a new source; nil for its address. If the name is taken, it gets a number.
    ///   - home: The address of the site.
    ///   - tags: The tags to add.
    ///   - known: All sources. A new one is added.
    package func feed(
        at addresses: [String], title: String?, home: String?, tags: [TagName], among known: inout KnownFeeds
    ) throws -> Source {
        if let before = known.source(at: addresses) {
            var source = before
            source.facts.add(tags)
            if source != before {
                try update(source)
                known.setTags(ofSourceAt: addresses, to: source)
            }
            return source
        }
        let address = addresses.first ?? ""
        let name = title.map { FeedTitle.cut($0.oneLine) } ?? ""
        var facts = SourceFacts(
            name: name.isEmpty ? address : name, kind: .feed, location: ExactText(address),
            home: home.flatMap(WebAddress.valid), feedURL: address)
        facts.add(tags)
        facts.name = known.unusedName(facts.name)
        let source = try insert(facts, uid: nil)
        known.add(source)
        return source
    }
}

extension ArticleWriter {
    /// Names a feed after its title, unless it has another name than its address.
    ///
    /// - Returns: The source; nil if nothing was changed.
    package func nameFeed(_ id: Source.ID, after title: String) throws -> Source? {
        let sources = try sources()
        guard var source = sources.first(where: { $0.id == id }), source.isNamedAfterAddress else { return nil }
        source.facts.name = FeedTitle.cut(title.oneLine)
        guard !source.name.isEmpty else { return nil }
        source.facts.name = source.facts.name(
            besides: Set(sources.filter { $0.id != id }.map { FoldedKey.fold($0.name) }))
        try update(source)
        return source
    }
}

extension SourceFacts {
    /// Adds tags up to the maximum number.
    fileprivate mutating func add(_ tags: [TagName]) {
        let room = SourceFacts.mostTags - self.tags.count
        try? tag(.some(adding: Array(tags.filter { !self.tags.contains($0) }.prefix(room)), removing: []))
    }
}

extension ImportedSources.SourceState {
    /// Returns the article that an entry of a feed continues under a new ID: it has the same address, title, and date,
    /// and does not belong to another entry.
    fileprivate func article(continuedBy draft: ArticleDraft, by writer: some ArticleWriter) throws -> Int64? {
        guard let address = draft.sourceURL else { return nil }
        return try writer.articles(titled: draft.title, of: source.id).first { id in
            guard !readArticles.contains(id), let article = try writer.article(id: id) else { return false }
            return article.sourceURL == address && article.hasTitleAndDate(of: draft)
        }
    }
}

extension ImportedSources.SourceState {
    /// Returns the article of another source that appears in this one under the key of a record, after the appearance was
    /// updated.
    fileprivate func knownStory(
        of article: IncomingArticle, as draft: ArticleDraft, by writer: some ArticleWriter
    ) throws -> Int64? {
        guard let known = try writer.appearance(key: draft.key, of: source.id), !readArticles.contains(known.id) else {
            return nil
        }
        if known.origin.content != article.content { try put(draft, article.content, in: known.id, by: writer) }
        return known.id
    }

    /// Returns the article of another source that is the same story as an entry of this feed, after the entry was stored as
    /// its appearance. Returns nil if the entry is an article of its own.
    ///
    /// - Parameters:
    ///   - draft: the entry with its key.
    ///   - otherKeys: further keys of the entry.
    ///   - mergesAt: whether an entry with an address can become an appearance. Known appearances are always recognized.
    fileprivate func story(
        of article: IncomingArticle, as draft: ArticleDraft, _ otherKeys: [ExactText],
        mergesAt: (StoryAddress) -> Bool, by writer: some ArticleWriter
    ) throws -> Int64? {
        if let known = try knownStory(of: article, as: draft, by: writer) { return known }
        // An article of this source, or one that was deleted, keeps its entry.
        for key in [draft.key] + otherKeys {
            guard try writer.entry(key: key, of: source.id) == nil, try writer.deletion(key: key, of: source.id) == nil
            else { return nil }
        }
        // Other entries with the same ID may have appeared or disappeared.
        for key in otherKeys {
            guard let known = try writer.appearance(key: key, of: source.id), !readArticles.contains(known.id),
                try writer.article(id: known.id)?.appearances.contains(where: {
                    $0.source.id == source.id && $0.title.isIdentical(to: draft.title)
                }) == true
            else { continue }
            try put(draft, article.content, in: known.id, by: writer)
            return known.id
        }
        // The article must be the only one with the address. If the entry has a new ID, it replaces the earlier one.
        guard let address = article.story, mergesAt(address) else { return nil }
        let stories = try writer.articles(at: address)
        guard stories.count == 1, let story = stories.first, story.value != source.id,
            !readArticles.contains(story.key)
        else { return nil }
        try put(draft, article.content, in: story.key, by: writer)
        return story.key
    }

    private func put(
        _ draft: ArticleDraft, _ content: UInt64, in article: Int64, by writer: some ArticleWriter
    ) throws {
        guard let article = try writer.article(id: article) else { return }
        try writer.put(ArticleAppearance(draft, in: source.reference, content: content, of: article), of: article.id)
    }
}

extension ImportedSources.SourceState {
    /// Returns the article that an entry of an export is, with its key. It has the same ID or the same address, and does
    /// not belong to another entry.
    ///
    /// - Parameter keys: the keys that the entry may have.
    fileprivate func article(
        of draft: ArticleDraft, keys: [ExactText], by writer: some ArticleWriter
    ) throws -> Article? {
        func articles(_ ids: [Int64]) throws -> [Article] {
            try ids.filter { !readArticles.contains($0) }.compactMap { try writer.article(id: $0) }
        }
        let byKey = try articles(keys.compactMap { try writer.entry(key: $0, of: source.id)?.id })
        let byAddress = try articles(draft.sourceURL.map { try writer.articles(at: $0, of: source.id) } ?? [])
        if let same = (byKey + byAddress).first(where: { $0.hasTitleAndDate(of: draft) }) { return same }
        // Different entries may have the same address, so that alone proves nothing.
        let isAddress = draft.sourceURL.map { draft.key == ExactText($0) } ?? false
        return (isAddress ? nil : byKey.first { $0.agrees(with: draft) })
            ?? byAddress.first { $0.title.isIdentical(to: draft.title) || $0.published == draft.published }
    }
}

extension [Source] {
    /// Returns the source to which a path belongs: the one at that path, else that of the nearest folder above.
    fileprivate func holder(of path: ExactText) -> Source? {
        filter { source in
            guard let location = source.facts.location else { return false }
            return location == path || source.kind == .folder && path.path(below: location) != nil
        }.max { ($0.facts.location?.utf8.count ?? 0) < ($1.facts.location?.utf8.count ?? 0) }
    }
}

extension ExactText {
    /// Whether a key belongs to the file at a path, or to a file below it.
    fileprivate func isKey(in path: ExactText) -> Bool {
        guard !path.isEmpty else { return true }
        let own = PathKey(self).path
        return own == path || own.path(below: path) != nil
    }
}

extension ArticleWriter {
    /// Creates a source. If its name is taken, the name gets a prefix or a number.
    fileprivate func insert(_ facts: SourceFacts, besides others: [Source], uid: SourceUID? = nil) throws -> Source {
        var facts = facts
        facts.name = facts.name(besides: Set(others.map { FoldedKey.fold($0.name) }))
        return try insert(facts, uid: uid)
    }

    /// Moves the record of a deletion to another key.
    fileprivate func move(_ deletion: Deletion, to key: ExactText, of source: Source.ID) throws {
        try forgetDeletion(key: deletion.key, of: source)
        try record(Deletion(key: key, content: deletion.content), of: source)
    }

    /// Moves the articles of a source into another one and deletes the source.
    ///
    /// - Parameter path: the path of the source in the other one.
    fileprivate func move(_ source: Source, into other: Source, at path: ExactText) throws {
        func moved(_ key: ExactText) -> ExactText {
            guard source.kind.hasPaths else { return PathKey(path: path, record: key).key }
            let key = PathKey(key)
            return PathKey(path: path.appending(path: key.path), record: key.record).key
        }
        for deletion in try deletions(of: source.id) {
            try record(Deletion(key: moved(deletion.key), content: deletion.content), of: other.id)
        }
        var entries: [(key: ExactText, entry: ArticleEntry)] = []
        try forEachEntry(of: source.id) { entries.append(($0, $1)) }
        for (key, entry) in entries {
            guard let old = try article(id: entry.id) else { continue }
            var new = old
            new.source = other.reference
            new.key = moved(key)
            // If the other source already has an article with this key, that came from the folder itself. Leave the
            // article of the merged source where it is.
            if try self.entry(key: new.key, of: other.id) == nil { try update(old, to: new, from: entry.origin) }
        }
        if try isEmpty(source.id) { _ = try deleteSource(id: source.id) }
    }
}

extension Source {
    /// Whether the article's own file exists. A file that an import skips now has not left the source.
    fileprivate func hasFile(of key: ExactText) -> Bool {
        let key = PathKey(key)
        guard kind.hasPaths, key.record == nil, let location = facts.location else { return false }
        return FilePath(exact: location.appending(path: key.path)).exists
    }
}

/// The place of an article in the file system: the file, and the source to which it belongs unless another source
/// contains that place.
struct SourceSite {
    /// A folder if the article is a file of its own, else the file with the records.
    let kind: Source.Kind
    /// The location of the source.
    let location: ExactText
    /// The path of the file below it; the name of a file with records.
    let path: ExactText
    /// Whether the whole source was an input of the import.
    let isWhole: Bool

    /// Nil for a stream, and for a record that states its source itself.
    init?(_ place: IncomingArticle.Place) {
        guard let root = place.root, let location = root.location, let path = place.path else { return nil }
        // Use the name of the target if the input is a link to a file.
        self.path = root.kind == .folder ? path : ExactText(location.lastPathComponent)
        switch (root.kind, place) {
        case (.folder, _):
            (kind, self.location, isWhole) = (.folder, location, true)
        case (_, .file):
            (kind, self.location, isWhole) = (.files, location.parentPath, false)
        default:
            (kind, self.location, isWhole) = (place.feed == nil ? .file : .feed, location, true)
        }
    }

    /// The file.
    var file: ExactText { kind.hasPaths ? location.appending(path: path) : location }

    /// Returns the path of the file in a source that contains it.
    func path(in source: Source) -> ExactText { source.facts.location.flatMap { file.path(below: $0) } ?? path }
}

extension SourceFacts {
    /// Creates the facts about a stream. The location of a feed is its address.
    init(stream root: ImportRoot, feed: FeedHead?, home: String?) {
        let isNamed = root.name != "-" && !["/dev/", "/proc/"].contains { root.name.hasPrefix($0) }
        let name = isNamed ? ExactText(root.name).lastPathComponent : "stdin"
        // A stream must not claim a local path as its location.
        guard let feed, let address = (feed.address ?? feed.home).flatMap(WebAddress.valid) else {
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

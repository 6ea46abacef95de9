package import ArticleStore
import Platform
import Text

/// A list of feeds (OPML 1.0 and 2.0, and the file `urls` of newsboat). It contains no articles.
struct FeedList {
    /// A feed in the list.
    struct Feed: Hashable {
        let address: String
        let title: String?
        /// The address of the site.
        let home: String?
        /// The folders of the feed, outermost first, and its categories.
        fileprivate(set) var tags: [TagName]

        /// Whether it can be a source without a file.
        var isOnWeb: Bool { WebAddress.valid(address) != nil }
    }

    /// The feeds in their order. Each occurs once, with the tags of all its places.
    private(set) var feeds: [Feed] = []
    /// The lines that are not feeds that can be fetched.
    var problems: [RecordError] = []
    /// Whether the feeds may be in files beside the list.
    var mayHaveFiles = true
    private var places: [String: Int] = [:]

    /// Creates a list without feeds.
    init() {}

    /// Adds a feed, or its tags if the list has it already.
    ///
    /// - Parameter line: The line of the feed.
    mutating func add(_ feed: Feed, line: Int) {
        guard !WebAddress.hasUser(feed.address) || !feed.isOnWeb else {
            let advice = "subscribe to it with: articlesctl subscribe --user NAME --password-stdin ADDRESS"
            problems.append(RecordError(line: line, "the address contains a user name or a password; \(advice)"))
            return
        }
        if let place = places[feed.address] {
            feeds[place].tags += feed.tags
        } else {
            places[feed.address] = feeds.count
            feeds.append(feed)
        }
    }

    /// Reads the rest of a document after its first tag.
    ///
    /// - Throws: like ``XMLReader/next()``.
    init(_ xml: XMLReader) throws {
        var folders: [TagName?] = []
        while let step = try xml.next() {
            guard case .start(let tag) = step else {
                _ = folders.popLast()
                continue
            }
            guard FeedVocabulary.key(tag.name) == "outline" else {
                folders.append(nil)
                continue
            }
            func attribute(_ name: String) -> String? {
                let value = tag.attributes.first { $0.name.lowercased() == name }?.value.trimmed
                return value.flatMap { $0.isEmpty ? nil : String($0) }
            }
            let title = attribute("text") ?? attribute("title")
            guard let address = attribute("xmlurl") else {
                folders.append(title.flatMap(Self.tag))
                continue
            }
            folders.append(nil)
            // `category` contains tags separated by commas, and paths of folders separated by slashes (OPML 2.0).
            let categories = attribute("category")?.split { $0 == "," || $0 == "/" }.compactMap { Self.tag(String($0)) }
            let tags = folders.compactMap { $0 } + (categories ?? [])
            add(Feed(address: address, title: title, home: attribute("htmlurl"), tags: tags), line: xml.line)
        }
    }

    /// Returns the tag of that name. Commas are removed because a tag cannot contain them.
    static func tag(_ name: String) -> TagName? {
        try? TagName(name.replacing(",", with: " ").oneLine)
    }

    /// Reads a document; nil if it is not a list.
    ///
    /// - Parameter name: The name of the file; nil for a stream.
    /// - Throws: like ``XMLReader/next()``. A document that is not a list is not consumed.
    init?(_ bytes: ByteReader, format: ImportFormat?, name: String?, options: ImportOptions) throws {
        if bytes.count == 0 { _ = try bytes.fill() }
        let isNamed = options.format == .newsboat || name == "urls"
        let mayBeNewsboat = options.format == .newsboat || options.format == nil && (format == nil || format == .text)
        if mayBeNewsboat,
            options.format == .newsboat || bytes.withBytes({ NewsboatList.isList($0, isListOfFeeds: isNamed) })
        {
            try self.init(newsboat: bytes.decoded(as: options.encoding, mayBeHTML: false), limit: options.recordLimit)
            return
        }
        guard bytes.withBytes({ XMLRoot($0)?.isList ?? false }) else { return nil }
        let text = try bytes.decoded(as: options.encoding, mayBeHTML: false)
        let xml = try XMLReader(text, limits: XMLLimits(element: options.recordLimit), vocabularies: [:])
        _ = try xml.next()
        try self.init(xml)
    }

    /// Returns the files that hold the feeds, with the feeds that the list has for them: by a relative path, or by the
    /// last part of an address if no other feed has the same. Such a file is in the folder of the list, or in the only
    /// folder in that which has one.
    ///
    /// - Parameter path: The path of the list.
    func files(beside path: String) -> [(path: String, feed: Feed)] {
        guard mayHaveFiles else { return [] }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let names = feeds.map { Self.name(of: $0.address) }
        var counts: [String: Int] = [:]
        for name in names { counts[name, default: 0] += 1 }
        var inner: [String]?
        return zip(names, feeds).compactMap { name, feed in
            guard counts[name] == 1, Self.staysInside(name) else { return nil }
            if FilePath(folder + name).isFile { return (folder + name, feed) }
            guard feed.isOnWeb else { return nil }
            let folders = inner ?? Self.folders(in: folder)
            inner = folders
            let found = folders.map { folder + $0 + "/" + name }.filter { FilePath($0).isFile }
            return found.count == 1 ? (found[0], feed) : nil
        }
    }

    /// The names of the folders in a folder that an import would look into.
    private static func folders(in folder: String) -> [String] {
        guard let open = try? OpenFolder(path: FilePath(folder.isEmpty ? "." : folder)), let names = try? open.names
        else {
            return []
        }
        let parent = FilePath(folder).name
        return names.compactMap { name in
            guard (try? open.entry(name)) == .folder else { return nil }
            let text = FilePath(name: name).text
            return IgnoredName.reason(for: text, isFolder: true, in: parent) == nil ? text : nil
        }
    }

    /// The error for feeds of the list that are neither files nor sources; nil if there are none.
    func error(missing: Int) -> RecordError? {
        guard missing > 0 || feeds.isEmpty && problems.isEmpty else { return nil }
        let count = feeds.count.quantity(of: "feed")
        let which =
            missing == feeds.count ? "" : ", \(missing) of which \(missing == 1 ? "has" : "have") no file beside it"
        return RecordError("a list of \(count)\(which); \(Self.advice)")
    }

    /// Says that feeds of the list become subscriptions.
    func notice(of count: Int) -> String {
        let text =
            mayHaveFiles
            ? count.quantity(
                of: "feed has no file beside the list, so it becomes a subscription",
                "feeds have no file beside the list, so they become subscriptions")
            : count.quantity(of: "feed becomes a subscription", "feeds become subscriptions")
        return text + "; to fetch: articlesctl fetch"
    }

    private static let advice =
        "put their files beside the list, or use addresses with http or https, which become subscriptions"

    private static func name(of address: String) -> String {
        guard address.contains("://") else { return FeedLink.unescaped(address[...]) }
        let path = address.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/")
        return parts.count > 2 ? FeedLink.unescaped(parts[parts.count - 1]) : ""
    }

    private static func staysInside(_ path: String) -> Bool {
        !path.isEmpty && !path.hasPrefix("/") && !path.utf8.contains(0)
            && !path.split(separator: "/").contains { $0 == ".." }
    }
}

extension ImportFormat {
    /// Detects the format of a file that a user brings from another feed reader: a list of feeds, or an export with
    /// articles. Nil if it is something else.
    package init?(ofFeedReader document: [UInt8]) {
        if XMLRoot(document)?.isList == true {
            self = .feed
        } else if document.withUnsafeBufferPointer({ ReaderExport.Format($0) }) != nil {
            self = .json
        } else if document.withUnsafeBufferPointer({ NewsboatList.isList($0, isListOfFeeds: true) }) {
            self = .newsboat
        } else {
            return nil
        }
    }
}

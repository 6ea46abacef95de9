import Text

/// A list of feeds (OPML 1.0 and 2.0), which holds no articles itself.
struct FeedList {
    /// The addresses of the feeds, in their order.
    private(set) var addresses: [String] = []

    /// Reads the rest of a document whose first tag was read.
    /// - Throws: as ``XMLReader/next()``.
    init(_ xml: XMLReader) throws {
        while let step = try xml.next() {
            guard case .start(let tag) = step, FeedVocabulary.key(tag.name) == "outline",
                let address = tag.attributes.first(where: { $0.name.lowercased() == "xmlurl" })?.value.trimmed,
                !address.isEmpty
            else { continue }
            addresses.append(String(address))
        }
    }

    /// Reads a document; nil where it is another one.
    /// - Throws: as ``XMLReader/next()``; nothing of another document is taken away.
    init?(_ bytes: ByteReader, options: ImportOptions) throws {
        if bytes.count == 0 { _ = try bytes.fill() }
        guard bytes.withBytes({ XMLRoot($0)?.isList ?? false }) else { return nil }
        let text = try bytes.decoded(as: options.encoding, mayBeHTML: false)
        let xml = try XMLReader(text, limits: XMLLimits(element: options.recordLimit), vocabularies: [:])
        _ = try xml.next()
        try self.init(xml)
    }

    /// The files that may hold the feeds, in the folder of the list and below: by a relative path, or by the last part of an
    /// address where no other feed has the same; with the addresses that the list has for them.
    ///
    /// - Parameter path: that of the list.
    func files(beside path: String) -> [(path: String, address: String)] {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let names = addresses.map { Self.name(of: $0) }
        var counts: [String: Int] = [:]
        for name in names { counts[name, default: 0] += 1 }
        return zip(names, addresses).filter { counts[$0.0] == 1 && Self.staysInside($0.0) }.map {
            (folder + $0.0, $0.1)
        }
    }

    /// What is said of a list of which some feeds are not there; nil where all are.
    func error(found: Int) -> RecordError? {
        let missing = addresses.count - found
        guard missing > 0 || addresses.isEmpty else { return nil }
        let count = addresses.count == 1 ? "1 feed" : "\(addresses.count) feeds"
        let which = found == 0 ? "" : ", \(missing) of which \(missing == 1 ? "is" : "are") not beside it"
        return RecordError(
            "a list of \(count)\(which); nothing is fetched: download them, and seed the files or put them beside it")
    }

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

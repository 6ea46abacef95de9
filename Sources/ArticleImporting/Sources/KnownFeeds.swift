package import ArticleStore
internal import Text

/// The sources of a library, for finding the source of a feed and an unused name. It takes the same time with thousands of
/// sources.
package struct KnownFeeds {
    private var sources: [Source] = []
    private var places: [ExactText: Int] = [:]
    private var formerPlaces: [ExactText: Int] = [:]
    private var names: Set<String> = []
    /// The number from which to look for an unused one, by the folded name.
    private var numbers: [String: Int] = [:]

    /// Creates an index of all sources of a library.
    package init(_ sources: [Source]) {
        for source in sources { add(source) }
    }

    /// The number of sources.
    var count: Int { sources.count }

    /// Returns the first source that is the feed at one of these web addresses, else the first one that was before a
    /// permanent redirect.
    func source(at addresses: [String]) -> Source? { place(of: addresses).map { sources[$0] } }

    private func place(of addresses: [String]) -> Int? {
        let addresses = addresses.map { ExactText($0) }
        return addresses.compactMap { places[$0] }.min() ?? addresses.compactMap { formerPlaces[$0] }.min()
    }

    /// Adds a source.
    mutating func add(_ source: Source) {
        let place = sources.count
        sources.append(source)
        names.insert(FoldedKey.fold(source.name))
        let feedURL = source.facts.feedURL.map { ExactText($0) }
        for address in [feedURL, source.kind == .feed ? source.facts.location : nil].compactMap(\.self)
        where places[address] == nil { places[address] = place }
        for address in source.facts.formerAddresses.map({ ExactText($0) }) where formerPlaces[address] == nil {
            formerPlaces[address] = place
        }
    }

    /// Changes the tags of the source that ``source(at:)`` returns.
    mutating func setTags(ofSourceAt addresses: [String], to source: Source) {
        if let place = place(of: addresses) { sources[place].facts.tags = source.facts.tags }
    }

    /// Returns a name or, if it is taken, the name with a number.
    mutating func unusedName(_ name: String) -> String {
        let key = FoldedKey.fold(name)
        guard names.contains(key) else { return name }
        var number = numbers[key] ?? 2
        while names.contains(FoldedKey.fold("\(name) \(number)")) { number += 1 }
        numbers[key] = number + 1
        return "\(name) \(number)"
    }
}

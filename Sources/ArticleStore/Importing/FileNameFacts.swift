import Text

/// What the name of a file says of the article in it: `2015-12-03-swift-linux-port.md` has a date and a slug.
struct FileNameFacts {
    /// The date, where the name begins with one that exists.
    let date: String?
    /// The rest of the name without its ending; for a file called index, the name of its folder.
    let name: String?

    static let none = FileNameFacts(date: nil, name: nil)

    private init(date: String?, name: String?) {
        self.date = date
        self.name = name
    }

    init(path: String) {
        let parts = path.split(separator: "/")
        var name = parts.last ?? ""
        if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = name[..<dot] }
        if ["index", "_index", "readme"].contains(name.lowercased()), parts.count > 1 { name = parts[parts.count - 2] }
        let date = name.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 3, omittingEmptySubsequences: false)
        if date.count == 4, date[0].count == 4, !date[3].isEmpty {
            let text = String(name[..<date[2].endIndex])
            if (try? DateParser.date(from: text)) != nil {
                self.init(date: text, name: String(name[date[3].startIndex...]))
                return
            }
        }
        self.init(date: nil, name: name.isEmpty ? nil : String(name))
    }

    /// The name as a title: `swift-linux-port` as "Swift linux port".
    var title: String? {
        guard let name else { return nil }
        let words = String(name.map { $0 == "-" || $0 == "_" ? " " : $0 })
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}

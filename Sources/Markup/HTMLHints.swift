/// The meaning of the names that an element has: its class and its ID. Sites name the parts of their pages similarly.
struct HTMLHints: OptionSet {
    let rawValue: UInt16

    /// The names are those of a part around the main text, such as a menu or comments.
    static let unlikely = HTMLHints(rawValue: 1)
    /// The names may be those of the main text.
    static let maybe = HTMLHints(rawValue: 2)
    /// The class is that of text.
    static let goodClass = HTMLHints(rawValue: 4)
    /// The class is that of a part around the text.
    static let badClass = HTMLHints(rawValue: 8)
    /// The ID is that of text.
    static let goodID = HTMLHints(rawValue: 16)
    /// The ID is that of a part around the text.
    static let badID = HTMLHints(rawValue: 32)
    /// The names are those of the author's name.
    static let author = HTMLHints(rawValue: 64)
    /// The names are those of buttons to share the page.
    static let share = HTMLHints(rawValue: 128)

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(class names: String, id: String) {
        self = []
        guard !names.isEmpty || !id.isEmpty else { return }
        // Longer names are not written by hand.
        let names = String(names.prefix(1_000)).lowercased()
        let id = String(id.prefix(1_000)).lowercased()
        let all = Array((names + " " + id).utf8)
        if Self.unlikelyWords.occur(in: all) { insert(.unlikely) }
        if Self.possibleWords.occur(in: all) { insert(.maybe) }
        if Self.authorWords.occur(in: all) { insert(.author) }
        if Self.isShare(all) { insert(.share) }
        for (text, good, bad) in [(names, HTMLHints.goodClass, HTMLHints.badClass), (id, .goodID, .badID)] {
            let bytes = Array(text.utf8)
            if Self.goodWords.occur(in: bytes) { insert(good) }
            if Self.badWords.occur(in: bytes) || text.split(separator: " ").contains("hid") { insert(bad) }
        }
    }

    /// The points that the names are worth.
    var weight: Double {
        var weight = 0.0
        for (hint, points) in [(HTMLHints.goodClass, 25.0), (.badClass, -25), (.goodID, 25), (.badID, -25)]
        where contains(hint) {
            weight += points
        }
        return weight
    }

    /// The words are those of Mozilla's Readability.
    private static let unlikelyWords = Words(
        "-ad-|ai2html|banner|breadcrumbs|combx|comment|community|cover-wrap|disqus|extra|footer|gdpr|header|legends|menu|"
            + "related|remark|replies|rss|shoutbox|sidebar|skyscraper|social|sponsor|supplemental|ad-break|agegate|"
            + "pagination|pager|popup|yom-remote")
    private static let possibleWords = Words("and|article|body|column|content|main|mathjax|shadow")
    private static let goodWords = Words(
        "article|body|content|entry|hentry|h-entry|main|page|pagination|post|text|blog|story")
    private static let badWords = Words(
        "-ad-|hidden|banner|combx|comment|com-|contact|footer|gdpr|masthead|media|meta|outbrain|promo|related|scroll|share|"
            + "shoutbox|sidebar|skyscraper|sponsor|shopping|tags|widget")
    private static let authorWords = Words("byline|author|dateline|writtenby|p-author")

    /// Whether “share” or “sharedaddy” is a word of a name.
    private static func isShare(_ bytes: [UInt8]) -> Bool {
        func isBoundary(_ index: Int) -> Bool { !bytes.indices.contains(index) || !bytes[index].isASCIILetterOrDigit }
        return bytes.indices.contains { index in
            guard bytes[index] == UInt8(ascii: "s"), isBoundary(index - 1), bytes[index...].starts(with: "share".utf8)
            else { return false }
            return isBoundary(index + 5)
                || bytes[index...].starts(with: "sharedaddy".utf8) && isBoundary(index + 10)
        }
    }

    /// Words to find anywhere in a text, ordered by their first bytes.
    private struct Words {
        private var words = [[[UInt8]]](repeating: [], count: 128)

        init(_ text: String) {
            for word in text.split(separator: "|").map({ Array($0.utf8) }) { words[Int(word[0])].append(word) }
        }

        func occur(in bytes: [UInt8]) -> Bool {
            bytes.indices.contains { index in
                bytes[index] < 128 && words[Int(bytes[index])].contains { bytes[index...].starts(with: $0) }
            }
        }
    }
}

import ArticleStore
import Text

/// The list of feeds of newsboat, its file `urls`. A line has the address of a feed and then its tags, separated by blanks
/// or in quotation marks. A tag that begins with `~` is the name of the feed, and one with `!` hides the feed there.
enum NewsboatList {
    /// A line with a feed.
    struct Line {
        var address: String
        var title: String?
        var tags: [String] = []

        /// Reads a line; nil if it is blank or a comment.
        init?(_ line: Substring) {
            var words = NewsboatList.words(of: line)
            guard !words.isEmpty else { return nil }
            address = words.removeFirst()
            title = words.first { $0.hasPrefix("~") }.map { String($0.dropFirst()) }
            tags = words.filter { !$0.hasPrefix("~") && !$0.hasPrefix("!") }
        }

        /// The reason why the line is not a feed that can be fetched; nil if it is one.
        var problem: String? {
            if address.hasPrefix("query:") {
                return "a query of newsboat is not supported: search in the library instead"
            }
            for (prefix, what) in [("exec:", "a program"), ("filter:", "a filter")] where address.hasPrefix(prefix) {
                return "\(what) that makes a feed is not supported: subscribe to the address of a feed"
            }
            return WebAddress.valid(address) == nil ? "not a web address, in a list of feeds of newsboat" : nil
        }
    }

    /// Whether a text is a list of feeds, judged by its beginning.
    ///
    /// A list of links can look the same: both have addresses, and words can be tags or a description. So this asks for
    /// something that only newsboat writes, unless the text is known to be a list of feeds.
    ///
    /// - Parameter isListOfFeeds: whether a text of addresses must be a list of feeds, such as by its name.
    static func isList(_ start: UnsafeBufferPointer<UInt8>, isListOfFeeds: Bool) -> Bool {
        let lines = start.split(separator: 0x0A)
        // The last line may be incomplete.
        let whole = lines.count > 1 && start.last != 0x0A ? lines.dropLast() : lines[...]
        var (hasFeed, hasMark) = (false, isListOfFeeds)
        for line in whole {
            guard let text = String(validating: line, as: UTF8.self) else { return false }
            guard let feed = Line(text[...]) else { continue }
            let isSpecial = ["query:", "exec:", "filter:"].contains { feed.address.hasPrefix($0) }
            let isOnWeb = WebAddress.valid(feed.address) != nil
            guard isSpecial || isOnWeb || isListOfFeeds && feed.address.contains("://") else { return false }
            hasFeed = hasFeed || isSpecial || isOnWeb
            let marks = text.drop { $0 != " " && $0 != "\t" }
            hasMark =
                hasMark || isSpecial
                || ["\"", "~", "!"].contains { marks.contains(" \($0)") || marks.contains("\t\($0)") }
        }
        return hasFeed && hasMark
    }

    /// Splits a line into its words, as newsboat does. `#` before a word begins a comment.
    private static func words(of line: Substring) -> [String] {
        var words: [String] = []
        var rest = line
        while true {
            rest = rest.drop { $0.isASCII && $0.isWhitespace }
            guard let first = rest.first, first != "#" else { return words }
            if first == "\"" {
                rest = rest.dropFirst()
                words.append(quotedWord(&rest))
            } else {
                let word = rest.prefix { !($0.isASCII && $0.isWhitespace) }
                words.append(String(word))
                rest = rest[word.endIndex...]
            }
        }
    }

    /// Removes and returns the text up to a quotation mark. A backslash escapes the next character.
    private static func quotedWord(_ rest: inout Substring) -> String {
        var word = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return word
            case "\\":
                guard let escaped = rest.popFirst() else { return word }
                let breaks: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t"]
                word.append(breaks[escaped] ?? escaped)
            default: word.append(character)
            }
        }
        return word
    }
}

extension FeedList {
    /// Reads the list of feeds of newsboat.
    ///
    /// - Throws: the errors of reading.
    init(newsboat bytes: ByteReader, limit: Int) throws {
        self.init()
        mayHaveFiles = false
        var lines = try LineSplitter(bytes, limit: limit)
        while true {
            do {
                let line = try lines.next { bytes, number throws(RecordError) -> (NewsboatList.Line, Int)? in
                    guard let text = String(validating: bytes, as: UTF8.self) else {
                        throw RecordError(line: number, "bytes that are not valid UTF-8")
                    }
                    guard let feed = NewsboatList.Line(text[...]) else { return nil }
                    if let problem = feed.problem { throw RecordError(line: number, problem) }
                    return (feed, number)
                }
                guard let line else { return }
                guard let (feed, number) = line else { continue }
                let tags = feed.tags.compactMap(Self.tag)
                add(Feed(address: feed.address, title: feed.title, home: nil, tags: tags), line: number)
            } catch let error as RecordError {
                problems.append(error)
            }
        }
    }
}

public import Text

/// A setting of a list of articles: a filter, the order, or the page.
///
/// This is the only table of list settings. The parameters of a path, the options of a command, and the words of a
/// title are made from it. It is a class because the path of every list reads all of them, and copying one is slower.
public final class ArticleListSetting: Sendable {
    /// Reads the value from a query. It is a closure because key paths are slow: the path of every page reads every
    /// setting.
    public typealias Get<Part> = @Sendable (ArticleQuery) -> Part
    /// Writes the value into a query.
    public typealias Set<Part> = @Sendable (inout ArticleQuery, Part) -> Void

    /// The access to the value, which also determines its type.
    public enum Value: Sendable {
        /// Any text.
        case text(Get<String?>, Set<String?>)
        /// A time. A path contains it in seconds since 1970.
        case date(Get<Date?>, Set<Date?>)
        /// A flag. A path contains “yes”.
        case flag(Get<Bool>, Set<Bool>)
        /// The order.
        case sort
        /// The maximum number of articles.
        case limit
        /// The start of the page.
        case cursor
    }

    /// The name as a parameter of a path and as an option of a command.
    public let name: String
    /// The access to the value.
    public let value: Value
    /// The type of the value in a word.
    public let noun: String
    /// The effect, in words for the user.
    public let summary: String
    /// The words for the value in the title of a list, if it is a text or a date; nil if it does not appear there.
    private let words: (@Sendable (String) -> String)?

    private init(
        _ name: String, _ value: Value, _ noun: String, _ summary: String,
        words: (@Sendable (String) -> String)? = nil
    ) {
        self.name = name
        self.value = value
        self.noun = noun
        self.summary = summary
        self.words = words
    }

    /// All settings, in the order in which they are written.
    public static let all: [ArticleListSetting] = [
        .init(
            "search", .text({ $0.text }, { $0.text = $1 }), "text",
            "only articles with all these words; see “help search” for the syntax"
        ) { "matching " + (SearchQuery($0)?.description ?? $0) },
        .init(
            "source", .text({ $0.source }, { $0.source = $1 }), "name",
            "only articles of this source; “sources” lists them"
        ) { "from \($0)" },
        .init(
            "source-tag", .text({ $0.sourceTag }, { $0.sourceTag = $1 }), "tag",
            "only articles of sources with this tag; “sources tag” adds tags"
        ) { "from sources tagged \($0)" },
        .init(
            "author", .text({ $0.author }, { $0.author = $1 }), "name",
            "only articles by this author, given as the full name"
        ) { "by \($0)" },
        .init(
            "tag", .text({ $0.anyTag }, { $0.anyTag = $1 }), "tag",
            "only articles with this tag, or, with mine:TAG, your tag"
        ) { "tagged \($0)" },
        .init("language", .text({ $0.language }, { $0.language = $1 }), "code", "only articles in this language") {
            "in \($0)"
        },
        .init("since", .date({ $0.since }, { $0.since = $1 }), "date", "only articles published at this date or later")
        { "since \($0)" },
        .init("until", .date({ $0.until }, { $0.until = $1 }), "date", "only articles published before this date") {
            "until \($0)"
        },
        .init(
            "unread", .flag({ $0.marks.isRead == false }, { $0.marks.isRead = $1 ? false : nil }), "",
            "only articles that you have not read"
        ) { _ in "unread" },
        .init(
            "read", .flag({ $0.marks.isRead == true }, { $0.marks.isRead = $1 ? true : nil }), "",
            "only articles that you have read"
        ) {
            _ in "read"
        },
        .init(
            "starred", .flag({ $0.marks.isStarred == true }, { $0.marks.isStarred = $1 ? true : nil }), "",
            "only articles that you have starred"
        ) { _ in "starred" },
        .init(
            "later", .flag({ $0.marks.isReadLater == true }, { $0.marks.isReadLater = $1 ? true : nil }), "",
            "only articles that you have saved for later"
        ) { _ in "for later"
        },
        .init(
            "noted", .flag({ $0.marks.isNoted == true }, { $0.marks.isNoted = $1 ? true : nil }), "",
            "only articles with a note of yours"
        ) { _ in "with a note"
        },
        .init(
            "hidden", .flag({ $0.marks.isHidden == true }, { $0.marks.isHidden = $1 ? true : nil }), "",
            "only articles that are hidden from your lists"
        ) { _ in "hidden"
        },
        .init("sort", .sort, "order", "the sort order"),
        .init("limit", .limit, "number", "the maximum number of articles"),
        .init("cursor", .cursor, "cursor", "the position of the page"),
    ]

    /// The possible values, if there is a fixed set.
    public var choices: [String]? {
        switch value {
        case .sort: ArticleQuery.Sort.allCases.map(\.rawValue)
        case .text, .date, .flag, .limit, .cursor: nil
        }
    }

    /// The default value; nil if the list is not filtered by default.
    public var defaultValue: String? {
        switch value {
        case .sort: ArticleList.wholeLibrary.query.sort.rawValue
        case .limit: String(ArticleList.wholeLibrary.limit)
        case .text, .date, .flag, .cursor: nil
        }
    }
}

extension ArticleListSetting {
    /// The value of the parameter in a path; nil if it has the default value.
    func parameter(of list: ArticleList) -> String? {
        switch value {
        case .text(let get, _): get(list.query)
        case .date(let get, _): get(list.query).map { String(Int64($0.timeIntervalSince1970)) }
        case .flag(let get, _): get(list.query) ? "yes" : nil
        case .sort: list.query.sort == ArticleList.wholeLibrary.query.sort ? nil : list.query.sort.rawValue
        case .limit: list.limit == ArticleList.wholeLibrary.limit ? nil : String(list.limit)
        case .cursor: list.cursor?.description
        }
    }

    /// Sets the value from a text.
    ///
    /// - Throws: ``InvalidValue`` if the text is not a value of the setting; ``Contradiction`` if no article meets it and
    ///   another flag of the list; ``CursorError``; the errors of the notation.
    package func set(_ text: String, in list: inout ArticleList, as notation: Notation) throws {
        switch value {
        case .text(_, let set):
            set(&list.query, text)
        case .date(_, let set):
            set(&list.query, try notation.date(text).orThrow())
        case .flag(_, let set):
            guard text == notation.flag || notation.otherFlags.contains(text) else { throw InvalidValue() }
            let flags = Self.all.filter { $0.isFlag(of: list.query) }
            set(&list.query, true)
            // “read” and “unread” set the same value, so one of them would silently replace the other.
            if let other = flags.first(where: { !$0.isFlag(of: list.query) }) {
                throw Contradiction(first: name, second: other.name)
            }
        case .sort:
            list.query.sort = try ArticleQuery.Sort(rawValue: text).orThrow()
        case .limit:
            let limit = try Int(text).orThrow()
            guard ArticleList.limits.contains(limit) else { throw InvalidValue() }
            list.limit = limit
        case .cursor:
            list.cursor = try Cursor(text)
        }
    }

    /// Whether the setting is a flag that the query has.
    private func isFlag(of query: ArticleQuery) -> Bool {
        if case .flag(let get, _) = value { get(query) } else { false }
    }

    /// The error for a text that is not a value of a setting.
    package struct InvalidValue: Error {}

    /// The error for two flags that exclude each other.
    package struct Contradiction: Error {
        /// The names of the flags.
        package let first, second: String
    }

    /// The way in which a front writes the values of settings.
    package struct Notation {
        /// The text of a flag that is set. A flag that is not set is omitted.
        let flag: String
        /// Other texts that are accepted for a flag.
        let otherFlags: [String]
        /// Reads a date; nil if the text is not one.
        let date: (String) throws -> Date?

        /// Creates a notation.
        package init(flag: String, otherFlags: [String] = [], date: @escaping (String) throws -> Date?) {
            (self.flag, self.otherFlags, self.date) = (flag, otherFlags, date)
        }

        /// The notation of a path: “yes”, for which “1” and “true” are accepted, and seconds since 1970.
        package static var path: Notation {
            Notation(flag: "yes", otherFlags: ["1", "true"]) { text in
                // Years 1 to 9999, the range in which dates can be stored and printed.
                guard let seconds = Int64(text), (-62_135_596_800...253_402_300_799).contains(seconds) else {
                    return nil
                }
                return Date(timeIntervalSince1970: Double(seconds))
            }
        }
    }

    /// The words for the value in the title of a list; nil if it does not appear there.
    fileprivate func words(for query: ArticleQuery) -> String? {
        switch value {
        case .text(let get, _): get(query).flatMap { words?($0) }
        case .date(let get, _): get(query).flatMap { words?(String(RFC3339.string(from: $0).prefix(10))) }
        case .flag(let get, _): get(query) ? words?("") : nil
        case .sort: query.sort == ArticleQuery().sort ? nil : query.sort.label.lowercased()
        case .limit, .cursor: nil
        }
    }
}

extension ArticleQuery {
    /// The filters and the order of the list, such as `matching “list”, by Ada, oldest first`; empty for the whole
    /// library, newest first.
    package var words: String { ArticleListSetting.all.compactMap { $0.words(for: self) }.joined(separator: ", ") }
}

extension ArticleQuery {
    /// The prefix that distinguishes a user's own tag from a tag of the articles.
    private static let own = "mine:"

    /// A tag of the articles, or with the prefix `mine:` one of the user's own tags.
    fileprivate var anyTag: String? {
        get { marks.tag.map { Self.own + $0 } ?? tag }
        set {
            let isOwn = newValue?.hasPrefix(Self.own) == true
            tag = isOwn ? nil : newValue
            marks.tag = isOwn ? newValue.map { String($0.dropFirst(Self.own.count)) } : nil
        }
    }
}

extension Optional {
    fileprivate func orThrow() throws(ArticleListSetting.InvalidValue) -> Wrapped {
        guard let self else { throw ArticleListSetting.InvalidValue() }
        return self
    }
}

extension ArticleQuery.Sort {
    /// The label of the order.
    package var label: String {
        switch self {
        case .newest: "Newest first"
        case .oldest: "Oldest first"
        case .title: "By title"
        case .relevance: "Best first"
        }
    }
}

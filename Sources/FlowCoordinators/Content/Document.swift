public import ArticleStore
public import Text

/// A text to read, with facts about it.
public struct Document: Hashable, Sendable {
    /// A fact about the text, such as who wrote it.
    public struct Fact: Sendable, Hashable {
        /// The subject of the fact.
        public let label: String
        /// The values, each of which may lead to a list.
        public let parts: [Part]
        /// Whether the fact belongs to the line below the title, where its value is enough without the label.
        public var isBrief = false
        /// All values in one text, separated by commas.
        public var value: String { parts.map(\.text).joined(separator: ", ") }

        /// A value of a fact.
        public struct Part: Sendable, Hashable {
            /// The text.
            public let text: String
            /// The list of all articles that share this value, which `AppEvent.open` opens; nil if the value is
            /// not a link to a list.
            public let list: ArticleQuery?
            /// The web address that the value links to; nil if it does not link to a web page.
            public let address: String?
            /// The time that the text states, for a front that writes times in its own way; nil if it states none.
            public private(set) var time: Time?

            /// A time in a text.
            public struct Time: Sendable, Hashable {
                /// The time.
                public let date: Date
                /// The minutes by which the clock of the time is ahead of UTC.
                public let offset: Int
                /// The words before the time.
                public let before: String
                /// The words after the time.
                public let after: String
            }

            /// Creates a part of a fact.
            public init(_ text: String, list: ArticleQuery? = nil, address: String? = nil) {
                self.text = text
                self.list = list
                self.address = address
            }

            /// Returns a part with a day.
            static func day(_ date: Date, offset: Int = 0, before: String = "", after: String = "") -> Part {
                Part(
                    before + RFC3339.day(of: date, offset: offset) + after,
                    Time(date: date, offset: offset, before: before, after: after))
            }

            /// Returns a part with a time to the minute.
            static func minute(_ date: Date, before: String = "", after: String = "") -> Part {
                Part(before + date.minute + after, Time(date: date, offset: 0, before: before, after: after))
            }

            private init(_ text: String, _ time: Time) {
                self.init(text)
                self.time = time
            }
        }

        /// Creates a fact with one value that is not a link.
        public init(_ label: String, _ value: String) { self.init(label, [Part(value)]) }

        /// Creates a fact with several values.
        public init(_ label: String, _ parts: [Part]) {
            self.label = label
            self.parts = parts
        }
    }

    /// A text for the user to copy, such as a secret that is shown only once. It is also among the facts.
    public struct Copy: Sendable, Hashable {
        /// The label of the copy action.
        public let label: String
        /// The text. For a page of the server it is a path, and the front puts the server's address before it.
        public let text: String

        /// Creates a text to copy.
        public init(_ label: String, _ text: String) {
            self.label = label
            self.text = text
        }
    }

    /// The facts about the text.
    public let facts: [Fact]
    /// The text.
    public let body: String
    /// The format of the text.
    public let format: Article.Format
    /// The base address for relative links in the text; nil if it is unknown.
    public let base: String?
    /// The web address of the text itself; nil if it is unknown.
    public let address: String?
    /// The number of the article that has the text; nil if it is not the text of an article.
    public let article: Article.ID?
    /// The language of the text as a BCP 47 tag; nil if it is unknown.
    public let language: String?
    /// The texts to copy before the user leaves the screen for good.
    public let copies: [Copy]

    /// Creates a document.
    public init(
        facts: [Fact], body: String = "", format: Article.Format = .plain, base: String? = nil,
        address: String? = nil, article: Article.ID? = nil, language: String? = nil, copies: [Copy] = []
    ) {
        self.copies = copies
        self.language = language
        self.base = base
        self.address = address
        self.article = article
        self.facts = facts
        self.body = body
        self.format = format
    }
}

extension Article {
    /// The publication day in the time zone of the author, such as `2015-12-03`.
    var publishedDay: String { RFC3339.day(of: published, offset: publishedOffset) }
}

extension Date {
    /// The day in UTC, such as `2015-12-03`.
    var day: String { String(RFC3339.string(from: self).prefix(10)) }

    /// The minute in UTC, such as `2015-12-03 09:05Z`.
    package var minute: String { day + " " + RFC3339.string(from: self).dropFirst(11).prefix(5) + "Z" }
}

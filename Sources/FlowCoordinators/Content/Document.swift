public import ArticleStore

/// Text to read.
public struct Document: Hashable, Sendable {
    /// A fact about the text, such as who wrote it.
    public struct Fact: Sendable, Hashable {
        /// The subject of the fact.
        public let label: String
        /// The values, each of which may lead to a list.
        public let parts: [Part]
        /// The fact.
        public var value: String { parts.map(\.text).joined(separator: ", ") }

        /// A value of a fact.
        public struct Part: Sendable, Hashable {
            /// The text.
            public let text: String
            /// The list of all that have this in common, which `AppEvent.listChosen` leads to; nil for none.
            public let list: ArticleQuery?
            /// The address on the web that it leads to; nil if it leads to none.
            public let address: String?

            /// A part of a fact.
            public init(_ text: String, list: ArticleQuery? = nil, address: String? = nil) {
                self.text = text
                self.list = list
                self.address = address
            }
        }

        /// A fact that leads nowhere.
        public init(_ label: String, _ value: String) { self.init(label, [Part(value)]) }

        /// A fact of several parts.
        public init(_ label: String, _ parts: [Part]) {
            self.label = label
            self.parts = parts
        }
    }

    /// Something to take along, such as a secret that is shown once. It is among the facts, too.
    public struct Copy: Sendable, Hashable {
        /// The label of the copy action.
        public let label: String
        /// The text; a path for an address of the server, whose name a front that knows it puts before.
        public let text: String

        /// Something to take along.
        public init(_ label: String, _ text: String) {
            self.label = label
            self.text = text
        }
    }

    /// The facts about the text.
    public let facts: [Fact]
    /// The text.
    public let body: String
    /// How the text is to be read.
    public let format: Article.Format
    /// The address that links in the text are relative to; nil where it is not known.
    public let base: String?
    /// The web address of the text itself; nil if it is unknown.
    public let address: String?
    /// The language of the text as a BCP 47 tag; nil where it is not known.
    public let language: String?
    /// The texts to copy before the screen is left for good.
    public let copies: [Copy]

    /// A document.
    public init(
        facts: [Fact], body: String = "", format: Article.Format = .plain, base: String? = nil,
        address: String? = nil, language: String? = nil, copies: [Copy] = []
    ) {
        self.copies = copies
        self.language = language
        self.base = base
        self.address = address
        self.facts = facts
        self.body = body
        self.format = format
    }
}

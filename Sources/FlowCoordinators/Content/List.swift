public import ArticleStore
internal import Navigation
public import Text

/// Rows of values in columns.
public struct List: Sendable {
    /// A column.
    public struct Column: Sendable, Hashable {
        /// The meaning of a column. A front uses it to decide where to show the column.
        public enum Role: Hashable, Sendable {
            /// Identifies the row to a program: a number or an ID.
            case identity
            /// Another name of the row, for a path or a file name.
            case alias
            /// The text by which a person recognizes the row, such as a title.
            case primary
            /// Further information about the row.
            case fact
            /// Information that a narrow screen may omit.
            case detail
            /// The origin of the row, such as its source. A narrow screen may omit it.
            case origin
            /// Words under which the row is filed, such as tags. There may be several.
            case labels
            /// A computed value that helps a person choose, such as the reading time.
            case estimate
            /// The user's marks. Programs read the marks from the model instead.
            case mark
        }

        /// A property whose words lead to lists: each word to the list of all articles that have it.
        public enum Link: String, Hashable, Sendable {
            /// The author.
            case author
            /// The tag.
            case tag

            /// Returns the path of the list of all articles that have the word.
            public func path(of word: String) -> String { pathStart + RoutePath.encoded(word) }

            /// The part of that path before the word. A page has hundreds of these paths, so they are made without an
            /// `AppRoute`.
            package var pathStart: String {
                switch self {
                case .author: "/articles?author="
                case .tag: "/articles?tag="
                }
            }
        }

        /// The title.
        public let title: String
        /// The meaning of the column.
        public let role: Role
        /// The sort orders that use this column, the usual one first.
        public let orders: [ArticleQuery.Sort]
        /// The filter that words of this column link to (author or tag); nil if they are not links.
        public let link: Link?

        /// Creates a column.
        public init(_ title: String, _ role: Role = .fact, orders: [ArticleQuery.Sort] = [], link: Link? = nil) {
            self.link = link
            self.title = title
            self.role = role
            self.orders = orders
        }
    }

    /// A value in a row. A front decides how to show it.
    public enum Cell: Hashable, Sendable {
        /// A text. It is empty without a value.
        case text(String)
        /// A number.
        case number(Int)
        /// A number of minutes.
        case minutes(Int)
        /// A day in the time zone that is this number of minutes ahead of UTC.
        case day(Date, offset: Int = 0)
        /// A point in time, to the minute.
        case time(Date)
        /// A state, and the day on which it began.
        case state(String, since: Date)
        /// Words that link to lists, as `Column.link` says.
        case links([String])
        /// The user's marks.
        case marks(Marks)

        /// The value as text, for a front without another way to show it: `2015-12-03`, `5 min`, `•★`.
        public var text: String {
            switch self {
            case .text(let text): text
            case .number(let number): String(number)
            case .minutes(let minutes): "\(minutes) min"
            case .day(let date, let offset): RFC3339.day(of: date, offset: offset)
            case .time(let date): date.minute
            case .state(let state, let date): "\(state) \(date.day)"
            case .links(let words): words.joined(separator: ", ")
            case .marks(let marks): marks.symbols
            }
        }
    }

    /// The marks of a user on a row.
    public struct Marks: OptionSet, Hashable, Sendable {
        /// The user has not read it.
        public static let unread = Marks(rawValue: 1)
        /// The user has starred it.
        public static let starred = Marks(rawValue: 2)
        /// The user wants to read it later.
        public static let later = Marks(rawValue: 4)
        /// The user has written a note on it.
        public static let noted = Marks(rawValue: 8)

        /// All marks in the order in which they are shown, with their symbols and meanings.
        public static let all: [(mark: Marks, symbol: Character, meaning: String)] = [
            (.unread, "•", "unread"), (.starred, "★", "starred"), (.later, "◷", "for later"),
            (.noted, "✎", "with a note"),
        ]

        /// The bits of the marks.
        public let rawValue: UInt8

        /// Creates marks from their bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The symbols of the marks. The place of a mark before the last is blank without it.
        public var symbols: String { Self.texts[Int(rawValue & 15)] }

        /// The symbols of each combination, computed once because every row of a list needs them.
        private static let texts = (UInt8(0)..<16).map { bits in
            all.map { mark, symbol, _ in
                Marks(rawValue: bits).contains(mark) ? String(symbol) : mark == .noted ? "" : " "
            }.joined()
        }
    }

    /// A row.
    public struct Row: Sendable {
        /// Identifies the row, even if rows are added or removed; nil if rows cannot be told apart.
        public let id: String?
        /// The values, one for each column.
        public let cells: [Cell]
        /// The event that the screen reports when the row is chosen; nil if it cannot be chosen.
        public let event: AppEvent?
        /// The path of an image that helps a person recognize the row; nil without one.
        public var icon: String?
        /// The heading of the rows to which the row belongs; nil for rows without a heading. Rows with the same heading
        /// follow each other.
        public var section: String?
        /// The question to ask the user before the event is reported; nil if the event can be undone.
        public let confirmation: String?
        /// A line about the row with highlighted parts, such as the passage that a search found; nil if there is none.
        public let excerpt: MarkedText?
        /// A line about the row, such as the summary of an article; nil if there is none.
        public let summary: String?
        /// The other actions on the row, apart from choosing it.
        public let actions: [Action]

        /// Creates a row.
        public init(
            _ cells: [Cell], event: AppEvent? = nil, confirmation: String? = nil, id: String? = nil,
            excerpt: MarkedText? = nil, summary: String? = nil, actions: [Action] = []
        ) {
            self.excerpt = excerpt
            self.summary = summary
            self.actions = actions
            self.id = id
            self.cells = cells
            self.event = event
            self.confirmation = confirmation
        }
    }

    /// A property of the list with its values, of which at most one is selected: the order, or the shown marks.
    public struct Setting: Sendable {
        /// A value of a setting.
        public struct Option: Sendable {
            /// The action that selects the value.
            public let action: Action
            /// Whether the list has this value now.
            public let isSelected: Bool
        }

        /// The title.
        public let title: String
        /// The values.
        public let options: [Option]
    }

    /// A way to load rows beyond one end of the loaded rows.
    ///
    /// Loading adds rows at that end. When the list has reached its maximum size, rows at the other end are removed. A
    /// front finds its current row again by `Row.id`.
    public struct Beyond: Sendable {
        /// The event that the screen reports to load some more rows.
        public let some: AppEvent
        /// The event that the screen reports to load the rows at the very end.
        public let last: AppEvent
        /// The place with these rows, for a front that shows one page at a time; nil if the place is unknown until the
        /// library is asked.
        public let place: AppRoute?

        /// Creates a way to load rows beyond an end.
        public init(some: AppEvent, last: AppEvent, place: AppRoute? = nil) {
            self.some = some
            self.last = last
            self.place = place
        }
    }

    /// The columns.
    public let columns: [Column]
    /// The rows.
    public let rows: [Row]
    /// The text to show in an empty list.
    public let placeholder: String
    /// The number of rows of the whole list; nil if they were not counted.
    public let total: Int?
    /// The number of rows of the whole list before the loaded ones; nil if they were not counted.
    public let offset: Int?
    /// The effect of choosing a row, in a few words; nil if rows cannot be chosen.
    public let choice: String?
    /// The way to load rows before the first; nil if there are none.
    public let earlier: Beyond?
    /// The way to load rows after the last; nil if there are none.
    public let more: Beyond?
    /// The search text, empty without a search; nil if the list cannot be searched. `AppEvent.searched` changes
    /// it.
    public let search: String?
    /// The ID of the row that was viewed last, even if it was not opened from this list; nil if there is none.
    public let current: String?
    /// The settings of the list. Those values that are not selected are also among the actions of the screen.
    public var settings: [Setting] = []
    /// An action that an empty list offers below the placeholder, such as showing all articles; nil if there is none.
    public var emptyAction: Action?

    /// Creates a list.
    public init(
        columns: [Column], rows: [Row], placeholder: String, total: Int? = nil, offset: Int? = nil,
        choice: String? = nil, earlier: Beyond? = nil, more: Beyond? = nil, search: String? = nil,
        current: String? = nil
    ) {
        self.columns = columns
        self.rows = rows
        self.placeholder = placeholder
        self.total = total
        self.offset = offset
        self.choice = choice
        self.earlier = earlier
        self.more = more
        self.search = search
        self.current = current
    }
}

/// A column of a list, with a function that returns its value for an item.
struct ListColumn<Item>: Sendable {
    let column: List.Column
    let cell: @Sendable (Item) -> List.Cell

    init(
        _ title: String, _ role: List.Column.Role, orders: [ArticleQuery.Sort] = [], link: List.Column.Link? = nil,
        value: @escaping @Sendable (Item) -> List.Cell
    ) {
        column = List.Column(title, role, orders: orders, link: link)
        cell = value
    }

    /// Creates a column of texts.
    init(
        _ title: String, _ role: List.Column.Role, orders: [ArticleQuery.Sort] = [],
        _ text: @escaping @Sendable (Item) -> String
    ) {
        self.init(title, role, orders: orders, value: { .text(text($0)) })
    }
}

public import ArticleStore

/// Rows of text in columns.
public struct List: Sendable {
    /// A column.
    public struct Column: Sendable, Hashable {
        /// What a column says of a row, by which a front chooses where to show it.
        public enum Role: Hashable, Sendable {
            /// What names the row to a machine: a number, an id.
            case identity
            /// Another name of the row, for a path or a file.
            case alias
            /// What a person tells the row from the others by.
            case primary
            /// What else there is to know of it.
            case fact
            /// What can be done without.
            case detail
            /// Words that the row is filed under, as many as there are.
            case labels
            /// What was reckoned from the rest, to help a person choose.
            case estimate
            /// Signs of what a person has marked the row with; programs are told by other means.
            case mark
        }

        /// The title.
        public let title: String
        /// What it says of a row.
        public let role: Role
        /// The orders of the list that go by it, the usual one first.
        public let orders: [ArticleQuery.Sort]
        /// By what the words of its cells file a row; nil where they do not.
        public let filing: Filing?

        /// A column.
        public init(_ title: String, _ role: Role = .fact, orders: [ArticleQuery.Sort] = [], filing: Filing? = nil) {
            self.filing = filing
            self.title = title
            self.role = role
            self.orders = orders
        }
    }

    /// A row.
    public struct Row: Sendable {
        /// What tells the row from the others, also when rows come and go; nil where nothing does.
        public let id: String?
        /// The texts, one for each column.
        public let cells: [String]
        /// The words of each cell that its column files the row by; empty where no column does.
        public let words: [[String]]
        /// What the screen reports when the row is chosen; nil when it cannot be.
        public let event: AppEvent?
        /// What to ask a person before that is reported; nil where it can be undone.
        public let confirmation: String?
        /// A line about the row, pieces of which are marked, such as what a search found in a text; nil for none.
        public let excerpt: MarkedText?
        /// What can be done to the row besides choosing it.
        public let actions: [Action]

        /// A row.
        public init(
            _ cells: [String], event: AppEvent? = nil, confirmation: String? = nil, id: String? = nil,
            excerpt: MarkedText? = nil, actions: [Action] = [], words: [[String]] = []
        ) {
            self.words = words
            self.excerpt = excerpt
            self.actions = actions
            self.id = id
            self.cells = cells
            self.event = event
            self.confirmation = confirmation
        }
    }

    /// How to get at rows beyond one end of those that are there.
    ///
    /// The list then has more rows at that end, up to a bound; beyond it, rows at the other end are let go. A front
    /// keeps its row by `Row.id`.
    public struct Beyond: Sendable {
        /// What the screen reports when some more are wanted.
        public let some: AppEvent
        /// What the screen reports when the very last of them are wanted.
        public let last: AppEvent
        /// Where these rows are, for a front that shows a stretch at a time; nil where that takes the library to know.
        public let place: AppRoute?

        /// What lies beyond an end of a list.
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
    /// What to say when there are none.
    public let placeholder: String
    /// How many rows the whole list has; nil where they were not counted.
    public let total: Int?
    /// How many rows of the whole list come before those that are there; nil where they were not counted.
    public let offset: Int?
    /// What choosing a row does, in a few words; nil where rows cannot be chosen.
    public let choice: String?
    /// Rows before the first; nil where there are none.
    public let earlier: Beyond?
    /// Rows after the last; nil where there are none.
    public let more: Beyond?
    /// What the list is searched for, empty for nothing; nil where it cannot be searched. `AppEvent.searched` changes it.
    public let search: String?
    /// The id of the row that was looked at last, which need not be the one that was chosen here; nil where none was.
    public let current: String?

    /// A list.
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

/// A finding of a check: the problem, its subject, and the action to take.
public struct Finding: Hashable, Sendable {
    /// The kind of a finding, as a stable word for programs.
    public struct Kind: Hashable, Sendable {
        /// The word.
        public let name: String

        /// A kind of finding.
        public init(_ name: String) { self.name = name }
    }

    /// The kind of the finding.
    public let kind: Kind
    /// The subject: a path, a table, a process.
    public let subject: String
    /// The problem, in a sentence without a full stop that names the subject.
    public let message: String
    /// The action to take, in a sentence without a full stop, if there is one.
    public let advice: String?
    /// Whether something is wrong, and not only good to know.
    public let isFault: Bool
    /// Whether ``Check/mend()`` of the check that found it may set it right.
    public let isMendable: Bool

    /// A finding.
    public init(
        _ kind: Kind, on subject: String, _ message: String, advice: String? = nil, isFault: Bool = true,
        isMendable: Bool = false
    ) {
        self.kind = kind
        self.subject = subject
        self.message = message
        self.advice = advice
        self.isFault = isFault
        self.isMendable = isMendable
    }
}

extension Finding.Kind {
    /// The file is none of the program's, or cannot be read.
    public static let database = Finding.Kind("database")
    /// Others than the owner may read or write a file.
    public static let mode = Finding.Kind("mode")
    /// A file is not the user's own.
    public static let owner = Finding.Kind("owner")
    /// The file has several names.
    public static let links = Finding.Kind("links")
    /// A killed process left a file.
    public static let leftover = Finding.Kind("leftover")
    /// The file system is one on which SQLite has to do without something.
    public static let fileSystem = Finding.Kind("fileSystem")
    /// The disk is nearly full.
    public static let space = Finding.Kind("space")
    /// The schema is not the one that the program needs.
    public static let schema = Finding.Kind("schema")
    /// The file is inconsistent.
    public static let damage = Finding.Kind("damage")
    /// Rows refer to rows that are not there.
    public static let reference = Finding.Kind("reference")
    /// The write-ahead log is long.
    public static let log = Finding.Kind("log")
    /// Another program holds a lock that it should not.
    public static let lock = Finding.Kind("lock")
    /// The clock was set back, or was wrong.
    public static let clock = Finding.Kind("clock")
}

/// Something about a database that can be looked at, and perhaps mended.
public protocol Check {
    /// Returns the findings, and changes nothing.
    ///
    /// - Throws: what keeps it from looking.
    func findings() throws -> [Finding]

    /// Mends what of its findings is mendable.
    ///
    /// - Throws: what keeps it from doing so.
    func mend() throws
}

extension Check {
    /// There is nothing to mend.
    public func mend() throws {}
}

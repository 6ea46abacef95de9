/// A finding of a check: the problem, its subject, and the action to take.
public struct Finding: Hashable, Sendable {
    /// The kind of a finding, as a stable word for programs.
    public struct Kind: Hashable, Sendable {
        /// The word.
        public let name: String

        /// Creates a kind of finding.
        public init(_ name: String) { self.name = name }
    }

    /// The kind of the finding.
    public let kind: Kind
    /// The subject: a path, a table, or a process.
    public let subject: String
    /// The problem, in a sentence without a period that names the subject.
    public let message: String
    /// The recommended action, in a sentence without a period, if there is one.
    public let advice: String?
    /// Whether it is a fault, rather than information.
    public let isFault: Bool
    /// Whether ``Check/repair()`` of the check may repair it.
    public let isRepairable: Bool

    /// Creates a finding.
    public init(
        _ kind: Kind, on subject: String, _ message: String, advice: String? = nil, isFault: Bool = true,
        isRepairable: Bool = false
    ) {
        self.kind = kind
        self.subject = subject
        self.message = message
        self.advice = advice
        self.isFault = isFault
        self.isRepairable = isRepairable
    }
}

extension Finding.Kind {
    /// The file does not belong to the program, or cannot be read.
    public static let database = Finding.Kind("database")
    /// Users other than the owner can read or write a file.
    public static let mode = Finding.Kind("mode")
    /// A file belongs to another user.
    public static let owner = Finding.Kind("owner")
    /// The file has several hard links.
    public static let links = Finding.Kind("links")
    /// A killed process left a file.
    public static let leftover = Finding.Kind("leftover")
    /// SQLite lacks a feature on this file system.
    public static let fileSystem = Finding.Kind("fileSystem")
    /// The disk is nearly full.
    public static let space = Finding.Kind("space")
    /// The schema differs from the one that the program requires.
    public static let schema = Finding.Kind("schema")
    /// The file is inconsistent.
    public static let damage = Finding.Kind("damage")
    /// Rows refer to missing rows.
    public static let reference = Finding.Kind("reference")
    /// The write-ahead log is long.
    public static let log = Finding.Kind("log")
    /// Another program holds a lock that it should not.
    public static let lock = Finding.Kind("lock")
    /// The clock was set back, or was wrong.
    public static let clock = Finding.Kind("clock")
}

/// A check of a database that may also be able to repair it.
public protocol Check {
    /// Returns the findings. It does not change anything.
    ///
    /// - Throws: the error that prevents the check.
    func findings() throws -> [Finding]

    /// Repairs the findings that can be repaired.
    ///
    /// - Throws: the error that prevents the repair.
    func repair() throws
}

extension Check {
    /// Does nothing.
    public func repair() throws {}
}

public import Text

/// A source of articles. An article is identified by its source and its key there, independent of its slug.
public struct Source: Sendable, Hashable, Identifiable {
    /// The kinds of sources.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A folder of files. The key of an article is the path of its file, relative to the folder.
        case folder
        /// Single files in a folder, which were named one by one. The source does not include the other files of the
        /// folder. The key of an article is the name of its file.
        case files
        /// A file that contains one or more articles.
        case file
        /// A feed. The key of an article is the ID of its entry, or else its link.
        case feed
        /// A named stream: standard input, a program that writes articles, or a person who adds some.
        case stream
        /// The articles of a library from before libraries had sources. An import takes an article over from it by its
        /// slug.
        case earlier

        /// Whether the keys of its articles are paths below its location.
        package var hasPaths: Bool { self == .folder || self == .files }
    }

    /// The result of the last import from a source.
    public struct LastImport: Sendable, Hashable {
        /// The maximum number of problems that are stored as text.
        public static let keptProblems = 100

        /// The time when the import ended.
        public var date: Date
        /// The number of problems.
        public var problemCount: Int
        /// The first problems, one line each.
        public var problems: [String]

        /// Creates the result of an import.
        public init(date: Date, problemCount: Int = 0, problems: [String] = []) {
            self.date = date
            self.problemCount = problemCount
            self.problems = Array(problems.prefix(Self.keptProblems))
        }
    }

    /// The number that the library gave the source.
    public let id: Int64
    /// The identifier of the source. Every library that imports an export of the source uses it too. It cannot be
    /// guessed.
    public let uid: SourceUID
    /// The other facts about the source.
    public var facts: SourceFacts
    /// The result of the last import; nil before the first import.
    public var lastImport: LastImport?

    /// Creates a source.
    public init(id: Int64, uid: SourceUID, facts: SourceFacts, lastImport: LastImport? = nil) {
        self.id = id
        self.uid = uid
        self.facts = facts
        self.lastImport = lastImport
    }

    /// The part that its articles contain.
    public var reference: SourceReference { SourceReference(id: id, uid: uid, name: name, home: facts.home) }
    /// The name, unique in the library without regard to case.
    public var name: String { facts.name }
    /// The kind of the source.
    public var kind: Kind { facts.kind }
}

/// The source of an article.
public struct SourceReference: Sendable, Hashable {
    /// The number of the source.
    public var id: Source.ID
    /// The identifier of the source in every library.
    public var uid: SourceUID
    /// The name of the source.
    public var name: String
    /// The base address for relative links in its articles, if neither the article nor its original gives one.
    public var home: String?

    /// Creates a reference.
    public init(id: Source.ID, uid: SourceUID, name: String, home: String? = nil) {
        self.home = home
        self.id = id
        self.uid = uid
        self.name = name
    }
}

/// The facts about a source that are the same in every library.
public struct SourceFacts: Sendable, Hashable {
    /// The source of articles that a program or a person adds without naming another source.
    public static let library = SourceFacts(name: "library", kind: .stream)

    /// The source of pages that a user saves without naming another source.
    public static let savedPages = SourceFacts(name: "saved pages", kind: .stream)

    /// The name for people.
    public var name: String
    /// The kind of the source.
    public var kind: Source.Kind
    /// The location: the absolute path of a folder or file without symbolic links, or the address of a feed; nil for a
    /// stream without a location.
    public var location: ExactText?
    /// The base address for relative links in its articles, if an article does not give its own.
    public var home: String?
    /// The address that a feed gives for itself, or else its address in a list of feeds; nil if both are unknown.
    public var feedURL: String?
    /// The tags of the source, ordered by their keys.
    public package(set) var tags: [TagName] = []
    /// The addresses from which the feed was fetched before it moved permanently, in alphabetical order.
    public package(set) var formerAddresses: [String] = []

    /// Creates the facts about a source.
    public init(
        name: String, kind: Source.Kind, location: ExactText? = nil, home: String? = nil, feedURL: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.location = location
        self.home = home
        self.feedURL = feedURL
    }

    /// Records that the feed has moved permanently.
    package mutating func moveFeed(from old: String, to new: String) {
        (location, feedURL) = (ExactText(new), new)
        formerAddresses = Set(formerAddresses + [old]).subtracting([new]).sorted()
    }
}

/// The identifier of a source in all libraries: 128 random bits. An export names its sources by it. A person who has
/// not seen an export of a source cannot forge an article of that source, because the identifier cannot be guessed.
public struct SourceUID: Sendable, Hashable, CustomStringConvertible {
    /// The bits as 32 hexadecimal digits, in lower case.
    public let description: String

    /// Creates a new identifier.
    public init(using generator: inout some RandomNumberGenerator) {
        description = (0..<4).map { _ in
            let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Returns a new identifier from the system's random numbers.
    @Sendable public static func random() -> SourceUID {
        var generator = SystemRandomNumberGenerator()
        return SourceUID(using: &generator)
    }

    /// Reads an identifier; nil if the text is not valid.
    public init?(_ text: String) {
        guard text.utf8.count == 32,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        description = text
    }
}

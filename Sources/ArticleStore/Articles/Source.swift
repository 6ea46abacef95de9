public import Essentials
import Text

/// A source of articles. An article is identified by its source and its key there, whatever its slug.
public struct Source: Sendable, Hashable, Identifiable {
    /// The kinds of sources.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A folder of files. The key of an article is the path of its file, relative to the folder.
        case folder
        /// Files of a folder that were given one by one: the folder as a whole, and what lies below it, is none of it. The key of an
        /// article is the name of its file.
        case files
        /// A file of one article or of many.
        case file
        /// A feed. The key of an article is the id of its entry, else its link.
        case feed
        /// A named stream: standard input, a program that writes articles, a person who adds some.
        case stream
        /// The articles of a library from before it had sources. An import takes an article over from it by its slug.
        case earlier

        /// Whether the keys of its articles are paths below its place.
        var hasPaths: Bool { self == .folder || self == .files }
    }

    /// How the last import from a source went.
    public struct LastImport: Sendable, Hashable {
        /// How many problems are kept as text at most.
        public static let keptProblems = 100

        /// When it ended.
        public var date: Date
        /// How many problems there were.
        public var problemCount: Int
        /// The first of them, a line each.
        public var problems: [String]

        /// The account of an import.
        public init(date: Date, problemCount: Int = 0, problems: [String] = []) {
            self.date = date
            self.problemCount = problemCount
            self.problems = Array(problems.prefix(Self.keptProblems))
        }
    }

    /// The number that the library gave it.
    public let id: Int64
    /// The identifier of the source in every library into which an export of it was imported; it cannot be guessed.
    public let uid: SourceUID
    /// The other facts about it.
    public var facts: SourceFacts
    /// How the last import went; nil where there was none.
    public var lastImport: LastImport?

    /// A source of known parts.
    public init(id: Int64, uid: SourceUID, facts: SourceFacts, lastImport: LastImport? = nil) {
        self.id = id
        self.uid = uid
        self.facts = facts
        self.lastImport = lastImport
    }

    /// The part that its articles carry.
    public var reference: SourceReference { SourceReference(id: id, uid: uid, name: name, home: facts.home) }
    /// Its name, unique in the library without regard to case.
    public var name: String { facts.name }
    /// The kind of the source.
    public var kind: Kind { facts.kind }
}

/// Which source an article is of.
public struct SourceReference: Sendable, Hashable {
    /// The number of the source.
    public var id: Source.ID
    /// The identifier of the source in every library.
    public var uid: SourceUID
    /// Its name.
    public var name: String
    /// The address that relative links in its articles are relative to, where neither they nor their originals say one.
    public var home: String?

    /// A reference of known parts.
    public init(id: Source.ID, uid: SourceUID, name: String, home: String? = nil) {
        self.home = home
        self.id = id
        self.uid = uid
        self.name = name
    }
}

/// The facts about a source that are the same in every library.
public struct SourceFacts: Sendable, Hashable {
    /// The source of what a program or a person puts into the library without naming another.
    public static let library = SourceFacts(name: "library", kind: .stream)

    /// The name for people.
    public var name: String
    /// The kind of the source.
    public var kind: Source.Kind
    /// The location: the absolute path of a folder or file without symbolic links, the address of a feed; nil for a stream
    /// without one.
    public var location: ExactText?
    /// The address that relative links in its articles are relative to, where an article says nothing of its own.
    public var home: String?
    /// The address that a feed says to be found at, else the one that a list of feeds has for it; nil where neither is known.
    public var feedURL: String?
    /// Its tags, in the order of their keys.
    public internal(set) var tags: [SourceTag] = []

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
}

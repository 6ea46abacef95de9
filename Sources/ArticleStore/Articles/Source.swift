public import Essentials
import Text

/// Where articles come from. An article is known by its source and its key there, whatever it is called.
public struct Source: Sendable, Hashable, Identifiable {
    /// What a source is.
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
        /// Whatever is given under a name: standard input, a program that writes articles, a person who adds some.
        case stream
        /// What was in the library before sources were known. An import takes an article over from it by its slug.
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
    /// What it is known by in every library that an export of it was brought into; nobody can guess it.
    public let uid: SourceUID
    /// What else is known of it.
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

    /// What its articles say of it.
    public var reference: SourceReference { SourceReference(id: id, uid: uid, name: name, home: facts.home) }
    /// Its name, unique in the library without regard to case.
    public var name: String { facts.name }
    /// What it is.
    public var kind: Kind { facts.kind }
}

/// Which source an article is of.
public struct SourceReference: Sendable, Hashable {
    /// The number of the source.
    public var id: Source.ID
    /// What it is known by in every library.
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

/// What a source is, whichever library holds it.
public struct SourceFacts: Sendable, Hashable {
    /// The source of what a program or a person puts into the library without naming another.
    public static let library = SourceFacts(name: "library", kind: .stream)

    /// What people call it.
    public var name: String
    /// What it is.
    public var kind: Source.Kind
    /// Where it is: the absolute path of a folder or file without symbolic links, the address of a feed; nil for a stream
    /// that has none.
    public var location: ExactText?
    /// The address that relative links in its articles are relative to, where an article says nothing of its own.
    public var home: String?
    /// The address that a feed says to be found at, else the one that a list of feeds has for it; nil where neither is known.
    public var feedURL: String?
    /// Its tags, in the order of their keys.
    public internal(set) var tags: [SourceTag] = []

    /// What is known of a source.
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

/// How an import goes about its work.
public struct ImportOptions: Sendable, Hashable {
    /// What is done with articles that have left their source.
    public enum Mirror: Sendable, Hashable {
        /// They are removed, unless they are more than half of those of the source.
        case most
        /// They are removed.
        case all
    }

    /// The name of the source that everything belongs to, whatever it says itself; nil makes it from what is read.
    public var source: String?
    /// The format of every input; nil goes by the name of each file and else by its first bytes.
    public var format: ImportFormat?
    /// The name of the encoding of every source that does not begin with a byte order mark, such as `windows-1252`; nil
    /// goes by what each source says of itself, and is UTF-8 where it says nothing.
    public var encoding: String?
    /// The author of articles whose source names none.
    public var author: String?
    /// The address that relative links are relative to, where an article says nothing of its own; nil for that of the feed.
    /// Empty takes back one that was given before.
    public var home: String?
    /// Whether nothing goes in when anything is rejected. The whole import is then one transaction: others wait to
    /// write while it reads. It does not begin before what comes through streams (standard input, pipes) has ended.
    public var isStrict: Bool
    /// Whether nothing goes in at all, and the report says what would. Others wait as they do for a strict import.
    public var isDryRun: Bool
    /// Whether articles that their source calls drafts go in.
    public var includesDrafts: Bool
    /// Whether symbolic links in folders are followed that lead to something inside the same folder. No other is.
    public var followsLinks: Bool
    /// Whether what was changed or deleted in the library gives way to what is in the source.
    public var overwritesEdits: Bool
    /// Whether what has left a source that is read as a whole is removed; nil leaves it in the library.
    public var mirror: Mirror?
    /// How many bytes a record (a line of JSON Lines, an element of a JSON array, any other file) may have. A larger
    /// one is rejected without being held in memory.
    public var recordLimit: Int
    /// How many bytes a record of a library may have: as JSON, one of its characters can take six, and everything that is known of
    /// the article comes in addition.
    var exportedRecordLimit: Int { 8 * recordLimit }
    /// Where what comes through streams is kept meanwhile, in a file without a name that only its owner may read.
    public var temporaryFolder: String

    /// Options; by default everything that is no draft goes in, in batches.
    public init(
        source: String? = nil, format: ImportFormat? = nil, encoding: String? = nil, author: String? = nil,
        home: String? = nil, isStrict: Bool = false, isDryRun: Bool = false, includesDrafts: Bool = false,
        followsLinks: Bool = false, overwritesEdits: Bool = false, mirror: Mirror? = nil, recordLimit: Int = 16 << 20,
        temporaryFolder: String = "/tmp"
    ) {
        self.source = source
        self.format = format
        self.encoding = encoding
        self.author = author
        self.home = home
        self.isStrict = isStrict
        self.isDryRun = isDryRun
        self.includesDrafts = includesDrafts
        self.followsLinks = followsLinks
        self.overwritesEdits = overwritesEdits
        self.mirror = mirror
        self.recordLimit = recordLimit
        self.temporaryFolder = temporaryFolder
    }
}

public import ArticleStore

/// The options of an import.
public struct ImportOptions: Sendable, Hashable {
    /// The treatment of articles that have left their source.
    public enum Mirror: Sendable, Hashable {
        /// Remove them, unless they are more than half of the articles of the source.
        case most
        /// Remove them in any case.
        case all
    }

    /// The name of the source for all articles, whatever the input states; nil to derive it from the input.
    public var source: String?
    /// The number of the source that `source` names, if it must exist. The import then also finds it under a new name, and
    /// fails if it was removed.
    package var existingSource: Source.ID?
    /// The format of every input; nil to detect it from the file name or the first bytes.
    public var format: ImportFormat?
    /// The encoding of inputs without a byte order mark, such as `windows-1252`; nil to use the encoding that each
    /// input declares, or UTF-8.
    public var encoding: String?
    /// Whether bytes that are not text become U+FFFD, as in browsers, instead of a rejected record.
    package var replacesInvalidText = false
    /// The author of articles whose source does not name one.
    public var author: String?
    /// The base of relative links in articles that do not state one; nil for that of the feed. An empty text removes a
    /// base that was set by an earlier import.
    public var home: String?
    /// Whether to store nothing if any record is rejected. The whole import is then one transaction, so other writers
    /// wait until it ends. It begins only after streams (standard input, pipes) have been read to their end.
    public var isStrict: Bool
    /// Whether to store nothing and only report what would change. Other writers wait as in a strict import.
    public var isDryRun: Bool
    /// Whether to import articles that their source calls drafts.
    public var includesDrafts: Bool
    /// Whether to follow symbolic links in folders if they lead to a place inside the same folder. Other links are
    /// never followed.
    public var followsLinks: Bool
    /// Whether to replace articles that were changed or deleted in the library.
    public var overwritesEdits: Bool
    /// Whether a new entry of a feed becomes an appearance of the article of another source that has its address.
    package var mergesStories = false
    /// Whether articles that change become unread again for the users who have read them.
    package var marksChangedUnread = false
    /// The treatment of articles that have left a completely read source; nil to keep them.
    public var mirror: Mirror?
    /// The maximum number of records of each file; nil for any number. The rest of a longer file is not read, and rejected
    /// as one record.
    package var countLimit: Int?
    /// The maximum number of bytes of a record (a line of JSON Lines, an element of a JSON array, any other file). A
    /// larger record is rejected without being held in memory.
    public var recordLimit: Int
    /// The maximum number of bytes of a record in a library export. As JSON, a character can take six bytes, and the
    /// record contains further data of the article.
    var exportedRecordLimit: Int { 8 * recordLimit }
    /// The folder for the data of streams, which is kept in a file without a name that only its owner can read.
    public var temporaryFolder: String

    /// Creates options. By default, all articles except drafts are imported, in batches.
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

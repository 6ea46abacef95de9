/// How an import goes about its work.
public struct ImportOptions: Sendable, Hashable {
    /// The format of every source; nil goes by the name of each file and else by its first bytes.
    public var format: ImportFormat?
    /// The name of the encoding of every source that does not begin with a byte order mark, such as `windows-1252`; nil
    /// goes by what each source says of itself, and is UTF-8 where it says nothing.
    public var encoding: String?
    /// The author of articles whose source names none.
    public var author: String?
    /// Whether nothing goes in when anything is rejected. The whole import is then one transaction: others wait to
    /// write while it reads. It does not begin before what comes through streams (standard input, pipes) has ended.
    public var isStrict: Bool
    /// Whether nothing goes in at all, and the report says what would. Others wait as they do for a strict import.
    public var isDryRun: Bool
    /// Whether articles that their source calls drafts go in.
    public var includesDrafts: Bool
    /// How many bytes a record (a line of JSON Lines, an element of a JSON array, any other file) may have. A larger
    /// one is rejected without being held in memory.
    public var recordLimit: Int
    /// Where what comes through streams is kept meanwhile, in a file without a name that only its owner may read.
    public var temporaryFolder: String

    /// Options; by default everything that is no draft goes in, in batches.
    public init(
        format: ImportFormat? = nil, encoding: String? = nil, author: String? = nil, isStrict: Bool = false,
        isDryRun: Bool = false, includesDrafts: Bool = false, recordLimit: Int = 16 << 20,
        temporaryFolder: String = "/tmp"
    ) {
        self.format = format
        self.encoding = encoding
        self.author = author
        self.isStrict = isStrict
        self.isDryRun = isDryRun
        self.includesDrafts = includesDrafts
        self.recordLimit = recordLimit
        self.temporaryFolder = temporaryFolder
    }
}

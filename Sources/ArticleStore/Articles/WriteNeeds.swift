public import Text

/// The single rows that the body of ``ArticleRepository/write(needing:_:)`` reads.
///
/// A store on a network loads them with a few statements before it runs the body. Each other row costs a round trip
/// while other writers wait. ``ArticleWriter/sources()`` and reads of all rows of a source are not declared.
public struct WriteNeeds: Sendable, Hashable {
    /// The numbers of articles to read.
    public var articles: Set<Int64> = []
    /// The keys whose entries, appearances, and deletions to look up, in any source, each with the hash of its new record; nil if the
    /// hash is unknown. The body also reads the article, unless its origin has the same hash.
    public var records: [ExactText: UInt64?] = [:]
    /// The addresses by which to look up articles of any source.
    public var addresses: Set<StoryAddress> = []
    /// The slugs whose holders to look up.
    public var slugs: Set<String> = []
    /// The requests whose articles to look up.
    public var requests: Set<[UInt8]> = []

    /// Creates needs without any row.
    public init() {}

    /// Adds the rows that ``ArticleWriter/upsert(_:into:content:isEdit:overwritesEdits:renamed:)`` reads for a draft.
    ///
    /// The last slugs that a new article may get depend on its source, and are read only if all others are taken. They
    /// are not declared.
    public mutating func add(_ draft: ArticleDraft, content: UInt64? = nil) {
        records.updateValue(content, forKey: draft.key)
        slugs.insert(draft.slug)
        slugs.formUnion(SlugChoice(draft, source: "").firstCandidates)
    }
}

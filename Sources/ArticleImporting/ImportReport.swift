public import ArticleStore
public import Text

/// The result of an import, or of a dry run.
public struct ImportReport: Sendable, Hashable {
    /// The number of new articles.
    public var inserted = 0
    /// The number of changed articles.
    public var updated = 0
    /// The number of articles that have a new key but are otherwise unchanged, such as renamed files.
    public var renamed = 0
    /// The number of unchanged articles.
    public var unchanged = 0
    /// The number of articles that were changed both in their source and in the library. They were left unchanged.
    public var kept = 0
    /// The number of articles that were permanently deleted in the library. They were not imported again.
    public var deleted = 0
    /// The number of articles that had left their source and were removed.
    public var removed: Int { removedArticles.articleCount }
    /// The articles that had left their source and were removed.
    public var removedArticles: [MissingArticles] = []
    /// The articles that have become drafts in their source and were kept. It is known only if the import removes
    /// articles that have left.
    public var drafts: [MissingArticles] = []
    /// The names of the sources to which the input belongs, in the order of their IDs.
    public var sources: [String] = []
    /// The sources of the feeds in lists without a file, with their addresses.
    package var feeds: [Source.ID: String] = [:]
    /// The number of feeds in lists that were not subscribed before.
    public var subscribed = 0
    /// The names of sources that were part of the input and were merged into its source.
    public var mergedSources: [String] = []
    /// The reasons why missing articles were not removed.
    public var refusedRemovals: [RefusedRemoval] = []
    /// The number of skipped drafts.
    public var skippedDrafts = 0
    /// The number of skipped files, folders, and links in folders. Each is reported when it occurs.
    public var skippedFiles = 0
    /// The number of records in exports that were skipped because they are not articles: attachments and menus of
    /// WordPress, and bookmarks that are not pages.
    public var skippedRecords = 0
    /// The number of articles with an assumed date, by the origin of the date. Each is reported when it occurs.
    public var assumedDates: [AssumedDate.Basis: Int] = [:]
    /// The number of rejected records. Each is reported when it occurs.
    public var rejected = 0
    /// Whether the import was stopped before its end. The counted articles are stored, unless the import was strict.
    public var isInterrupted = false

    /// The number of articles that are not in the search index yet, or only with an old version: indexing may lag
    /// behind an import. Later writes and `ArticleRepository.advanceSearch()` index them step by step.
    public var waiting = 0

    /// The input that could not be read to its end, which ended the import; nil if there was none. The counted articles
    /// are stored, unless the import was strict.
    public var failure: InputFailure?

    /// Creates an empty report.
    public init() {}

    mutating func count(_ outcome: Upsert.Outcome) {
        switch outcome {
        case .inserted: inserted += 1
        case .updated: updated += 1
        case .renamed: renamed += 1
        case .unchanged: unchanged += 1
        case .kept: kept += 1
        case .deleted: deleted += 1
        }
    }
}

extension ImportReport: CustomStringConvertible {
    /// The counts in words, such as `12 inserted, 0 updated, 172 unchanged, 0 rejected`.
    public var description: String {
        var parts = ["\(inserted) inserted", "\(updated) updated", "\(unchanged) unchanged", "\(rejected) rejected"]
        if !feeds.isEmpty {
            // A list of feeds does not have articles.
            if inserted + updated + unchanged == 0 { parts.removeFirst(3) }
            parts.insert("subscribed to \(subscribed.quantity(of: "feed"))", at: 0)
            let known = feeds.count - subscribed
            if known > 0 { parts.insert("\(known) already subscribed", at: 1) }
        }
        if renamed > 0 { parts.insert("\(renamed) renamed", at: min(2, parts.count)) }
        if removed > 0 { parts.append("\(removed) removed") }
        if kept > 0 { parts.append("\(kept) kept as edited here") }
        if deleted > 0 { parts.append("\(deleted) skipped as deleted here") }
        if skippedDrafts > 0 {
            parts.append(skippedDrafts.quantity(of: "draft") + " skipped")
        }
        let keptDrafts = drafts.articleCount
        if keptDrafts > 0 { parts.append("\(keptDrafts) kept but now \(keptDrafts == 1 ? "a draft" : "drafts")") }
        if skippedFiles > 0 {
            parts.append(skippedFiles.quantity(of: "file") + " skipped")
        }
        if skippedRecords > 0 {
            let records = skippedRecords.quantity(of: "record that is not an article", "records that are not articles")
            parts.append(records + " skipped")
        }
        return parts.joined(separator: ", ")
    }

    /// The message about articles without a date, such as `3 articles have no readable date: taken from the
    /// modification time of the file`; nil if there are none.
    public var dateWarning: String? {
        let count = assumedDates.values.reduce(0, +)
        guard count > 0 else { return nil }
        let found = AssumedDate.Basis.allCases.filter { assumedDates[$0, default: 0] > 0 }
        let origins = found.map { found.count == 1 ? $0.words : "\(assumedDates[$0, default: 0]) \($0.words)" }
        return count.quantity(of: "article has", "articles have") + " no readable date: "
            + origins.joined(separator: ", ")
    }
}

/// Articles that an import of their source did not find: they were removed there, or became drafts.
public struct MissingArticles: Sendable, Hashable {
    /// The source.
    public let source: Source
    /// The IDs of the articles.
    public let articles: [Int64]
    /// The keys of the articles, in the order of the IDs.
    public let keys: [ExactText]
    /// The number of all articles of the source.
    public let total: Int
}

/// The reason why missing articles were not removed.
public enum RefusedRemoval: Sendable, Hashable, CustomStringConvertible {
    /// Some records could not be read, and the missing articles may be among them.
    case unreadable(Int)
    /// More than half of the articles of the source are missing.
    case tooMany(source: String, Int, of: Int)

    /// The reason in words for the user.
    public var description: String {
        switch self {
        case .unreadable(let count):
            "nothing was removed, because \(count.quantity(of: "record")) could not be read: "
                + "correct the records reported above first"
        case .tooMany(let source, _, of: 1):
            "the only article of “\(source)” is gone from it: nothing was removed"
        case .tooMany(let source, let count, let total):
            "\(count) of the \(total) articles of “\(source)” are gone from it, which is more than half: nothing was removed"
        }
    }
}

extension [MissingArticles] {
    /// The total number of articles.
    var articleCount: Int { reduce(0) { $0 + $1.articles.count } }
}

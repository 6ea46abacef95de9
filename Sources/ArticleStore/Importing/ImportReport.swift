/// What an import did, or, as a dry run, would do.
public struct ImportReport: Sendable, Hashable {
    /// How many articles were new.
    public var inserted = 0
    /// How many changed.
    public var updated = 0
    /// How many were known by another key, and are the same else: files that were renamed.
    public var renamed = 0
    /// How many were there already, the same.
    public var unchanged = 0
    /// How many have changed in their source and were changed in the library too: they were left as they are.
    public var kept = 0
    /// How many were deleted in the library for good: they were not brought back.
    public var deleted = 0
    /// How many had left their source and were removed.
    public var removed: Int { departures.articleCount }
    /// The articles that had left their source and were removed.
    public var departures: [Departure] = []
    /// The articles that are drafts in their source now, and were kept; known only of an import that removes what has left.
    public var drafts: [Departure] = []
    /// The names of the sources that what was read belongs to, in the order of their numbers.
    public var sources: [String] = []
    /// The names of sources that were parts of what was read, and belong to its source from now on.
    public var joined: [String] = []
    /// Why articles that may have left their source were not removed.
    public var refusedRemovals: [RefusedRemoval] = []
    /// How many drafts were passed over.
    public var skipped = 0
    /// How many files, folders and links in folders were passed over; each is told as it happens.
    public var passedOver = 0
    /// How many records of exports were passed over, because they are no articles: attachments and menus of WordPress, and
    /// bookmarks that are no pages.
    public var passedOverRecords = 0
    /// How many articles have a date that was assumed, by where it is from; each is told as it happens.
    public var assumedDates: [AssumedDate.Basis: Int] = [:]
    /// How many records were rejected; each is told as it happens.
    public var rejected = 0
    /// Whether the import was stopped before its end. What it counts up to there is in the library, unless it was
    /// strict.
    public var isInterrupted = false

    /// How many articles of the library searches do not find yet, or find as they were: what was imported may be ahead of what
    /// finds it. Every later write, and ``ArticleRepository/advanceSearch()``, take some of them along.
    public var waiting = 0

    /// The input that could not be read to its end, which ended the import; nil where all could. What it counts up to there
    /// is in the library, unless it was strict.
    public var failure: InputFailure?

    /// A report of nothing.
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
        if renamed > 0 { parts.insert("\(renamed) renamed", at: 2) }
        if removed > 0 { parts.append("\(removed) removed") }
        if kept > 0 { parts.append("\(kept) kept as edited here") }
        if deleted > 0 { parts.append("\(deleted) left out as deleted here") }
        if skipped > 0 { parts.append("\(skipped) \(skipped == 1 ? "draft" : "drafts") skipped") }
        let keptDrafts = drafts.articleCount
        if keptDrafts > 0 { parts.append("\(keptDrafts) kept though \(keptDrafts == 1 ? "a draft" : "drafts") now") }
        if passedOver > 0 {
            parts.append("\(passedOver) \(passedOver == 1 ? "file" : "files") passed over")
        }
        if passedOverRecords > 0 {
            let records = passedOverRecords == 1 ? "record that is no article" : "records that are no articles"
            parts.append("\(passedOverRecords) \(records) passed over")
        }
        return parts.joined(separator: ", ")
    }

    /// What is to be said of articles without a date, such as `3 articles have no date that can be read: taken from the file's
    /// own time`; nil where there are none.
    public var dateWarning: String? {
        let count = assumedDates.values.reduce(0, +)
        guard count > 0 else { return nil }
        let found = AssumedDate.Basis.allCases.filter { assumedDates[$0, default: 0] > 0 }
        let origins = found.map { found.count == 1 ? $0.words : "\(assumedDates[$0, default: 0]) \($0.words)" }
        return "\(count) \(count == 1 ? "article has" : "articles have") no date that can be read: "
            + origins.joined(separator: ", ")
    }
}

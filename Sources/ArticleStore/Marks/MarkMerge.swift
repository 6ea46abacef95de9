package import Text

/// The result of merging marks from elsewhere.
public struct MarkMerge: Sendable, Hashable {
    /// The number of articles whose marks have changed.
    public var articles = 0
    /// The number of tags that were omitted because an article or the user had the maximum number of tags.
    public var tagsLeftOut = 0
    /// The articles that do not exist, in ascending order.
    public var missing: [Int64] = []

    /// Creates a result without changes.
    public init() {}
}

/// The steps of a merge of marks from elsewhere.
package struct MarkMergePlan {
    /// The same change of several articles at the same time.
    package struct Step {
        package let change: MarkChange
        package let time: Date
        package let articles: [Int64]
    }

    /// The result. It is complete after ``tagSteps(addingTo:)``.
    package private(set) var result = MarkMerge()
    /// The changes except new tags. Make them first, because removed tags make room for new ones.
    package let firstSteps: [Step]
    /// The marks with an equal value whose time becomes later.
    package let confirmations: [Step]
    private let givenTags: [(tag: TagName, step: Step)]

    /// - Parameters:
    ///   - others: the marks from elsewhere.
    ///   - own: the present marks of all these articles that exist.
    package init(_ others: [Int64: ArticleMarks], into own: [Int64: ArticleMarks], now: Date) {
        var changes: [MarkChange: [Date: [Int64]]] = [:]
        var confirmed: [MarkChange: [Date: [Int64]]] = [:]
        for (article, own) in own {
            let found = own.changes(to: others[article] ?? ArticleMarks(), now: now)
            result.tagsLeftOut += found.tagsLeftOut
            for (change, time) in found.changes { changes[change, default: [:]][time, default: []].append(article) }
            for (change, time) in found.confirmed { confirmed[change, default: [:]][time, default: []].append(article) }
        }
        result.missing = others.keys.filter { own[$0] == nil }.sorted()
        let steps = Self.steps(changes)
        firstSteps = steps.filter { $0.change.givenTag == nil }
        givenTags = steps.compactMap { step in step.change.givenTag.map { ($0, step) } }
        confirmations = Self.steps(confirmed)
    }

    /// Whether the merge gives articles a tag.
    package var givesTags: Bool { !givenTags.isEmpty }

    /// Returns the changes that give tags, except those beyond the limit of a user's tags.
    ///
    /// - Parameter tags: the tags of the user after the ``firstSteps``.
    package mutating func tagSteps(addingTo tags: Set<TagName>) -> [Step] {
        let leftOut = tags.tagsBeyondLimit(adding: givenTags.map(\.tag))
        var steps: [Step] = []
        for (tag, step) in givenTags {
            if leftOut.contains(tag) { result.tagsLeftOut += step.articles.count } else { steps.append(step) }
        }
        result.articles = Set((firstSteps + steps).flatMap(\.articles)).count
        return steps
    }

    private static func steps(_ changes: [MarkChange: [Date: [Int64]]]) -> [Step] {
        changes.flatMap { change, times in
            times.map { time, articles in Step(change: change, time: time, articles: articles) }
        }
    }
}

extension Set<TagName> {
    /// Returns the tags of `tags` that would exceed the limit of a user's tags together with these. They are the last by
    /// their keys.
    package func tagsBeyondLimit(adding tags: some Sequence<TagName>) -> Set<TagName> {
        let new = Set(tags).subtracting(self).sorted()
        return Set(new.dropFirst(Swift.max(0, MarkError.mostOwnTags - count)))
    }
}

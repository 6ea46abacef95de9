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

extension Set<TagName> {
    /// Returns the tags of `tags` that would exceed the limit of a user's tags together with these. They are the last by
    /// their keys.
    package func tagsBeyondLimit(adding tags: some Sequence<TagName>) -> Set<TagName> {
        let new = Set(tags).subtracting(self).sorted()
        return Set(new.dropFirst(Swift.max(0, MarkError.mostOwnTags - count)))
    }
}

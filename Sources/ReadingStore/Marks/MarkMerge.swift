/// The result of merging marks from elsewhere.
public struct MarkMerge: Sendable, Hashable {
    /// How many articles are marked otherwise than before.
    public var articles = 0
    /// How many tags were left out, because an article, or the reader, had as many as there may be.
    public var tagsLeftOut = 0

    /// Nothing was taken over.
    public init() {}
}

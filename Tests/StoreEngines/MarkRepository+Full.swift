import Text
public import ArticleStore
import Foundation

extension MarkRepository {
    /// Adds the maximum number of different tags of a user, on articles that are inserted for that.
    ///
    /// - Returns: The tags.
    @discardableResult
    public func giveAllTags(to user: Int64, in articles: any ArticleRepository) async throws -> [TagName] {
        let drafts = (0..<MarkError.mostOwnTags / MarkError.mostTags).map { number in
            ArticleDraft(key: ExactText("full \(number)"), title: "Full \(number)", body: "Body.")
        }
        let full = try await articles.upsert(drafts, into: SourceFacts(name: "full", kind: .stream))
        var tags: [TagName] = []
        for (number, article) in full.enumerated() {
            var marks = ArticleMarks()
            marks.tags = try (0..<MarkError.mostTags).map { .init(try TagName("tag \(number) \($0)")) }
            tags += marks.tags.map(\.value)
            try await merge([article.id: marks], by: user, at: Date(timeIntervalSince1970: 1_700_000_000))
        }
        return tags
    }
}

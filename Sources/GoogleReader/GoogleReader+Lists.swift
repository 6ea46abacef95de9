import ReadingStore
import FlowCoordinators
import ArticleStore
import AuthService
import Text

/// What there is to read.
extension GoogleReader {
    /// The sources. Where one lies on the disk of the server is nobody's business; folders there are none, as sources have no tags.
    func subscriptions() async throws(Refusal) -> JSON {
        let sources = try await Refusal.catching { try await services.articles.sources() }
        return [
            "subscriptions": .array(
                sources.map { source in
                    [
                        "id": .string("feed/\(source.id)"), "title": .string(source.name), "categories": [],
                        "url": .string(source.facts.feedURL ?? source.facts.home ?? ""),
                        "htmlUrl": .string(source.facts.home ?? ""), "iconUrl": "",
                    ]
                })
        ]
    }

    /// The star, and the tags that a reader has given.
    func tags(of user: User) async throws(Refusal) -> JSON {
        let tags = try await Refusal.catching { try await services.marks.counts(of: user.id).tags }
        let star: JSON = ["id": .string(Stream.State.starred.id)]
        return [
            "tags": .array([star] + tags.map { ["id": .string("user/-/label/\($0.tag.name)"), "type": "tag"] })
        ]
    }
}

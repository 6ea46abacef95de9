import ArticleStore
import HTTPServer
import LibraryServices
import Text

/// Operations on sources, labels, and statistics.
extension Operation {
    private static let tag = "library"

    static let library: [Operation] = [
        Operation(
            "listSources", .get, "sources", "Lists the sources of articles", tag: tag, access: .anyUser,
            answer: .init(.ok, "all sources", .object([.init("sources", .array(.source))]))
        ) { call in
            let sources = try await call.listing.sources()
            return HTTPResponse(json: ["sources": .array(sources.map { JSON($0, isLocal: false) })])
        },
        Operation(
            "changeSource", .patch, "sources/{source}", "Changes the name or the tags of a source", tag: tag,
            access: .editor,
            body: .object([
                .init("name", .string(.init(length: 1...SourceFacts.nameLimit, isVisible: true)), isRequired: false),
                .init(
                    "tags", .array(.sourceTag, atMost: SourceFacts.mostTags), isRequired: false,
                    "all tags of the source"),
            ]),
            answer: .init(.ok, "the source", .source), refusals: [.conflict]
        ) { call in
            let old = try await source(of: call)
            let tags = try call.body["tags"]?.strings.map { try $0.map { try TagName($0) } }
            let (name, change) = (call.body["name"]?.string, tags.map { SourceTagChange.all($0) })
            var source = old
            if name != nil || change != nil {
                source = try await call.editing.changeSource(old, name: name, tags: change).source
            }
            let count = try await call.services.articles.articleCounts()[source.id] ?? 0
            return HTTPResponse(json: JSON(source: source, articles: count, isLocal: false))
        },
        Operation(
            "deleteSource", .delete, "sources/{source}", "Removes a source with all its articles", tag: tag,
            access: .editor, answer: .init(.noContent, "the source was removed")
        ) { call in
            try await call.editing.removeSources([try await source(of: call)])
            return .done
        },
        Operation(
            "listTags", .get, "tags", "Lists the tags of articles", tag: tag, access: .anyUser,
            answer: .init(.ok, "all tags", .object([.init("tags", .array(.label))])), isExpensive: { _ in true }
        ) { try await labels(.tag, "tags", $0) },
        Operation(
            "listAuthors", .get, "authors", "Lists the authors of articles", tag: tag, access: .anyUser,
            answer: .init(.ok, "all authors", .object([.init("authors", .array(.label))])), isExpensive: { _ in true }
        ) { try await labels(.author, "authors", $0) },
        Operation(
            "listOwnTags", .get, "tags/mine", "Lists your tags", tag: tag, access: .anyUser,
            answer: .init(.ok, "all of your tags", .object([.init("tags", .array(.ownTagCount))]))
        ) { call in
            let tags = try await call.listing.ownTags()
            return HTTPResponse(json: ["tags": .array(tags.map { JSON(ownTag: $0) })])
        },
        Operation(
            "getStatistics", .get, "stats", "Returns statistics of the library and your reading", tag: tag,
            access: .anyUser, answer: .init(.ok, "the statistics", .statistics), isExpensive: { _ in true }
        ) { call in
            return HTTPResponse(json: try await call.listing.statistics().json)
        },
    ]

    private static func source(of call: Call) async throws -> Source {
        let id = call.path["source"] ?? ""
        guard let source = try await call.services.articles.sources().first(where: { $0.uid.description == id }) else {
            throw Problem.notFound("there is no source with the ID “\(id)”")
        }
        return source
    }

    private static func labels(
        _ kind: ArticleLabel.Kind, _ name: String, _ call: Call
    ) async throws -> HTTPResponse {
        let labels = try await call.listing.labels(kind)
        return HTTPResponse(json: .object([.init(name, .array(labels.map { JSON($0) }))]))
    }
}

import ArticleStore
import HTTPServer
import LibraryServices
import Text

/// Operations on sources, labels, and statistics.
extension Operation {
    private static let tag = "library"

    static let library: [Operation] = [
        Operation(
            "listSources", .get, "sources", "Where the articles come from", tag: tag, access: .reader,
            answer: .init(.ok, "all sources", .object([.init("sources", .array(.source))]))
        ) { call in
            let sources = try await call.listing.sources()
            return HTTPResponse(json: ["sources": .array(sources.map { JSON($0, isLocal: false) })])
        },
        Operation(
            "changeSource", .patch, "sources/{source}", "Gives a source another name, or other tags", tag: tag,
            access: .editor,
            body: .object([
                .init("name", .string(.init(length: 1...SourceFacts.nameLimit, isVisible: true)), isRequired: false),
                .init(
                    "tags", .array(.sourceTag, atMost: SourceFacts.mostTags), isRequired: false,
                    "all that it is to have"),
            ]),
            answer: .init(.ok, "the source", .source), refusals: [.conflict]
        ) { call in
            let old = try await source(of: call)
            let tags = try call.body["tags"]?.strings.map { try $0.map { try TagName($0) } }
            let (name, change) = (call.body["name"]?.string, tags.map { SourceTagChange.all($0) })
            var source = old
            if name != nil || change != nil {
                source = try await call.editing.changeSource(old, name: name, tags: change)
            }
            let count = try await call.services.articles.articleCounts()[source.id] ?? 0
            return HTTPResponse(json: JSON(source: source, articles: count, isLocal: false))
        },
        Operation(
            "deleteSource", .delete, "sources/{source}", "Removes a source with all its articles", tag: tag,
            access: .editor, answer: .init(.noContent, "it is gone")
        ) { call in
            try await call.editing.removeSources([try await source(of: call)])
            return .done
        },
        Operation(
            "listTags", .get, "tags", "What articles are filed under", tag: tag, access: .reader,
            answer: .init(.ok, "all tags", .object([.init("tags", .array(.label))])), isExpensive: { _ in true }
        ) { try await labels(.tag, "tags", $0) },
        Operation(
            "listAuthors", .get, "authors", "Who has written articles", tag: tag, access: .reader,
            answer: .init(.ok, "all authors", .object([.init("authors", .array(.label))])), isExpensive: { _ in true }
        ) { try await labels(.author, "authors", $0) },
        Operation(
            "listOwnTags", .get, "tags/mine", "The tags that one has given", tag: tag, access: .reader,
            answer: .init(.ok, "all of them", .object([.init("tags", .array(.ownTagCount))]))
        ) { call in
            let tags = try await call.listing.ownTags()
            return HTTPResponse(json: ["tags": .array(tags.map { JSON(ownTag: $0) })])
        },
        Operation(
            "getStatistics", .get, "stats", "How much there is, and how much of it one has read", tag: tag,
            access: .reader, answer: .init(.ok, "the figures", .statistics), isExpensive: { _ in true }
        ) { call in
            return HTTPResponse(json: try await call.listing.statistics().json)
        },
    ]

    private static func source(of call: Call) async throws -> Source {
        let id = call.path["source"] ?? ""
        guard let source = try await call.services.articles.sources().first(where: { $0.uid.description == id }) else {
            throw Problem.notFound("there is no source with the id “\(id)”")
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

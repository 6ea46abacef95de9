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
            answer: .init(.ok, "all sources", .object([.init("sources", .array(.source))])), hasTag: true
        ) { call in
            let sources = try await call.listing.sources()
            return HTTPResponse(json: ["sources": .array(sources.map { JSON($0, isLocal: false) })])
        },
        Operation(
            "subscribe", .post, "sources", "Subscribes to the feed of a page, and imports its articles", tag: tag,
            access: .editor,
            body: .object(
                [
                    .init(
                        "address", .string(.init(length: 1...2000, isVisible: true)), "of a feed or a page with a feed"),
                    .init("name", .sourceName, isRequired: false, "the default is the title of the feed"),
                    .init("tags", .array(.sourceTag, atMost: SourceFacts.mostTags), isRequired: false),
                ] + Schema.subscriptionSettings),
            answer: .init(.created, "the source; the Location field has its address", .source),
            refusals: [.conflict, .badGateway], isExpensive: { _ in true }, handle: subscribe),
        Operation(
            "getSource", .get, "sources/{source}", "Returns a source by its ID", tag: tag, access: .anyUser,
            answer: .init(.ok, "the source", .source)
        ) { try await response(about: try await source(of: $0), in: $0) },
        Operation(
            "changeSource", .patch, "sources/{source}",
            "Changes the name and the tags of a source, and the settings of its subscription", tag: tag,
            access: .editor,
            body: .object(
                [
                    .init("name", .sourceName, isRequired: false),
                    .init(
                        "tags", .array(.sourceTag, atMost: SourceFacts.mostTags), isRequired: false,
                        "all tags of the source"),
                ] + Schema.subscriptionSettings),
            answer: .init(.ok, "the source", .source), refusals: [.conflict]
        ) { call in
            let old = try await source(of: call)
            let tags = try call.body["tags"]?.strings.map { try $0.map { try TagName($0) } }
            let settings = try settings(in: call.body)
            // If the request is refused, nothing changes.
            if !settings.isEmpty { _ = try await call.subscribing.subscription(of: old) }
            let (name, change) = (call.body["name"]?.string, tags.map { SourceTagChange.all($0) })
            var source = old
            if name != nil || change != nil {
                source = try await call.editing.changeSource(old, name: name, tags: change).source
            }
            if !settings.isEmpty { try await call.subscribing.change([source], as: settings) }
            return try await response(about: source, in: call)
        },
        Operation(
            "deleteSource", .delete, "sources/{source}", "Removes a source with all its articles", tag: tag,
            access: .editor, answer: .init(.noContent, "the source was removed")
        ) { call in
            try await call.editing.removeSources([try await source(of: call)])
            return .done
        },
        Operation(
            "fetchSource", .post, "sources/{source}/fetch", "Fetches a subscribed source now", tag: tag,
            access: .editor, answer: .init(.ok, "the source; lastError tells if the fetch failed", .source),
            refusals: [.conflict], isExpensive: { _ in true }
        ) { call in
            let source = try await source(of: call)
            try await call.subscribing.fetch(source)
            return try await response(about: source, in: call)
        },
        Operation(
            "makeSourceQuiet", .put, "sources/{source}/quiet", "Makes new articles of a source read at once for you",
            tag: tag, access: .userWithWriteScope, answer: .init(.ok, "the source", .source)
        ) { try await setQuiet(true, $0) },
        Operation(
            "endSourceQuiet", .delete, "sources/{source}/quiet", "Leaves new articles of a source unread for you",
            tag: tag, access: .userWithWriteScope, answer: .init(.ok, "the source", .source)
        ) { try await setQuiet(false, $0) },
        Operation(
            "unsubscribe", .delete, "sources/{source}/subscription", "Stops fetching a source, and keeps its articles",
            tag: tag, access: .editor, answer: .init(.noContent, "the subscription was ended")
        ) { call in
            try await call.subscribing.unsubscribe(from: [try await source(of: call)])
            return .done
        },
        Operation(
            "listTags", .get, "tags", "Lists the tags of articles", tag: tag, access: .anyUser,
            answer: .init(.ok, "all tags", .object([.init("tags", .array(.label))])), isExpensive: { _ in true },
            hasTag: true
        ) { try await labels(.tag, "tags", $0) },
        Operation(
            "listAuthors", .get, "authors", "Lists the authors of articles", tag: tag, access: .anyUser,
            answer: .init(.ok, "all authors", .object([.init("authors", .array(.label))])), isExpensive: { _ in true },
            hasTag: true
        ) { try await labels(.author, "authors", $0) },
        Operation(
            "listOwnTags", .get, "tags/mine", "Lists your tags", tag: tag, access: .anyUser,
            answer: .init(.ok, "all of your tags", .object([.init("tags", .array(.ownTagCount))])), hasTag: true
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

    @Sendable private static func subscribe(_ call: Call) async throws -> HTTPResponse {
        let address = call.body["address"]?.string ?? ""
        let tags = try (call.body["tags"]?.strings ?? []).map { try TagName($0) }
        let outcome = try await call.subscribing.subscribe(
            to: address, name: call.body["name"]?.string, tags: tags, settings: try settings(in: call.body))
        switch outcome {
        case .subscribed(let result):
            var fields: HTTPFields = [:]
            fields[.location] = try? HTTPFieldValue("/api/v1/sources/\(result.source.uid)")
            return try await response(about: result.source, in: call, .created, fields: fields)
        case .known(let source):
            throw Problem(
                status: .conflict, code: "alreadySubscribed", detail: "“\(source.name)” is already subscribed",
                extensions: [.init("source", .string(source.uid.description))])
        case .several(let feeds):
            var problem = Problem.unprocessable(
                "severalFeeds", "the page has \(feeds.count) feeds: send the address of one of them")
            problem.pointer = "/address"
            let list = feeds.map { ["address": .string($0.address), "title": JSON($0.title)] as JSON }
            problem.extensions = [.init("feeds", .array(list))]
            throw problem
        }
    }

    /// Returns the change of a subscription that a body describes.
    private static func settings(in body: JSON) throws -> SubscriptionChange {
        let retention = try body["keep"]?.string.map { text in
            guard let retention = Retention(text) else {
                var problem = Problem.unprocessable(
                    "invalid", "“\(text)” is not a retention: use all, a number, or a number of days such as 30d")
                problem.pointer = "/keep"
                throw problem
            }
            return retention
        }
        return SubscriptionChange(
            fullText: body["fullText"]?.boolean, paused: body["paused"]?.boolean,
            unreadOnUpdate: body["unreadOnUpdate"]?.boolean, retention: retention)
    }

    private static func setQuiet(_ isQuiet: Bool, _ call: Call) async throws -> HTTPResponse {
        let source = try await source(of: call)
        try await call.subscribing.setQuiet(isQuiet, [source], by: call.userID)
        return try await response(about: source, in: call)
    }

    /// Returns the response with a source, its subscription, and the numbers of its articles.
    private static func response(
        about source: Source, in call: Call, _ status: HTTPStatus = .ok, fields: HTTPFields = [:]
    ) async throws -> HTTPResponse {
        guard let listed = try await call.listing.sources().first(where: { $0.source.id == source.id }) else {
            throw Problem.notFound("the source “\(source.name)” was removed")
        }
        return HTTPResponse(status, json: JSON(listed, isLocal: false), fields: fields)
    }

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

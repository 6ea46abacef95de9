import ArticleStore
import AuthService
import HTTPServer
import LibraryServices
import Text

/// Operations on articles.
extension Operation {
    private static let tag = "articles"

    private static let ifMatch = Parameter(
        name: "If-Match", schema: .text, words: "the ETag of the article when you read it, or *",
        isRequired: true)

    static let articles: [Operation] = [
        Operation(
            "listArticles", .get, "articles", "Lists a page of the articles that match the filters", tag: tag,
            access: .anyUser, query: ListParameters.page,
            answer: .init(
                .ok, "the page; the Link field has the address of the next page",
                .object([
                    .init("articles", .array(.summary)),
                    .init("next", .optional(.text), "the cursor of the next page"),
                    .init(
                        "total", .optional(.count), "the total number, on the first page of a list without a search"),
                    .init(
                        "search",
                        .object([
                            .init("waiting", .count, "the number of articles that are not indexed yet"),
                            .init("cut", .boolean, "whether the search stopped early, so that results may be missing"),
                            .init("suggestion", .optional(.text)),
                        ]), isRequired: false),
                ])), refusals: [.notFound, .unprocessableContent], isExpensive: ListParameters.isExpensive,
            handle: list),
        Operation(
            "getArticle", .get, "articles/{article}", "Returns an article by its number or slug", tag: tag,
            access: .anyUser,
            headers: [.ifNoneMatch],
            answer: .init(.ok, "the article", .article), refusals: [.notModified]
        ) { call in
            let (article, marks) = try await call.article()
            return try await call.response(about: article) { Entity(article, marks).response(to: call.request) }
        },
        Operation(
            "createArticle", .post, "articles", "Adds an article", tag: tag, access: .editor,
            headers: [
                .init(
                    name: "Idempotency-Key", schema: .string(.init(length: 1...255)),
                    words: "any text; a repeated request with the same key within a day does not add another article")
            ], body: .articleInput,
            answer: .init(.created, "the article; the Location field has its address", .article),
            refusals: [.conflict], handle: create),
        Operation(
            "changeArticle", .patch, "articles/{article}", "Changes an article", tag: tag, access: .editor,
            headers: [ifMatch], body: .articleChange, answer: .init(.ok, "the changed article", .article),
            refusals: [.preconditionFailed, .preconditionRequired]
        ) { call in
            let (article, marks) = try await call.article()
            try Entity(article, marks).check(call.request)
            let draft = try ArticleDraft(changing: article, into: call.body)
            let edited = try await call.editing.edit(article, into: draft)
            return Entity(edited ?? article, marks).response(to: call.request)
        },
        Operation(
            "deleteArticle", .delete, "articles/{article}", "Deletes an article permanently", tag: tag, access: .editor,
            headers: [ifMatch], answer: .init(.noContent, "the article was deleted"),
            refusals: [.preconditionFailed, .preconditionRequired]
        ) { call in
            let (article, marks) = try await call.article()
            try Entity(article, marks).check(call.request)
            try await call.editing.delete(article)
            return .done
        },
        Operation(
            "fetchPage", .post, "articles/{article}/page",
            "Fetches the page of an article, and stores its main text if it is longer than the text of the article",
            tag: tag, access: .editor, answer: .init(.ok, "the article", .article),
            refusals: [.conflict, .badGateway], isExpensive: { _ in true }
        ) { call in
            try await call.subscribing.fetchPage(of: try await call.article().article)
            let (article, marks) = try await call.article()
            return Entity(article, marks).response(to: call.request)
        },
    ]

    @Sendable private static func list(_ call: Call) async throws -> HTTPResponse {
        let list = try await ListParameters.list(call.query, of: try call.userID, in: call.services)
        let isCounted = list.cursor == nil && list.query.search == nil
        let listing = ArticleLister(
            articles: call.services.articles, marking: try call.marking, counts: isCounted)
        let listed = try await listing.page(of: ListRange(list))
        if let missing = listed.missingSource { throw missing }
        let page = listed.page
        let ids = page.summaries.map(\.id)
        let addresses = ids.isEmpty ? [:] : try await call.services.articles.sourceURLs(of: ids)
        let articles = page.summaries.map { summary in
            JSON(listed: summary, marks: listed.marks, adding: [.init("url", JSON(addresses[summary.id]))])
        }
        let json = JSON.object(
            [.init("articles", .array(articles))]
                + page.members(total: page.total))
        var fields: HTTPFields = [:]
        if let next = page.next {
            var items = call.query.filter { $0.key != "cursor" }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            items.append(("cursor", next.description))
            let address = items.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&")
            fields["link"] = try? HTTPFieldValue("</api/v1/articles?\(address)>; rel=\"next\"")
        }
        return HTTPResponse(json: json, fields: fields)
    }

    @Sendable private static func create(_ call: Call) async throws -> HTTPResponse {
        let source = try call.body["source"]?.string.map { name in
            SourceFacts(name: try SourceFacts.checkedName(name), kind: .stream)
        }
        var creation: Creation?
        if let key = call.request.fields["idempotency-key"]?.text {
            guard (1...255).contains(key.utf8.count) else {
                throw Problem.badRequest("invalidKey", "an Idempotency-Key must have 1 to 255 characters")
            }
            creation = Creation(
                request: Sodium.sha256(Array("\(try call.userID):\(key)".utf8)),
                content: Sodium.sha256(call.request.body))
        }
        let draft = try ArticleDraft(creating: call.body)
        let article = try await call.editing.add(draft, to: source ?? .library, for: creation)
        var fields: HTTPFields = [:]
        fields[.location] = try? HTTPFieldValue("/api/v1/articles/\(article.id)")
        return Entity(article, try await call.marking.marks(of: article))
            .response(to: call.request, .created, fields: fields)
    }
}

import ArticleStore
import HTTPServer
import LibraryServices
import Text

/// Operations on marks, and on the changes of marks and articles.
extension Operation {
    private static let tag = "marks"

    static let marks: [Operation] = [
        Operation(
            "markArticle", .put, "articles/{article}/marks", "Changes the marks of an article", tag: tag,
            access: .userWithWriteScope,
            body: .marksInput, answer: .init(.ok, "the new marks", .object([.init("marks", .marks)]))
        ) { call in
            let marking = try call.marking
            let article = try await marking.article(call.articleReference)
            try await marking.change(article.id) { try changes(call.body, of: $0) }
            return HTTPResponse(json: ["marks": JSON(marks: try await marking.marks(of: article))])
        },
        Operation(
            "markList", .post, "articles/marks", "Changes the marks of all articles that match the filters", tag: tag,
            access: .userWithWriteScope,
            query: ListParameters.conditions + [
                .init(
                    name: "all", schema: .choice(["true"]),
                    words: "required without filters: marks all articles of the library")
            ],
            body: .object([
                .init("read", .boolean, isRequired: false), .init("starred", .boolean, isRequired: false),
                .init("later", .boolean, isRequired: false), .init("hidden", .boolean, isRequired: false),
            ]), answer: .init(.ok, "the number of changed articles", .object([.init("changed", .count)])),
            refusals: [.notFound], isExpensive: { _ in true }
        ) { call in
            let query = try await ListParameters.list(call.query, of: try call.userID, in: call.services).query
            if let part = query.search?.ignored.first {
                throw Problem.unprocessable("search", "“\(part)” in the search has no value; nothing was changed")
            }
            guard !query.isOfAll || call.query["all"] != nil else {
                throw Problem.unprocessable("noCondition", "pass filters, or all=true for the whole library")
            }
            let changed = try await call.marking.change(
                try changes(call.body, of: ArticleMarks()), of: .query(query))
            return HTTPResponse(json: ["changed": JSON(changed)])
        },
        Operation(
            "mergeMarks", .post, "marks", "Merges marks from another client: the latest change of each mark wins",
            tag: tag, access: .userWithWriteScope,
            body: .object([.init("marks", .array(.markRecordInput, atMost: 1000))]),
            answer: .init(
                .ok, "the number of changed articles",
                .object([
                    .init("articles", .count),
                    .init("tagsLeftOut", .count, "the number of tags that were skipped because of a limit"),
                    .init("missing", .array(.articleID), "the articles that do not exist; their marks were skipped"),
                ]))
        ) { call in
            var marks: [Int64: ArticleMarks] = [:]
            var leftOut = 0
            for record in call.body["marks"]?.elements ?? [] {
                guard let article = record["article"]?.wholeNumber else { continue }
                guard marks[article] == nil else {
                    throw Problem.unprocessable(
                        "articleTwice",
                        "the article \(article) occurs twice: combine its marks; nothing was changed")
                }
                marks[article] = ArticleMarks(record, leftOut: &leftOut)
            }
            guard leftOut == 0 else {
                throw Problem.unprocessable("invalidMark", "\(leftOut) of the marks are invalid; nothing was changed")
            }
            let merge = try await call.marking.merge(marks)
            return HTTPResponse(json: [
                "articles": JSON(merge.articles), "tagsLeftOut": JSON(merge.tagsLeftOut),
                "missing": .array(merge.missing.map { JSON($0) }),
            ])
        },
        Operation(
            "getChanges", .get, "changes", "Returns the changes of articles and marks since a position", tag: tag,
            access: .anyUser,
            query: [
                .init(
                    name: "since", schema: .string(.init(length: 1...200, place: .query)),
                    words: "“next” of the previous response; without it, everything is returned"),
                .init(
                    name: "limit", schema: .integer(1...1000),
                    words: "the maximum number of articles, and of articles with changed marks; the default is 200"),
            ],
            answer: .init(
                .ok, "the changes, and the next position",
                .object([
                    .init("articles", .array(.bareArticle), "the new and changed articles in their current state"),
                    .init("gone", .array(.articleID), "the numbers of the deleted articles"),
                    .init("marks", .array(.markRecord), "the articles whose marks changed, with all of their marks"),
                    .init(
                        "allRead",
                        .optional(
                            .object([
                                .init(
                                    "upTo", .integer(0...Int64.max),
                                    "articles up to this number are read, later ones are not"),
                                .init(
                                    "changed", .time,
                                    "when all articles were last marked as read or unread; 1970 if never"),
                            ])),
                        "the state of articles whose marks do not say whether they were read; null if there is none"),
                    .init("next", .text, "the value of since for the next request"),
                    .init("more", .boolean, "whether more changes are available"),
                ])), refusals: [.gone, .unprocessableContent], isExpensive: { _ in true }, handle: changes),
    ]

    /// Returns the changes that a body asks for.
    private static func changes(_ body: JSON, of marks: ArticleMarks) throws -> [MarkChange] {
        var changes: [MarkChange] = []
        if let value = body["read"]?.boolean { changes.append(.read(value)) }
        if let value = body["starred"]?.boolean { changes.append(.starred(value)) }
        if let value = body["later"]?.boolean { changes.append(.later(value)) }
        if let value = body["hidden"]?.boolean { changes.append(.hidden(value)) }
        if let note = body["note"] { changes.append(.note(note.string)) }
        if let place = body["place"] { changes.append(.readingPosition(place.wholeNumber.map { Int($0) })) }
        if let names = body["tags"]?.strings {
            changes += marks.changes(replacingTagsBy: try names.map { try TagName($0) })
        }
        return changes
    }

    @Sendable private static func changes(_ call: Call) async throws -> HTTPResponse {
        let position = try call.query["since"].map { text in
            guard let position = SyncPosition(text) else {
                throw Problem.unprocessable(
                    "invalidPosition", "“since” must be “next” of a previous response, or omitted")
            }
            return position
        }
        let (reader, limit) = (try call.userID, call.query["limit"].flatMap { Int($0) } ?? 200)
        // Read the marks first. If an article arrives in the meantime, the next response repeats its marks. In the
        // other order, the client could miss them.
        let marks = try await call.services.markLog.changes(of: reader, after: position?.mark ?? 0, limit: limit)
        let articles = try await call.services.articleLog.changes(after: position?.articles, limit: limit)
        let records = marks.marks.sorted { $0.key < $1.key }.map { article, marks -> JSON in
            .object([.init("article", JSON(article))] + (marks.json.members ?? []))
        }
        return HTTPResponse(json: [
            "articles": .array(articles.articles.map { .encoded(ArticleJSON.utf8($0)) }),
            "gone": .array(articles.gone.map { JSON($0) }), "marks": .array(records),
            "allRead": marks.allRead.map {
                ["upTo": JSON($0.upTo), "changed": .string(RFC3339.string(from: $0.changed))]
            } ?? .null,
            "next": .string(SyncPosition(articles: articles.position, mark: marks.position).description),
            "more": .bool(articles.goesOn || marks.goesOn),
        ])
    }
}

/// The position up to which a client has read the changes of articles and marks.
struct SyncPosition: Hashable, Sendable, LosslessStringConvertible {
    let articles: LogPosition
    let mark: Int64

    init(articles: LogPosition, mark: Int64) { (self.articles, self.mark) = (articles, mark) }

    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, let article = Int64(parts[1]), let change = Int64(parts[2]), let mark = Int64(parts[3])
        else { return nil }
        self.init(articles: LogPosition(copy: String(parts[0]), article: article, change: change), mark: mark)
    }

    var description: String { "\(articles.copy)-\(articles.article)-\(articles.change)-\(mark)" }
}

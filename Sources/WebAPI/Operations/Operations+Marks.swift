import ArticleStore
import HTTPServer
import LibraryServices
import Text

/// Operations on marks, and on the changes of marks and articles.
extension Operation {
    private static let tag = "marks"

    static let marks: [Operation] = [
        Operation(
            "markArticle", .put, "articles/{article}/marks", "Marks an article", tag: tag, access: .writer,
            body: .marksInput, answer: .init(.ok, "what it is marked with now", .object([.init("marks", .marks)]))
        ) { call in
            let marking = try call.marking
            let article = try await marking.article(call.articleReference)
            try await marking.change(article.id) { try changes(call.body, of: $0) }
            return HTTPResponse(json: ["marks": JSON(marks: try await marking.marks(of: article))])
        },
        Operation(
            "markList", .post, "articles/marks", "Marks all articles that the conditions hold of", tag: tag,
            access: .writer,
            query: ListParameters.conditions + [
                .init(
                    name: "all", schema: .choice(["true"]),
                    words: "that every article of the library is meant, where there is no condition")
            ],
            body: .object([
                .init("read", .boolean, isRequired: false), .init("starred", .boolean, isRequired: false),
                .init("later", .boolean, isRequired: false),
            ]), answer: .init(.ok, "how many were marked otherwise before", .object([.init("changed", .count)])),
            isExpensive: { _ in true }
        ) { call in
            let query = try ListParameters.list(call.query, of: try call.reader).query
            if let part = query.search?.ignored.first {
                throw Problem.unprocessable("search", "“\(part)” says nothing in a search, so nothing was marked")
            }
            guard !query.isOfAll || call.query["all"] != nil else {
                throw Problem.unprocessable("noCondition", "say which articles, or all=true for the whole library")
            }
            let changed = try await call.marking.change(
                try changes(call.body, of: ArticleMarks()), of: .query(query))
            return HTTPResponse(json: ["changed": JSON(changed)])
        },
        Operation(
            "mergeMarks", .post, "marks", "Takes over what was marked elsewhere: of each mark, what changed last holds",
            tag: tag, access: .writer,
            body: .object([.init("marks", .array(.markRecordInput, atMost: 1000))]),
            answer: .init(
                .ok, "how many articles are marked otherwise than before",
                .object([
                    .init("articles", .count),
                    .init("tagsLeftOut", .count, "tags of which there were as many as there may be"),
                    .init("missing", .array(.articleID), "the articles that do not exist: their marks were left out"),
                ]))
        ) { call in
            var marks: [Int64: ArticleMarks] = [:]
            var leftOut = 0
            for record in call.body["marks"]?.elements ?? [] {
                guard let article = record["article"]?.wholeNumber else { continue }
                guard marks[article] == nil else {
                    throw Problem.unprocessable(
                        "articleTwice",
                        "the article \(article) is there twice: put its marks together; nothing was changed")
                }
                marks[article] = ArticleMarks(record, leftOut: &leftOut)
            }
            guard leftOut == 0 else {
                throw Problem.unprocessable("invalidMark", "\(leftOut) of the marks cannot be any; nothing was changed")
            }
            let merge = try await call.marking.merge(marks)
            return HTTPResponse(json: [
                "articles": JSON(merge.articles), "tagsLeftOut": JSON(merge.tagsLeftOut),
                "missing": .array(merge.missing.map { JSON($0) }),
            ])
        },
        Operation(
            "getChanges", .get, "changes", "What became of articles and marks since one looked last", tag: tag,
            access: .reader,
            query: [
                .init(
                    name: "since", schema: .string(.init(length: 1...200, place: .query)),
                    words: "“next” of the answer before; without it, everything there is"),
                .init(
                    name: "limit", schema: .integer(1...1000),
                    words: "how many articles, and how many with marks, at most; 200 where nothing is said"),
            ],
            answer: .init(
                .ok, "the changes, and up to where they are",
                .object([
                    .init("articles", .array(.bareArticle), "those that came or changed, as they are now"),
                    .init("gone", .array(.articleID), "the numbers of those that are gone"),
                    .init("marks", .array(.markRecord), "those whose marks changed, with all their marks"),
                    .init(
                        "allRead",
                        .optional(
                            .object([
                                .init(
                                    "upTo", .integer(0...Int64.max),
                                    "articles of this number and below are read, those above are not"),
                                .init("changed", .time, "when all was last made read, or unread; 1970 where never"),
                            ])),
                        "what holds of each article of which marks do not say whether it was read; null where nothing"),
                    .init("next", .text, "what to give as since the next time"),
                    .init("more", .boolean, "whether there is more already"),
                ])), refusals: [.gone, .unprocessableContent], isExpensive: { _ in true }, handle: changes),
    ]

    /// Returns the changes that a body asks for.
    private static func changes(_ body: JSON, of marks: ArticleMarks) throws -> [MarkChange] {
        var changes: [MarkChange] = []
        if let value = body["read"]?.boolean { changes.append(.read(value)) }
        if let value = body["starred"]?.boolean { changes.append(.starred(value)) }
        if let value = body["later"]?.boolean { changes.append(.later(value)) }
        if let note = body["note"] { changes.append(.note(note.string)) }
        if let place = body["place"] { changes.append(.place(place.wholeNumber.map { Int($0) })) }
        if let names = body["tags"]?.strings {
            changes += marks.changes(replacingTagsBy: try names.map { try TagName($0) })
        }
        return changes
    }

    @Sendable private static func changes(_ call: Call) async throws -> HTTPResponse {
        let position = try call.query["since"].map { text in
            guard let position = SyncPosition(text) else {
                throw Problem.unprocessable("invalidPosition", "since is “next” of an answer before, or left out")
            }
            return position
        }
        let (reader, limit) = (try call.reader, call.query["limit"].flatMap { Int($0) } ?? 200)
        // Read the marks first. If an article arrives in the meantime, the next response repeats its marks. In the
        // other order, the client could miss them.
        let marks = try await call.services.markLog.changes(of: reader, after: position?.mark ?? 0, limit: limit)
        let articles = try await call.services.articleLog.changes(after: position?.articles, limit: limit)
        let records = marks.marks.sorted { $0.key < $1.key }.map { article, marks -> JSON in
            .object([.init("article", JSON(article))] + (marks.json.members ?? []))
        }
        return HTTPResponse(json: [
            "articles": .array(articles.articles.map { .encoded(ArticleJSON.object($0)) }),
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

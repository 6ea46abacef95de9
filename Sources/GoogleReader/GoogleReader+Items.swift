import ArticleStore
import AuthService
import LibraryServices
import HTTPServer
import Text

/// Operations that list articles, either their IDs or whole articles.
extension GoogleReader {
    /// `stream/items/ids`: returns the IDs of the articles in a stream, at most 200,000 in one response.
    func itemIDs(_ request: HTTPRequest, of user: User) async throws(ReaderError) -> HTTPResponse {
        let parameters = try Parameters(reading: request, Self.filters.union(["merge", "includeAllDirectStreamIds"]))
        guard let stream = parameters["s"] else { throw .badRequest("the parameter s (the stream) is missing") }
        let selection = try await selection(stream, parameters, of: user)
        let page = try await page(
            of: selection, after: parameters["c"], count: try parameters.count(upTo: 200_000))
        let arrivals = try await ReaderError.catching { try await services.articleLog.arrivals(of: page.numbers) }
        let feeds =
            ["true", "1"].contains(parameters["includeAllDirectStreamIds"])
            ? try await ReaderError.catching { try await services.articles.sourceIDs(of: page.numbers) } : [:]
        var text = "{\"itemRefs\":["
        for (index, number) in page.numbers.enumerated() {
            if index > 0 { text += "," }
            text += "{\"id\":\"\(number)\",\"directStreamIds\":["
            if let feed = feeds[number] { text += "\"feed/\(feed)\"" }
            text += "],\"timestampUsec\":\"\(arrivals[number]?.text ?? "0")\"}"
        }
        text += "]"
        if let continuation = page.continuation { text += ",\"continuation\":\"\(continuation)\"" }
        return HTTPResponse(json: .encoded(Array((text + "}").utf8)))
    }

    /// `stream/items/contents`: returns the articles in the parameters `i`. Some clients ask for 9,999 articles at
    /// once.
    func itemContents(_ request: HTTPRequest, of user: User) throws(ReaderError) -> HTTPResponse {
        let parameters = try Parameters(reading: request, ["i", "n", "c", "s", "it", "merge"])
        let numbers = try parameters.itemNumbers()
        guard numbers.count <= 10_000 else { throw .badRequest("a request can have at most 10000 items") }
        return contents(
            numbers, id: Stream.State.readingList.id, title: "Articles", continuation: nil, of: user, at: request.site)
    }

    /// `stream/contents`: returns the articles of a stream, at most 1,000 in one response. An empty ID means the
    /// reading list.
    func streamContents(_ id: String, _ request: HTTPRequest, of user: User) async throws(ReaderError) -> HTTPResponse {
        let parameters = try Parameters(reading: request, Self.filters.union(["merge"]))
        let stream = id.isEmpty ? parameters["s"] ?? Stream.State.readingList.id : id
        let selection = try await selection(stream, parameters, of: user)
        let page = try await pageOfContents(of: selection, parameters)
        return contents(
            page.numbers, id: stream, title: selection.title, continuation: page.continuation, of: user,
            at: request.site)
    }

    private func contents(
        _ numbers: [Int64], id: String, title: String, continuation: String?, of user: User, at site: String?
    ) -> HTTPResponse {
        let head: JSON = [
            "direction": "ltr", "id": .string(id), "title": .string(title),
            "updated": JSON(services.clock().wholeSeconds),
        ]
        let stream = ItemStream(
            head: head.description.dropLast() + ",\"items\":[",
            tail: "]" + (continuation.map { ",\"continuation\":\(JSON.string($0))" } ?? "") + "}", separator: ",",
            numbers: numbers, reader: self, user: user.id, site: site
        ) { $0.json.description }
        return HTTPResponse(
            fields: ["content-type": "application/json; charset=utf-8", "cache-control": "private, no-cache"],
            body: .stream(stream))
    }
}

extension Parameters {
    /// Reads the parameters of a request that does not change anything, from its address or its body.
    ///
    /// - Parameter known: the names of the supported parameters. Other parameters are refused, because they may be
    ///   filters that exclude articles. Unknown but harmless parameters are ignored.
    init(reading request: HTTPRequest, _ known: Set<String>) throws(ReaderError) {
        guard [.get, .head, .post].contains(request.method) else {
            throw ReaderError(
                status: .methodNotAllowed, text: "use GET or POST", fields: ["allow": "GET, HEAD, POST"])
        }
        try self.init(of: request)
        try refuse(otherThan: known)
    }

    /// Returns the numbers of the items in the parameters `i`, each once.
    func itemNumbers() throws(ReaderError) -> [Int64] {
        var numbers: [Int64] = []
        var known: Set<Int64> = []
        for text in values(of: "i") {
            guard let id = ItemID(text) else { throw .badRequest("\(text) is not an item ID") }
            if known.insert(id.number).inserted { numbers.append(id.number) }
        }
        guard !numbers.isEmpty else { throw .badRequest("the parameter i (the items) is missing") }
        return numbers
    }
}

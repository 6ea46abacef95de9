import ArticleExporting
import ArticleStore
import AuthService
import LibraryServices
import HTTPServer
import Text

/// Operations on feeds. Clients cannot add them.
extension GoogleReader {
    private static let noSubscribing =
        "clients cannot add or remove feeds: use articlesctl subscribe to add one, articlesctl sources remove to remove one"

    /// `subscription/edit`: renames a source, and adds it to folders or removes it from them. Editors only.
    func editSubscription(_ request: HTTPRequest, in session: Session) async throws(ReaderError) -> HTTPResponse {
        try writingSession(session, for: request)
        let parameters = try Parameters(of: request)
        try parameters.refuse(otherThan: ["ac", "s", "t", "a", "r"])
        guard (parameters["ac"] ?? "edit") == "edit" else { throw .badRequest(Self.noSubscribing) }
        guard let text = parameters["s"], case .feed(let number) = Stream(text, of: session.user),
            parameters.values(of: "s").count == 1
        else { throw .badRequest("the parameter s (the feed) is missing") }
        func folders(_ name: String) throws(ReaderError) -> [TagName] {
            var folders: [TagName] = []
            for id in parameters.values(of: name) where id != "" {
                folders.append(try Self.folder(named: id, of: session.user))
            }
            return folders
        }
        let (added, removed, name) = (try folders("a"), try folders("r"), parameters["t"])
        if let both = added.first(where: removed.contains) {
            throw .badRequest("\(both.name) cannot be added and removed in one request")
        }
        guard name != nil || !added.isEmpty || !removed.isEmpty else {
            throw .badRequest("the parameter t (the new name), a, or r (folders) is missing")
        }
        guard let source = try await sources().first(where: { $0.id == number }) else {
            throw .badRequest("there is no stream \(text)")
        }
        let change = SourceTagChange.some(adding: added, removing: removed)
        let editing = try editing(request, in: session)
        _ = try await ReaderError.catching { try await editing.changeSource(source, name: name, tags: change) }
        return .done
    }

    /// `subscription/quickadd`: answers that no feed was added, in the form that clients expect.
    func addSubscription(_ request: HTTPRequest, in session: Session) throws(ReaderError) -> HTTPResponse {
        try writingSession(session, for: request)
        let address = try Parameters(of: request)["quickadd"] ?? ""
        return HTTPResponse(json: [
            "numResults": 0, "query": .string(address), "streamId": "", "streamName": "",
            "error": .string(Self.noSubscribing),
        ])
    }

    /// `subscription/import`: always refused.
    func importSubscriptions(_ request: HTTPRequest, in session: Session) throws(ReaderError) -> HTTPResponse {
        try writingSession(session, for: request)
        throw .badRequest(Self.noSubscribing)
    }

    /// `subscription/export`: returns the sources that are feeds, as OPML.
    func exportSubscriptions() async throws(ReaderError) -> HTTPResponse {
        let exporter = ArticleExporter(repository: services.articles, options: ExportOptions(title: "Feeds"))
        let bytes = try await ReaderError.catching {
            var bytes: [UInt8] = []
            _ = try await exporter.run(ArticleQuery(), as: .opml, to: .stream { bytes += $0 })
            return bytes
        }
        return HTTPResponse(
            fields: [
                "content-type": "text/x-opml; charset=utf-8",
                "content-disposition": "attachment; filename=\"feeds.opml\"",
            ], body: .bytes(bytes))
    }
}

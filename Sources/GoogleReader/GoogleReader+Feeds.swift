import ArticleExporting
import ArticleStore
import AuthService
import HTTPServer
import LibraryServices
import Text

/// Operations on feeds. Only editors change them.
extension GoogleReader {
    /// The feed that a client names with `s`.
    private enum Target {
        case source(Source)
        /// The address of a feed that may not be subscribed yet.
        case address(String)
    }

    /// `subscription/edit`: subscribes to a feed, ends a subscription, renames a source, and adds it to folders or
    /// removes it from them.
    func editSubscription(_ request: HTTPRequest, in session: Session) async throws(ReaderError) -> HTTPResponse {
        try writingSession(session, for: request)
        let parameters = try Parameters(of: request)
        try parameters.refuse(otherThan: ["ac", "s", "t", "a", "r"])
        let target = try await target(of: parameters, in: session)
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
        let editing = try editing(request, in: session)
        switch (parameters["ac"] ?? "edit", target) {
        case ("edit", .source(let source)):
            guard name != nil || !added.isEmpty || !removed.isEmpty else {
                throw .badRequest("the parameter t (the new name), a, or r (folders) is missing")
            }
            let change = SourceTagChange.some(adding: added, removing: removed)
            _ = try await ReaderError.catching { try await editing.changeSource(source, name: name, tags: change) }
        case ("subscribe", .address(let address)):
            let name = name.flatMap { $0.isEmpty ? nil : $0 }
            let (source, isNew) = try await subscribe(to: address, name: name, tags: added, request, in: session)
            guard !isNew, !added.isEmpty else { break }
            let change = SourceTagChange.some(adding: added, removing: [])
            _ = try await ReaderError.catching { try await editing.changeSource(source, tags: change) }
        case ("unsubscribe", .source(let source)):
            let editor = try subscribing(request, in: session)
            try await ReaderError.catching { try await editor.unsubscribe(from: [source]) }
        case ("edit", .address(let text)), ("unsubscribe", .address(let text)):
            throw .badRequest("there is no stream feed/\(text)")
        case ("subscribe", .source): throw .badRequest("the parameter s needs feed/ and the address of the feed")
        default: throw .badRequest("ac must be edit, subscribe, or unsubscribe")
        }
        return .done
    }

    private func target(of parameters: Parameters, in session: Session) async throws(ReaderError) -> Target {
        guard let text = parameters["s"], text.hasPrefix("feed/"), parameters.values(of: "s").count == 1 else {
            throw .badRequest("the parameter s (the feed) is missing")
        }
        guard case .feed(let number) = Stream(text, of: session.user) else {
            return .address(String(text.dropFirst("feed/".count)))
        }
        guard let source = try await sources().first(where: { $0.id == number }) else {
            throw .badRequest("there is no stream \(text)")
        }
        return .source(source)
    }

    /// `subscription/quickadd`: subscribes to the feed of a page. A failure has the status 200 and the reason, in the
    /// form that clients expect.
    func addSubscription(_ request: HTTPRequest, in session: Session) async throws(ReaderError) -> HTTPResponse {
        try writingSession(session, for: request)
        let address = try Parameters(of: request)["quickadd"] ?? ""
        _ = try subscribing(request, in: session)
        do throws(ReaderError) {
            // Some clients send the ID of a stream.
            let feed = String(address.trimmingPrefix("feed/"))
            let source = try await subscribe(to: feed, request, in: session).source
            return HTTPResponse(json: [
                "numResults": 1, "query": .string(address), "streamId": .string("feed/\(source.id)"),
                "streamName": .string(source.name),
            ])
        } catch {
            guard error.status == .badRequest else { throw error }
            return HTTPResponse(json: [
                "numResults": 0, "query": .string(address), "streamId": "", "streamName": "",
                "error": .string(error.text),
            ])
        }
    }

    /// `subscription/import`: subscribes to the feeds of a list (OPML).
    func importSubscriptions(_ request: HTTPRequest, in session: Session) async throws(ReaderError) -> HTTPResponse {
        try writingSession(session, for: request)
        let editor = try subscribing(request, in: session)
        try await ReaderError.catching { _ = try await editor.importFile(request.body) }
        return .done
    }

    /// Subscribes to the feed of a page; to the first one if the page has several, because a client cannot choose.
    ///
    /// - Returns: The source, and whether it was not subscribed before.
    private func subscribe(
        to address: String, name: String? = nil, tags: [TagName] = [], _ request: HTTPRequest, in session: Session
    ) async throws(ReaderError) -> (source: Source, isNew: Bool) {
        let editor = try subscribing(request, in: session)
        return try await ReaderError.catching {
            var outcome = try await editor.subscribe(to: address, name: name, tags: tags)
            if case .several(let feeds) = outcome, let first = feeds.first {
                outcome = try await editor.subscribe(to: first.address, name: name, tags: tags)
            }
            switch outcome {
            case .subscribed(let result): return (result.source, true)
            case .known(let source): return (source, false)
            case .several: throw SubscribeError.noFeed(address)
            }
        }
    }

    /// Returns the changes of subscriptions by the caller. Only editors may make them.
    private func subscribing(_ request: HTTPRequest, in session: Session) throws(ReaderError) -> SubscriptionEditor {
        services.subscriptionEditor(for: try editorAuthority(request, in: session), client: "Google Reader API")
    }

    /// `subscription/export`: returns the sources that are feeds, as OPML.
    func exportSubscriptions() async throws(ReaderError) -> HTTPResponse {
        var exporter = ArticleExporter(repository: services.articles, options: ExportOptions(title: "Feeds"))
        exporter.subscriptions = services.subscriptions
        let bytes = try await ReaderError.catching { [exporter] in
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

/// The addresses of sources. Clients use them as keys: Fluent Reader has a unique index on them, and NetNewsWire stores
/// the settings of a feed by its address. An address never reveals the path of a source on the server's disk.
extension [Source] {
    /// Returns a distinct address for each source: the address of its feed, or the address at which this server returns
    /// it as Atom. If two sources have the same feed, the one with the lower ID keeps the address of the feed, so that
    /// a new source never changes the address of another.
    ///
    /// - Parameter site: the address of the server; nil if the client did not name it.
    func feedAddresses(at site: String?) -> [Source.ID: String] {
        var addresses: [Source.ID: String] = [:]
        var taken: Set<String> = []
        for source in sorted(by: { $0.id < $1.id }) {
            let own = "\(site ?? "")/reader/atom/feed/\(source.id)"
            let address = source.facts.publicFeedAddress.flatMap { taken.contains($0) ? nil : $0 } ?? own
            taken.insert(address)
            addresses[source.id] = address
        }
        return addresses
    }
}

extension SourceReference {
    /// Returns the address of the source's site, or of the page of this server that lists its articles.
    ///
    /// - Parameter site: the address of the server; nil if the client did not name it.
    func pageAddress(at site: String?) -> String {
        if let home, !home.isEmpty { return home }
        return (site ?? "") + ArticleList(query: ArticleQuery(source: name)).pagePath
    }
}

extension SourceFacts {
    /// The address of the feed on the web; nil if the source is not a feed.
    fileprivate var publicFeedAddress: String? {
        [feedURL, kind == .feed ? location?.text : nil].compactMap(\.self).first { address in
            ["http://", "https://"].contains { address.lowercased().hasPrefix($0) }
        }
    }
}

internal import ArticleStore
internal import Navigation
internal import Text

/// Shows the sources, and changes them and their subscriptions. The flow finishes with a list of articles to show.
final class SourceCoordinator: Coordinator {
    /// The answers of the form for a new source.
    private struct NewSource {
        var name: String?
        var tags: [TagName] = []
        var hasFullText = false
    }

    private let flow: Flow<AppRoute, ArticleList>
    private let environment: Environment
    /// The feeds of a page, from which the user chooses, and the other answers of the form.
    private var found: (feeds: [FoundFeed], new: NewSource)?
    private var version = FormVersion()

    init(flow: Flow<AppRoute, ArticleList>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) {
        switch (event, route) {
        case (.open(.articles(let list)), _): flow.finish(with: list)
        case (.open(let place), _):
            version = FormVersion()
            open(place, from: route, in: flow)
        case (.submitted(let answers), .subscribing): subscribe(answers, in: route)
        case (.submitted(let answers), .feedList): importFile(answers[file: .list])
        case (.feedChosen(let address), .foundFeeds):
            subscribe(to: address, found?.new ?? NewSource(), in: route)
        case (.submitted(let answers), .sourceEditing(let id)): change(id, into: answers)
        case (.sourceFetchChosen(nil), .source(let id)), (.sourceFetchChosen(let id?), .sources):
            edit(id, .fetching) { editor, source in Notice(try await editor.fetch(source)) }
        case (.sourcePauseChosen, .source(let id)): setPaused(true, id)
        case (.sourceResumeChosen, .source(let id)): setPaused(false, id)
        case (.sourceQuietChosen, .source(let id)): setQuiet(true, id)
        case (.sourceUnreadChosen, .source(let id)): setQuiet(false, id)
        case (.unsubscriptionChosen, .source(let id)):
            edit(id, .sourceChange) { editor, source in
                try await editor.unsubscribe(from: [source])
                return Notice("“\(source.name)” is not fetched any more. Its articles stay.")
            }
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        try await content(of: route).during(flow.activity)
    }

    private func content(of route: AppRoute) async throws -> Screen {
        if !environment.stack().contains(.foundFeeds) { found = nil }
        switch route {
        case .sources(let page):
            var screen = Screen.sources(
                try await environment.library.sources(), page: page, canBeChanged: environment.offersEditing,
                canBeFetched: environment.offersFeeds)
            screen.actions = environment.sourceAdditions
            return screen
        case .source(let id):
            return .source(
                try await environment.library.source(id), canBeChanged: environment.offersEditing,
                canBeFetched: environment.offersFeeds, canBeQuiet: environment.writingUser != nil)
        case .sourceEditing(let id):
            let listed = try await environment.library.source(id)
            return .sourceEditing(
                listed, version: version.first(listed.formText.version, at: route),
                hasEditConflict: version.hasConflict(at: route))
        case .subscribing(let address): return .subscribing(to: address ?? "")
        case .feedList: return .feedList
        case .foundFeeds: return .foundFeeds(found?.feeds ?? [])
        default: throw ScreenError.misplaced(route)
        }
    }

    private func subscribe(_ answers: Answers, in route: AppRoute) {
        let (address, name) = (String((answers[.address] ?? "").trimmed), String((answers[.name] ?? "").trimmed))
        guard !address.isEmpty else { return environment.show(Notice(FormError.noAddress)) }
        environment.attempt {
            let new = NewSource(
                name: name.isEmpty ? nil : name,
                tags: try NameField.names(in: answers[.tags] ?? "").map { try TagName($0) },
                hasFullText: answers[.texts] == TextOrigin.pages.rawValue)
            subscribe(to: address, new, in: route)
        }
    }

    /// Subscribes to a feed, and shows its source or the feeds to choose from.
    private func subscribe(to address: String, _ new: NewSource, in form: AppRoute) {
        let editor = Result { try environment.subscriptionEditor() }
        environment.run(.subscribing, in: flow) {
            try await editor.get().subscribe(
                to: address, name: new.name, tags: new.tags,
                settings: SubscriptionChange(fullText: new.hasFullText ? true : nil))
        } then: { [self] result, _ in
            let outcome = try result.get()
            // The user may have gone to another screen. The source is in the list then.
            let isOnTop = environment.stack().last == form
            switch outcome {
            case .subscribed(let result):
                environment.show(Notice(firstFetch: result))
                if isOnTop { show(result.source, insteadOf: form) }
            case .known(let source):
                environment.show(Notice("“\(source.name)” is already subscribed."))
                if isOnTop { show(source, insteadOf: form) }
            case .several(let feeds):
                guard isOnTop, form != .foundFeeds else { throw SubscribeError.noFeed(address) }
                found = (feeds, new)
                flow.push(.foundFeeds)
            }
        }
    }

    private func show(_ source: Source, insteadOf form: AppRoute) {
        if form == .foundFeeds { flow.pop() }
        // An ended subscription may begin again on the page of its source.
        let beneath = environment.stack().dropLast(form == .foundFeeds ? 2 : 1).last
        if beneath == .source(source.id) { flow.pop() } else { flow.replace(with: .source(source.id)) }
    }

    /// Imports a file from another feed reader.
    private func importFile(_ file: [UInt8]) {
        let (editor, marking) = (Result { try environment.subscriptionEditor() }, environment.marking)
        environment.run(.subscribing, in: flow) {
            try await editor.get().importFile(file) { marks in
                var leftOut = 0
                return try await marking?.merge(marks.mapValues { ArticleMarks($0, leftOut: &leftOut) }).articles ?? 0
            }
        } then: { [flow, environment] result, _ in
            environment.show(Notice(try result.get()))
            if environment.stack().last == .feedList { flow.pop() }
        }
    }

    /// Changes a source as a form says.
    private func change(_ id: Source.ID, into answers: Answers) {
        guard environment.offersEditing else { return }
        let library = environment.library
        let (editor, subscribing) = (
            Result { try environment.libraryEditor() }, Result { try environment.subscriptionEditor() }
        )
        environment.run(.sourceChange, in: flow) { () async throws -> Notice in
            let listed = try await library.source(id)
            let source = listed.source
            let name = String((answers[.name] ?? source.name).trimmed)
            let tags = try answers[.tags].map { try NameField.names(in: $0).map { try TagName($0) } }
            let settings = try SubscriptionChange(answers)
            guard settings.isEmpty || listed.subscription != nil else {
                throw SubscribeError.notSubscribed(source.name)
            }
            var newSettings = listed.subscription?.settings
            if var new = newSettings {
                settings.apply(to: &new)
                newSettings = new
            }
            let isSame = name == source.name && tags.map { Set($0) == Set(source.facts.tags) } ?? true
            guard !isSame || newSettings != listed.subscription?.settings else { return .nothingChanged }
            try listed.formText.check(answers[.version])
            var changed = source
            if !isSame {
                changed = try await editor.get().changeSource(
                    source, name: name == source.name ? nil : name, tags: tags.map { .all($0) }
                ).source
            }
            if newSettings != nil { try await subscribing.get().change([source], as: settings) }
            return Notice("Changed “\(changed.name)”.")
        } then: { [self] result, route in
            if case .failure(ScreenError.editConflict) = result { version.tellConflict(at: .sourceEditing(id)) }
            environment.show(try result.get())
            // Close the form only if it is on top.
            if environment.stack().last == route, route == .sourceEditing(id) { flow.pop() }
        }
    }

    private func setPaused(_ isPaused: Bool, _ id: Source.ID) {
        edit(id, .sourceChange) { editor, source in
            try await editor.change([source], as: SubscriptionChange(paused: isPaused))
            return Notice(
                isPaused ? "“\(source.name)” is paused." : "“\(source.name)” is fetched by the schedule again.")
        }
    }

    private func setQuiet(_ isQuiet: Bool, _ id: Source.ID) {
        guard let user = environment.writingUser else { return }
        run(id, .sourceChange) { editor, source in
            try await editor.setQuiet(isQuiet, [source], by: user)
            return Notice(
                isQuiet
                    ? "New articles of “\(source.name)” are read at once for you."
                    : "New articles of “\(source.name)” stay unread for you.")
        }
    }

    /// Changes or fetches the subscription of a source.
    private func edit(
        _ id: Source.ID, _ activity: Activity,
        _ work: @escaping @Sendable (SubscriptionEditor, Source) async throws -> Notice
    ) {
        guard environment.offersEditing else { return }
        run(id, activity, work)
    }

    private func run(
        _ id: Source.ID, _ activity: Activity,
        _ work: @escaping @Sendable (SubscriptionEditor, Source) async throws -> Notice
    ) {
        let (articles, editor) = (environment.articles, Result { try environment.subscriptionEditor() })
        environment.run(activity, in: flow) { () async throws -> Notice in
            guard let source = try await articles.sources().first(where: { $0.id == id }) else {
                throw ScreenError.noSource(id)
            }
            return try await work(try editor.get(), source)
        } then: { [environment] result, _ in
            environment.show(try result.get())
        }
    }
}

extension SubscriptionChange {
    /// Creates the change that a form describes.
    ///
    /// - Throws: ``FormError/badRetention(_:)``.
    fileprivate init(_ answers: Answers) throws {
        self.init(
            fullText: answers[.texts].map { $0 == TextOrigin.pages.rawValue },
            unreadOnUpdate: answers[.updates].map { $0 == UpdateEffect.unread.rawValue },
            retention: try answers[.kept].map { answer throws(FormError) in
                let text = String(answer.trimmed)
                guard let retention = Retention(text) else { throw .badRetention(text) }
                return retention
            })
    }
}

extension LibraryLister {
    /// Returns a source with its subscription and its numbers of articles.
    ///
    /// - Throws: ``ScreenError/noSource(_:)``; the errors of the library.
    fileprivate func source(_ id: Source.ID) async throws -> ListedSource {
        guard let listed = try await sources().first(where: { $0.source.id == id }) else {
            throw ScreenError.noSource(id)
        }
        return listed
    }
}

extension Notice {
    /// Describes the first fetch of a subscription.
    fileprivate init(firstFetch result: FetchResult) {
        let problem = result.problem.map { " The first fetch failed: \($0)." }
        let count = result.changes.new.quantity(of: "new article")
        self.init("Subscribed to “\(result.source.name)”: \(count).\(problem ?? "")")
    }

    /// Describes the import of a file from another feed reader.
    fileprivate init(_ result: ReaderImport) {
        var parts: [String] = []
        if result.subscribed > 0 {
            let feeds = result.subscribed.quantity(of: "feed. It is", "feeds. They are")
            parts.append("Subscribed to \(feeds) fetched soon.")
        }
        if result.knownFeeds > 0 {
            parts.append(result.knownFeeds.quantity(of: "feed was already", "feeds were already") + " subscribed.")
        }
        if result.new + result.known > 0 {
            let known = result.known > 0 ? " \(result.known) were in the library." : ""
            let marked =
                result.marked > 0 ? " \(result.marked.quantity(of: "article has", "articles have")) new marks." : ""
            parts.append("Imported \(result.new.quantity(of: "new article")).\(known)\(marked)")
        }
        if result.rejected > 0 {
            let more = result.rejected > result.problems.count ? "; …" : ""
            parts.append(
                "Not imported: \(result.rejected.quantity(of: "line or entry", "lines or entries")) "
                    + "(\(result.problems.joined(separator: "; "))\(more)).")
        }
        self.init(parts.joined(separator: " "))
    }

    /// Describes a fetch.
    fileprivate init(_ result: FetchResult) {
        let name = result.source.name
        if let problem = result.problem {
            self.init("“\(name)” was not fetched: \(problem).")
        } else if result.changes == (0, 0), result.removed == 0 {
            self.init("There are no new articles in “\(name)”.")
        } else {
            let removed = result.removed > 0 ? ", \(result.removed) removed" : ""
            self.init("Fetched “\(name)”: \(result.changes.new) new, \(result.changes.changed) changed\(removed).")
        }
    }
}

extension SourceCoordinator: SecretHolder {
    /// The feeds of a page, and the answers of the form.
    struct Found: Codable {
        struct Feed: Codable {
            let address: String
            let title: String?
        }

        let feeds: [Feed]
        let name: String?
        let tags: [String]
        let hasFullText: Bool
    }

    func save(to secrets: inout FlowSecrets) {
        secrets.foundFeeds = found.map { feeds, new in
            Found(
                feeds: feeds.map { Found.Feed(address: $0.address, title: $0.title) }, name: new.name,
                tags: new.tags.map(\.name), hasFullText: new.hasFullText)
        }
    }

    func restore(from secrets: FlowSecrets) {
        found = secrets.foundFeeds.map { found in
            (
                feeds: found.feeds.map { FoundFeed(address: $0.address, title: $0.title) },
                new: NewSource(
                    name: found.name, tags: found.tags.compactMap { try? TagName($0) }, hasFullText: found.hasFullText)
            )
        }
    }
}

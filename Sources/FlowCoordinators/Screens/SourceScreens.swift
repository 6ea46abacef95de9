internal import ArticleStore
internal import Text

extension Screen {
    /// A page of the list of sources. It omits the columns about fetches if no source is subscribed.
    ///
    /// - Parameters:
    ///   - canBeChanged: whether the user may change sources.
    ///   - canBeFetched: whether the user may fetch them now.
    static func sources(
        _ sources: [ListedSource], page: PageNumber, canBeChanged: Bool, canBeFetched: Bool
    ) -> Screen {
        let all = sources.sorted { FoldedKey.fold($0.source.name) < FoldedKey.fold($1.source.name) }
        var columns: [ListColumn<ListedSource>] = [
            .init("Name", .primary, \.source.name)
        ]
        // Next to the name, because a narrow screen cuts the last columns.
        if all.contains(where: { $0.subscription?.lastError != nil }) {
            columns.append(.init("Problem", .fact) { $0.subscription?.lastError ?? "" })
        }
        columns += [
            .init("Tags", .fact) { $0.source.facts.tags.map(\.name).joined(separator: ", ") },
            .init("Articles", .fact, value: { .number($0.articles) }),
        ]
        if all.contains(where: { $0.subscription != nil }) {
            columns += [
                .init("Last fetch", .fact, value: { $0.subscription?.lastFetch.map { .time($0) } ?? .text("") }),
                .init("Next fetch", .fact, value: { $0.subscription?.next ?? .text("") }),
                .init("Address", .detail) { $0.subscription?.address ?? "" },
            ]
        }
        var rows = all[page.range(of: all.count)].map { listed in
            let id = listed.source.id
            let fetch = canBeFetched && listed.subscription != nil ? [Action("Fetch now", .sourceFetchChosen(id))] : []
            let change = canBeChanged ? [Action("Change", .open(.sourceEditing(id)))] : []
            var row = List.Row(
                columns.map { $0.cell(listed) }, event: .open(.source(id)), id: String(id), actions: fetch + change)
            row.icon = listed.iconPath
            return row
        }
        if let next = page.next(of: all.count) {
            let cells = columns.indices.map { List.Cell.text($0 == 0 ? next.label : "") }
            rows.append(List.Row(cells, event: .open(.sources(page: next.page)), id: "next"))
        }
        return Screen(
            title: "Sources\(page.title)",
            content: .list(
                List(
                    columns: columns.map(\.column), rows: rows, placeholder: "There are no sources.",
                    choice: "Open the source")))
    }

    /// The page of a source.
    ///
    /// - Parameters:
    ///   - canBeChanged: whether the user may change the source.
    ///   - canBeFetched: whether the user may fetch it now.
    ///   - canBeQuiet: whether the user may make it quiet.
    static func source(
        _ listed: ListedSource, canBeChanged: Bool, canBeFetched: Bool, canBeQuiet: Bool
    ) -> Screen {
        let (source, subscription) = (listed.source, listed.subscription)
        let settings = subscription?.settings ?? Subscription.Settings()
        let articles = ArticleQuery(source: source.name)
        func web(_ address: String?) -> [Document.Fact.Part] {
            address.map { [.init($0, address: ArticleDraft.isWebAddress($0) ? $0 : nil)] } ?? []
        }
        // Paths of this machine are not for users of other machines.
        let location = source.facts.location?.text
        let address = subscription?.address ?? (location?.contains("://") == true ? location : nil)
        let last = source.lastImport
        let fetches = [
            Document.Fact("Problem", subscription?.lastError ?? ""),
            Document.Fact("Failures", subscription.map { $0.failures > 0 ? String($0.failures) : "" } ?? ""),
            Document.Fact(
                "Last fetch", subscription.map { [$0.lastFetch.map { .minute($0) } ?? .init("never")] } ?? []),
            Document.Fact("Next fetch", subscription.map { [$0.nextPart] } ?? []),
        ]
        let facts = [
            Document.Fact("Articles", [.init(String(listed.articles), list: articles)]),
            Document.Fact("Unread", listed.unread.map { String($0) } ?? ""),
            Document.Fact("Tags", source.facts.tags.map { .init($0.name, list: ArticleQuery(sourceTag: $0.name)) }),
            Document.Fact("Kind", source.kind.rawValue),
            Document.Fact("Address", web(address)),
            Document.Fact("Site", web(source.facts.home == address ? nil : source.facts.home)),
            Document.Fact("Full text", settings.hasFullText ? "from the pages of the articles" : ""),
            Document.Fact("Updates", settings.marksChangedUnread ? "make articles unread again" : ""),
            Document.Fact("Keep", settings.retention.words),
            Document.Fact("Quiet", subscription?.isQuiet == true ? "new articles are read at once for you" : ""),
            Document.Fact("Password", subscription?.hasPassword == true ? "stored" : ""),
            Document.Fact("Announced by", subscription?.push.map { [$0.part] } ?? []),
            Document.Fact("Last import", subscription == nil ? last.map { [.minute($0.date)] } ?? [] : []),
            Document.Fact("Problems", last.map { $0.problemCount > 0 ? String($0.problemCount) : "" } ?? ""),
        ]
        let isFailing = subscription?.lastError != nil
        let shown = (isFailing ? fetches : []) + facts + (isFailing ? [] : fetches)
        var actions = [Action("Show the articles", .open(.articles(ArticleList(query: articles))))]
        if canBeChanged { actions.append(Action("Change", .open(.sourceEditing(source.id)))) }
        if canBeFetched {
            if subscription != nil {
                actions.append(Action("Fetch now", .sourceFetchChosen()))
            } else if let address, ArticleDraft.isWebAddress(address) {
                actions.append(Action("Subscribe again", .open(.subscribing(address: address))))
            }
        }
        if canBeQuiet, let subscription {
            actions.append(
                subscription.isQuiet
                    ? Action("Leave new articles unread", .sourceUnreadChosen)
                    : Action("Make quiet", .sourceQuietChosen))
        }
        if canBeChanged, subscription?.state == .active {
            actions.append(
                settings.isPaused
                    ? Action("Resume", .sourceResumeChosen) : Action("Pause", .sourcePauseChosen))
        }
        if canBeChanged, subscription != nil {
            actions.append(
                Action(
                    "Unsubscribe", .unsubscriptionChosen,
                    confirmation: "Stop fetching “\(source.name)”? Its articles stay."))
        }
        var screen = Screen(
            title: source.name,
            content: .document(
                Document(
                    facts: shown.filter { !$0.value.isEmpty }, body: last?.problems.joined(separator: "\n") ?? "")),
            actions: actions)
        screen.icon = listed.iconPath
        return screen
    }

    /// The form that subscribes to a feed.
    static func subscribing(to address: String) -> Screen {
        Screen(
            title: "Subscribe to a feed",
            content: .form(
                Form(
                    [
                        .init(
                            .address, "Address", value: address,
                            hint:
                                "The address of a feed (RSS, Atom, JSON Feed), or of a page that has one, such as example.org/blog."
                        ),
                        .init(.name, "Name", hint: "The name of the source. If it is empty, the feed's title is used."),
                        .init(.tags, "Tags", hint: "Separated by commas. Other readers show them as folders."),
                        TextOrigin.field(hasFullText: false),
                    ], submitLabel: "Subscribe")))
    }

    /// The form that imports a file from another feed reader.
    static let feedList = Screen(
        title: "Import from another reader",
        content: .form(
            Form(
                [
                    .init(
                        .list, "File", kind: .file,
                        hint:
                            "A list of feeds (OPML, or newsboat's urls), to which you subscribe; or articles from Miniflux "
                            + "(entries as JSON) or FreshRSS (starred.json), with their stars and read marks as yours.")
                ], submitLabel: "Import")))

    /// The feeds of a page, for the user to choose one. If there are none, the screen says that they are gone.
    static func foundFeeds(_ feeds: [FoundFeed]) -> Screen {
        let columns: [ListColumn<FoundFeed>] = [
            .init("Title", .primary) { $0.title ?? $0.address }, .init("Address", .fact, \.address),
        ]
        return Screen(
            title: "Choose a feed",
            content: .list(
                List(
                    columns: columns.map(\.column),
                    rows: feeds.map { feed in
                        List.Row(columns.map { $0.cell(feed) }, event: .feedChosen(feed.address), id: feed.address)
                    },
                    placeholder: "The feeds of the page are not known any more. Go back, and enter its address again.",
                    choice: "Subscribe")))
    }

    /// The form that changes a source.
    ///
    /// - Parameters:
    ///   - version: the version of ``ListedSource/formText``.
    ///   - hasEditConflict: whether the source was changed elsewhere after the user had begun.
    static func sourceEditing(_ listed: ListedSource, version: String, hasEditConflict: Bool) -> Screen {
        let source = listed.source
        let settings = listed.subscription.map { fields(of: $0.settings) } ?? []
        return Screen(
            title: "Change “\(source.name)”",
            content: .form(
                Form(
                    [
                        .init(.name, "Name", value: source.name),
                        .init(
                            .tags, "Tags", value: NameField.text(of: source.facts.tags.map(\.name)),
                            hint: "Separated by commas. Other readers show them as folders."),
                    ] + settings, submitLabel: "Save", version: version, hasEditConflict: hasEditConflict)))
    }

    /// The fields for the settings of a subscription.
    private static func fields(of settings: Subscription.Settings) -> [Form.Field] {
        [
            TextOrigin.field(hasFullText: settings.hasFullText),
            UpdateEffect.field(marksUnread: settings.marksChangedUnread),
            Form.Field(
                .kept, "Keep", value: settings.retention.description,
                hint: """
                    all, a number for the newest articles, or a number of days such as 30d. Articles that somebody has not \
                    read, or has starred, saved for later, noted, tagged, or edited, stay in any case.
                    """),
        ]
    }
}

/// The origin of the texts of a feed's articles, in forms.
enum TextOrigin: String {
    /// The feed.
    case feed
    /// The main texts of the pages.
    case pages

    /// The field with this choice.
    static func field(hasFullText: Bool) -> Form.Field {
        Form.Field(
            .texts, "Texts",
            kind: .choice([
                .init(value: feed.rawValue, label: "As the feed has them"),
                .init(value: pages.rawValue, label: "The main texts of the pages"),
            ]),
            value: (hasFullText ? pages : feed).rawValue, hint: "For feeds that have only summaries, fetch the pages.")
    }
}

/// The effect of an update of an article on users who have read it, in forms.
enum UpdateEffect: String {
    /// The article stays read.
    case read
    /// The article becomes unread again.
    case unread

    /// The field with this choice.
    static func field(marksUnread: Bool) -> Form.Field {
        Form.Field(
            .updates, "Updates",
            kind: .choice([
                .init(value: read.rawValue, label: "Read articles stay read"),
                .init(value: unread.rawValue, label: "Read articles become unread again"),
            ]),
            value: (marksUnread ? unread : read).rawValue, hint: "For articles that the feed changes later.")
    }
}

extension ListedSource {
    /// The values that the form edits, in one text for people: the error about a conflict contains it.
    var formText: String {
        let settings = subscription?.settings ?? Subscription.Settings()
        let words = [
            settings.hasFullText ? "the main texts of the pages" : "",
            settings.marksChangedUnread ? "updates make articles unread again" : "", settings.retention.words,
        ]
        return ([source.name] + source.facts.tags.map(\.name) + words.filter { !$0.isEmpty }).joined(separator: ", ")
    }
}

extension Subscription {
    /// The time of the next fetch.
    fileprivate var next: List.Cell { isScheduled ? .time(nextFetch) : .text(end) }

    /// The time of the next fetch, as a part of a fact.
    fileprivate var nextPart: Document.Fact.Part { isScheduled ? .minute(nextFetch) : .init(end) }

    /// The reason why no fetch is scheduled.
    private var end: String { state == .active ? "paused" : "ended" }
}

extension Subscription.Push {
    fileprivate var part: Document.Fact.Part {
        guard let end else { return .init(words(until: nil)) }
        return .minute(end, before: host.sanitized() + ", ends ", after: problem.map { " (\($0))" } ?? "")
    }
}

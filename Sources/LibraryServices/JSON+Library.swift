package import ArticleStore
package import Text

extension JSON {
    /// Creates a source, as `sources` writes it.
    ///
    /// - Parameters:
    ///   - count: the number of its articles.
    ///   - unread: the number of its unread articles; nil without a user.
    ///   - isLocal: whether the output may contain the location of the source on this machine.
    package init(source: Source, articles count: Int, unread: Int? = nil, isLocal: Bool = true) {
        let last = source.lastImport
        let location = source.facts.location?.text
        self = [
            "name": .string(source.name), "id": .string(source.uid.description), "kind": .string(source.kind.rawValue),
            "articles": JSON(count), "unread": unread.map { JSON($0) } ?? .null,
            "location": JSON(isLocal || location?.contains("://") == true ? location : nil),
            "feedURL": JSON(source.facts.feedURL),
            "baseURL": JSON(source.facts.home), "tags": JSON(source.facts.tags.map(\.name)),
            "lastImport": JSON(last.map { RFC3339.string(from: $0.date) }),
            "problemCount": JSON(last?.problemCount ?? 0), "problems": JSON(last?.problems ?? []),
        ]
    }

    /// Creates a source of a list with its subscription, as `sources` writes it.
    package init(_ listed: ListedSource, isLocal: Bool = true) {
        let source = JSON(source: listed.source, articles: listed.articles, unread: listed.unread, isLocal: isLocal)
        let icon = JSON.Member("icon", JSON(listed.iconPath))
        let subscription = JSON.Member("subscription", listed.subscription.map { JSON($0) } ?? .null)
        self = .object((source.members ?? []) + [icon, subscription])
    }

    /// Creates a subscription.
    package init(_ subscription: Subscription) {
        func time(_ date: Date?) -> JSON { JSON(date.map { RFC3339.string(from: $0) }) }
        self = [
            "address": .string(subscription.address), "state": .string(subscription.state.rawValue),
            "nextFetch": subscription.isScheduled ? time(subscription.nextFetch) : .null,
            "lastFetch": time(subscription.lastFetch), "lastSuccess": time(subscription.lastSuccess),
            "failures": JSON(subscription.failures), "lastError": JSON(subscription.lastError),
            "fullText": .bool(subscription.settings.hasFullText), "paused": .bool(subscription.settings.isPaused),
            "unreadOnUpdate": .bool(subscription.settings.marksChangedUnread),
            "keep": .string(subscription.settings.retention.description), "quiet": .bool(subscription.isQuiet),
            "hasPassword": .bool(subscription.hasPassword),
            "push": subscription.push.map { push in
                ["hub": .string(push.host), "until": time(push.end), "problem": JSON(push.problem)]
            } ?? .null,
        ]
    }

    /// Creates an author or a tag, as `authors` and `tags` write it.
    package init(_ listed: ListedLabel) {
        self = [
            "name": .string(listed.label.name), "articles": JSON(listed.label.articles),
            "unread": JSON(listed.unread),
        ]
    }

    /// Creates a saved search, as `searches save` writes it.
    package init(_ search: SavedSearch) {
        let list = ArticleList(query: search.saved)
        self = [
            "name": .string(search.name.name), "filters": JSON(filters: search.saved), "list": .string(list.pagePath),
        ]
    }

    /// Creates a saved search with its number of unread articles, as `searches` writes it.
    package init(_ listed: ListedSearch) {
        self = .object(
            (JSON(listed.search).members ?? []) + [JSON.Member("unread", listed.unread.map { JSON($0) } ?? .null)])
    }

    /// Creates a rule, as `rules` writes it.
    /// - Parameter source: the name of its source.
    package init(_ rule: Rule, source: String?) {
        self = [
            "name": .string(rule.name.name), "search": JSON(rule.condition.search?.text), "source": JSON(source),
            "address": JSON(rule.condition.address), "pattern": JSON(rule.condition.pattern?.text),
            "actions": .array(rule.actions.map { .string($0.text) }),
        ]
    }

    /// Creates the result of trying a rule, as `rules try` writes it.
    package init(_ trial: RuleTrial) {
        self = [
            "examined": JSON(trial.examined), "met": JSON(trial.met.count), "tooSlow": JSON(trial.tooSlow),
            "articles": .array(trial.met.map { ["slug": .string($0.slug), "title": .string($0.title)] }),
        ]
    }

    /// Creates the filters and the order of a list, without those that have their default.
    private init(filters query: ArticleQuery) {
        self = .object(
            ArticleListSetting.all.compactMap { setting in
                let value: JSON? =
                    switch setting.value {
                    case .text(let get, _): get(query).map { .string($0) }
                    case .date(let get, _): get(query).map { .string(RFC3339.string(from: $0)) }
                    case .flag(let get, _): get(query) ? .bool(true) : nil
                    case .sort: query.sort == ArticleQuery().sort ? nil : .string(query.sort.rawValue)
                    case .limit, .cursor: nil
                    }
                return value.map { JSON.Member(setting.name, $0) }
            })
    }

    /// Creates one of the user's own tags, as `tags --mine` writes it.
    package init(ownTag: MarkCounts.Tag) {
        self = ["name": .string(ownTag.tag.name), "articles": JSON(ownTag.articles)]
    }
}

extension JSON {
    /// Creates an article of a list, with its marks if the request has a user, and other members at its end.
    package init(listed article: ArticleSummary, marks: [Int64: ArticleMarks]?, adding members: [Member] = []) {
        let marks = marks.map { [Member("marks", JSON(marks: $0[article.id] ?? ArticleMarks()))] } ?? []
        self = .encoded(ArticleJSON.utf8(article, adding: marks + members))
    }
}

extension ArticlePage {
    /// Returns the members of a list page except its articles.
    package func members(total: Int?) -> [JSON.Member] {
        let search = search.map { search -> JSON in
            ["waiting": JSON(search.waiting), "cut": .bool(search.isCut), "suggestion": JSON(search.suggestion)]
        }
        return [
            JSON.Member("next", JSON(next?.description)), JSON.Member("total", total.map { JSON($0) } ?? .null),
        ] + (search.map { [JSON.Member("search", $0)] } ?? [])
    }
}

extension LibraryStatistics {
    /// The statistics, as `stats` writes them.
    package var json: JSON {
        [
            "articles": JSON(size.articles), "unread": JSON(unread), "words": JSON(size.words),
            "readingMinutes": JSON(size.readingMinutes),
            "months": .array(size.months.map { ["month": .string($0.name), "articles": JSON($0.articles)] }),
            "authors": .array(authors.map { ["name": .string($0.name), "articles": JSON($0.articles)] }),
            "weeks": .array(weeks.map { ["monday": .string($0.monday), "read": JSON($0.read)] }),
        ]
    }
}

extension JSON {
    /// Creates the marks of an article, as `list` and `show` write them.
    package init(marks: ArticleMarks) {
        self = [
            "read": .bool(marks.read.value), "starred": .bool(marks.starred.value), "later": .bool(marks.later.value),
            "hidden": .bool(marks.hidden.value), "tags": .array(marks.tags.map { .string($0.value.name) }),
            "note": JSON(marks.note.value),
        ]
    }

    /// Returns an encoded object with the marks of the article at its end.
    package func adding(_ marks: ArticleMarks?) -> JSON {
        marks.map { adding("marks", JSON(marks: $0)) } ?? self
    }

    /// Returns an encoded object with another member.
    package func adding(_ name: String, _ value: JSON) -> JSON {
        guard case .encoded(var text) = self, text.last == UInt8(ascii: "}") else { return self }
        text.removeLast()
        text += ",\"\(name)\":".utf8
        text += value.utf8
        text.append(UInt8(ascii: "}"))
        return .encoded(text)
    }

    /// Creates the marks of an article with the time of each last change, as `account export` writes them.
    package init(record marks: ArticleMarks, of article: Article) {
        let names: [JSON.Member] = [
            .init("article", JSON(article.id)), .init("slug", .string(article.slug)),
            .init("source", .string(article.source.uid.description)), .init("key", .string(article.key.text)),
        ]
        self = .object(names + (marks.json.members ?? []))
    }
}

import ArticleStore
import AuthService

/// The schemas of responses and bodies other than articles.
extension Schema {
    /// The caller's marks of an article.
    static let marks = named(
        "Marks",
        .object([
            Member("read", .boolean), Member("starred", .boolean), Member("later", .boolean),
            Member("hidden", .boolean, "whether the article is hidden from your lists"),
            Member("tags", .array(.text), "your tags"), Member("note", .optional(.text)),
        ]))

    /// Marks to set. Omitted members stay unchanged.
    static let marksInput = named(
        "MarksInput",
        .object([
            Member("read", .boolean, isRequired: false), Member("starred", .boolean, isRequired: false),
            Member("later", .boolean, isRequired: false), Member("hidden", .boolean, isRequired: false),
            Member("tags", .array(ownTag, atMost: 100), isRequired: false, "all of your tags for the article"),
            Member("note", .optional(.string(Text(length: 0...65_536))), isRequired: false),
            Member("place", .optional(.integer(0...1000)), isRequired: false, "the reading position, in thousandths"),
        ]))

    private static let ownTag = Schema.string(Text(length: 1...100, isVisible: true))

    private static func changed(_ value: Schema, _ words: String? = nil) -> Schema {
        .object([Member("value", value), Member("changed", .optional(.time), isRequired: false, words)])
    }

    private static func recordMembers(isRequired: Bool) -> [Member] {
        [
            Member("read", changed(.boolean), isRequired: isRequired),
            Member("starred", changed(.boolean), isRequired: isRequired),
            Member("later", changed(.boolean), isRequired: isRequired),
            Member("hidden", changed(.boolean), isRequired: isRequired),
            Member("place", changed(.optional(.integer(0...1000))), isRequired: isRequired),
            Member("note", changed(.optional(.string(Text(length: 0...65_536)))), isRequired: isRequired),
            Member("tags", .array(changed(ownTag), atMost: 1000), isRequired: isRequired),
            Member("removedTags", .array(changed(ownTag), atMost: 1000), isRequired: isRequired),
        ]
    }

    /// The marks of an article with the times of their last changes.
    static let markRecord = named(
        "MarkRecord", .object([Member("article", .articleID)] + recordMembers(isRequired: true)))

    /// Marks that were set in another program.
    static let markRecordInput = named(
        "MarkRecordInput", .object([Member("article", .articleID)] + recordMembers(isRequired: false)))

    /// A source.
    static let source = named(
        "Source",
        .object([
            Member("name", .text), Member("id", .text), Member("kind", .choice(Source.Kind.allCases.map(\.rawValue))),
            Member("articles", .count), Member("unread", .optional(.count)), Member("location", .optional(.text)),
            Member("feedURL", .optional(.text)), Member("baseURL", .optional(.text)), Member("tags", .array(.text)),
            Member("lastImport", .optional(.time)), Member("problemCount", .count), Member("problems", .array(.text)),
            Member("icon", .optional(.text), "the path of the icon on this server, without a login"),
            Member("subscription", .optional(subscription), "null if the source is not fetched"),
        ]))

    private static let searchMembers = [
        Member("name", .text),
        Member(
            "filters", .object(ListParameters.savedFilters), "the filters and the order, as the parameters of lists"),
        Member("list", .text, "the path of the list's page on this server"),
    ]

    /// A saved search.
    static let savedSearch = named("SavedSearch", .object(searchMembers))

    /// A saved search with its number of unread articles.
    static let listedSearch = named(
        "ListedSearch",
        .object(
            searchMembers + [
                Member(
                    "unread", .optional(.count),
                    "at most \(ListedSearch.mostUnread); null if the counts of all searches took too long")
            ]))

    private static let conditionMembers = [
        Member(
            "search", .optional(.string(Text(length: 0...SearchQuery.length))), isRequired: false,
            "the words of a search"),
        Member("source", .optional(.text), isRequired: false, "the name of a source"),
        Member(
            "address", .optional(.string(Text(length: 0...RuleCondition.longestAddress))), isRequired: false,
            "a part of the address of the original"),
        Member(
            "pattern", .optional(.string(Text(length: 0...RulePattern.length))), isRequired: false,
            "a field and a regular expression, such as title:^sponsored"),
    ]

    private static let actions = Member(
        "actions", .array(.text), "the actions: hide, read, star, later, or tag:NAME")

    /// The condition of a rule.
    static let ruleCondition = named("RuleCondition", .object(conditionMembers))

    /// A rule to save.
    static let ruleInput = named("RuleInput", .object(conditionMembers + [actions]))

    /// A rule for new articles.
    static let rule = named("Rule", .object([Member("name", .text)] + conditionMembers + [actions]))

    /// The result of trying a condition.
    static let ruleTrial = named(
        "RuleTrial",
        .object([
            Member("examined", .count, "the number of examined articles"),
            Member("met", .count, "the number of articles that meet the condition"),
            Member("tooSlow", .count, "the number of articles in which the pattern exceeded the limit of its time"),
            Member(
                "articles",
                .array(.object([Member("slug", .text), Member("title", .text)])),
                "the articles that meet the condition, the latest first"),
        ]))

    /// The subscription of a source.
    private static let subscription = named(
        "Subscription",
        .object([
            Member("address", .text, "the address that is fetched"),
            Member("state", .choice(Subscription.State.allCases.map(\.rawValue))),
            Member("nextFetch", .optional(.time), "null if the subscription has ended or is paused"),
            Member("lastFetch", .optional(.time)), Member("lastSuccess", .optional(.time)),
            Member("failures", .count, "the number of failed fetches since the last success"),
            Member("lastError", .optional(.text)),
            Member("fullText", .boolean, "whether the main texts of the pages replace the summaries of the feed"),
            Member("paused", .boolean, "whether the schedule leaves the source out"),
            Member("unreadOnUpdate", .boolean, "whether an article becomes unread again when the feed changes it"),
            Member(
                "keep", .text, "the articles that stay after a fetch: all, a number, or a number of days such as 30d"),
            Member("quiet", .boolean, "whether new articles are read at once for the caller"),
            Member("hasPassword", .boolean, "whether there is a password for the address, which no request shows"),
            Member(
                "push",
                .optional(
                    .object([
                        Member("hub", .text, "the host of the hub"),
                        Member(
                            "until", .optional(.time), "the end of the lease; null if the hub has not confirmed it"),
                        Member("problem", .optional(.text), "why the hub has not confirmed the last request"),
                    ])), "the hub that announces new articles (WebSub); null if none was asked"),
        ]))

    /// The settings of a subscription in a request.
    static let subscriptionSettings = [
        Member(
            "fullText", .boolean, isRequired: false, "whether the main texts of the pages replace the summaries"),
        Member("paused", .boolean, isRequired: false, "whether the schedule leaves the source out"),
        Member(
            "unreadOnUpdate", .boolean, isRequired: false,
            "whether an article becomes unread again when the feed changes it"),
        Member(
            "keep", .string(Text(length: 1...10)), isRequired: false, "all, a number, or a number of days such as 30d"),
    ]

    static let sourceName = Schema.string(Text(length: 1...SourceFacts.nameLimit, isVisible: true))

    static let sourceTag = Schema.string(Text(length: 1...TagName.longest, isVisible: true))

    /// An author or a tag.
    static let label = named(
        "Label",
        .object([Member("name", .text), Member("articles", .count), Member("unread", .count)]))

    /// A tag of the caller.
    static let ownTagCount = named("OwnTag", .object([Member("name", .text), Member("articles", .count)]))

    /// The statistics of the library.
    static let statistics = named(
        "Statistics",
        .object([
            Member("articles", .count), Member("unread", .count), Member("words", .count),
            Member("readingMinutes", .count),
            Member("months", .array(.object([Member("month", .text), Member("articles", .count)]))),
            Member("authors", .array(.object([Member("name", .text), Member("articles", .count)]))),
            Member("weeks", .array(.object([Member("monday", .text), Member("read", .count)]))),
        ]))

    private static let role = choice(["reader", "editor", "operator"])

    /// A session.
    static let session = named("Session", .object(sessionMembers))

    private static let sessionMembers: [Member] = [
        Member("id", .text), Member("client", .text), Member("origin", .text), Member("created", .time),
        Member("lastUsed", .time), Member("expires", .time), Member("current", .boolean, isRequired: false),
    ]

    /// An API token.
    static let token = named("Token", .object(tokenMembers))

    /// A new token. Its secret is shown only once.
    static let newToken = named("NewToken", .object(tokenMembers + [Member("token", .text)]))

    private static let tokenMembers: [Member] = [
        Member("id", .text), Member("name", .text), Member("scope", scope), Member("created", .time),
        Member("expires", .time), Member("lastUsed", .optional(.time)),
    ]

    static let scope = choice(["read", "write"])

    /// The caller.
    static let account = named("Account", .object(accountMembers))

    /// The logged-in user, with the token of the session.
    static let newSession = named("NewSession", .object(accountMembers + [Member("bearer", .text)]))

    private static let accountMembers: [Member] = [
        Member("username", .text), Member("role", role), Member("region", .text), Member("registered", .time),
        Member("session", session, isRequired: false), Member("token", token, isRequired: false),
    ]

    /// A user.
    static let user = named(
        "User",
        .object([
            Member("id", .count), Member("username", .text), Member("role", role), Member("region", .text),
            Member("registered", .time), Member("disabled", .optional(.time)),
        ]))

    /// Problem details (RFC 9457).
    static let problem = named(
        "Problem",
        .object([
            Member("type", .text), Member("title", .text), Member("status", .integer(400...599)),
            Member("detail", .text), Member("code", .text, "the identifier of the error, for programs"),
            Member("pointer", .text, isRequired: false, "the place in the body (RFC 6901)"),
            Member(
                "feeds", .array(.object([Member("address", .text), Member("title", .optional(.text))])),
                isRequired: false, "the feeds of the page, with the code severalFeeds"),
            Member("source", .text, isRequired: false, "the ID of the source, with the code alreadySubscribed"),
        ]))
}

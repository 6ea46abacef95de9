import Arguments
import ArticleStore

/// The options that change the settings of subscriptions.
enum SubscriptionOptions {
    /// The options of `subscribe` and `sources set`.
    static let all = [
        OptionSpec(
            name: "full-text",
            summary: "fetch the page of each new article, and store its main text instead of the summary"),
        OptionSpec(name: "no-full-text", summary: "store the texts of the feed again"),
        OptionSpec(
            name: "keep",
            summary: """
                the articles to keep after each fetch: “all”, a number for the newest ones, or a number with “d” for the \
                articles of the last days; read articles beyond that are removed for good
                """, value: "NUMBER"),
        OptionSpec(
            name: "keep-unread-on-update",
            summary: "mark an article as unread again when the feed changes it; without this, a read article stays read"
        ),
        OptionSpec(name: "no-keep-unread-on-update", summary: "leave a read article read when the feed changes it"),
    ]

    /// Further options of `sources set`.
    static let pausing = [
        OptionSpec(name: "pause", summary: "leave the sources out of the schedule until they are resumed"),
        OptionSpec(name: "resume", summary: "fetch the sources by the schedule again"),
    ]

    /// Further options of `sources set`, which concern only the signed-in user.
    static let quiet = [
        OptionSpec(name: "quiet", summary: "mark new articles of the sources as read for you when they arrive"),
        OptionSpec(name: "no-quiet", summary: "leave new articles of the sources unread for you"),
    ]
}

extension ParsedCommand {
    /// The settings that the options of ``SubscriptionOptions/all`` change.
    ///
    /// - Throws: `UsageError` if options exclude each other, or a value is not valid.
    func subscriptionChange() throws(UsageError) -> SubscriptionChange {
        var change = SubscriptionChange(
            fullText: try choice("full-text", "no-full-text"),
            unreadOnUpdate: try choice("keep-unread-on-update", "no-keep-unread-on-update"))
        if let text = value("keep") {
            guard let retention = Retention(text) else {
                throw error(.invalidValue(of: "--keep", value: text, expected: Retention.expected))
            }
            change.retention = retention
        }
        return change
    }

    /// Whether the first or the second of two options was given; nil if none was.
    ///
    /// - Throws: `UsageError` if both were given.
    func choice(_ on: String, _ off: String) throws(UsageError) -> Bool? {
        guard !(flag(on) && flag(off)) else { throw error(.other("--\(on) and --\(off) exclude each other")) }
        return flag(on) ? true : flag(off) ? false : nil
    }
}

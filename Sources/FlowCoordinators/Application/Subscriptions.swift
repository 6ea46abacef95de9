package import ArticleStore

/// The subscriptions of a library, for the screens that show and change them.
public struct Subscriptions: Sendable {
    /// The stored subscriptions.
    let repository: any SubscriptionRepository
    /// The client for feeds; nil if this program does not send requests to other servers.
    let feeds: (any FeedClient)?

    package init(_ repository: any SubscriptionRepository, feeds: (any FeedClient)?) {
        (self.repository, self.feeds) = (repository, feeds)
    }
}

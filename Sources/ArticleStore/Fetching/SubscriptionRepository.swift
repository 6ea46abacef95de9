package import Text

/// The right of a process to fetch subscriptions for a time, in which no other process fetches them.
package struct FetchClaim: Sendable, Hashable {
    /// A name of the process that no other one has.
    package var holder: String
    /// The present time.
    package var start: Date
    /// The time at which others may fetch what the process has not finished, such as after a crash.
    package var end: Date

    package init(holder: String, start: Date, end: Date) { (self.holder, self.start, self.end) = (holder, start, end) }
}

/// Stores the subscriptions of sources. Several processes may fetch at the same time: each first claims subscriptions.
///
/// A subscription disappears with its source.
package protocol SubscriptionRepository: HubRepository {
    /// Returns all subscriptions, ordered by their sources.
    ///
    /// - Parameter user: the user for whom ``Subscription/isQuiet`` is set; nil for none.
    func subscriptions(for user: Int64?) async throws -> [Subscription]

    /// Adds subscriptions. If a source already has an active subscription, that stays as it is.
    func insert(_ subscriptions: [Subscription]) async throws

    /// Changes the settings of subscriptions.
    func change(_ sources: [Source.ID], as change: SubscriptionChange) async throws

    /// Changes whether new articles of subscribed sources are read at once for a user. Articles that are already in the
    /// library stay as they are. Does nothing if the user does not exist, and for sources that are not subscribed.
    func setQuiet(_ isQuiet: Bool, _ sources: [Source.ID], by user: Int64) async throws

    /// Stores the password of a subscription in place of an earlier one; nil removes it.
    func setPassword(_ password: FeedPassword?, of source: Source.ID) async throws

    /// Returns the passwords of subscriptions.
    func passwords(of sources: [Source.ID]) async throws -> [Source.ID: FeedPassword]

    /// Claims the icons of active subscriptions that are due and not paused, and whose feed was fetched before. They count as
    /// due again at `end`, unless ``setIcon(_:of:until:)`` changes that.
    ///
    /// - Parameters:
    ///   - count: the maximum number.
    ///   - now: the present time.
    ///   - end: the time of the next attempt, unless an icon is stored.
    /// - Returns: the subscriptions, ordered by their sources.
    func claimIcons(upTo count: Int, at now: Date, until end: Date) async throws -> [Subscription]

    /// Stores the icon of a subscribed source in place of an earlier one. It is due again at `end`.
    func setIcon(_ icon: SourceIcon, of source: Source.ID, until end: Date) async throws

    /// Returns the icon of a source; nil if there is none.
    func icon(of source: SourceUID) async throws -> SourceIcon?

    /// Removes the subscriptions of sources with their passwords and icons. The sources and their articles stay.
    func remove(_ sources: [Source.ID]) async throws

    /// Returns the sources whose subscriptions were removed, and not added again.
    func unsubscribedSources() async throws -> Set<Source.ID>

    /// Claims active subscriptions that are due and not paused, the ones that have waited longest first.
    ///
    /// - Parameters:
    ///   - count: the maximum number.
    ///   - claim: the claim.
    /// - Returns: the claimed subscriptions, in any order. The end of the claim is their next fetch.
    func claimDue(upTo count: Int, by claim: FetchClaim) async throws -> [Subscription]

    /// Claims the subscriptions of sources, whether they are due, active, paused, or none of these. A subscription that another
    /// process has claimed is left out.
    ///
    /// - Returns: the claimed subscriptions, in any order. The end of the claim is their next fetch.
    func claim(_ sources: [Source.ID], by claim: FetchClaim) async throws -> [Subscription]

    /// Makes claims last until the end of `claim`. Subscriptions that its process does not hold any more are left out.
    func renew(_ sources: [Source.ID], by claim: FetchClaim) async throws

    /// Stores the results of fetches in one transaction, and ends the claims. Results of claims that another process
    /// has taken over are ignored.
    func finish(_ subscriptions: [Subscription], holder: String) async throws
}

extension SubscriptionRepository {
    /// Returns all subscriptions, ordered by their sources.
    package func subscriptions() async throws -> [Subscription] { try await subscriptions(for: nil) }
}

/// The icon of a source: a small image for lists.
package struct SourceIcon: Sendable, Hashable {
    /// The maximum size in bytes.
    package static let largest = 64 << 10

    /// The media type.
    package let type: String
    /// The image as the server sent it.
    package let bytes: [UInt8]

    /// Creates an icon; nil if the bytes are too large, or not a PNG, GIF, JPEG, WebP, or ICO image.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest, let type = ImageType(of: bytes), type != .avif else { return nil }
        (self.type, self.bytes) = (type.rawValue, bytes)
    }
}

extension Source {
    /// The path of its icon on a server. It contains the identifier that cannot be guessed, so that programs can load icons
    /// without a login and strangers cannot list the sources.
    package var iconPath: String { "/sources/\(uid)/icon" }

    /// Returns the identifier in the path of an icon; nil if the path is another one.
    package static func uid(inIconPath path: String) -> SourceUID? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "sources", parts[3] == "icon" else { return nil }
        return SourceUID(String(parts[2]))
    }
}

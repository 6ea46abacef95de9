import ArticleStore
import AuthService
import LibraryServices
import Platform
import LibraryStores
import Synchronization

extension Context {
    /// The accounts, accessed directly by an operator. A person who can write the database does not need a
    /// session.
    func accounts() async throws -> AuthService {
        AuthService(store: try await stores().accounts, clock: clock)
    }

    /// The authority of the user of the operating system, who can write the database.
    var operatorOfTheMachine: Authority { .system(user: Self.systemUser) }

    /// The library for one change that needs no session. The log gets one entry, in the transaction of the first thing
    /// that changes, so that a command that changes nothing leaves none.
    func articles(recording detail: String) async throws -> any ArticleRepository {
        try await Self.articles(of: stores(), recording: detail, in: accounts())
    }

    /// The changes of articles and sources that need no session. Each is recorded like those of
    /// ``articles(recording:)``.
    func editing() async throws -> LibraryEditor {
        let (stores, accounts) = (try await stores(), try await accounts())
        return LibraryEditor(articles: stores.articles) { detail in
            Self.articles(of: stores, recording: detail, in: accounts)
        }
    }

    /// The changes of subscriptions that need no session.
    ///
    /// - Parameter feeds: The client for feeds; nil if the changes need no requests.
    func subscriptionEditor(_ feeds: (any FeedClient)?) async throws -> SubscriptionEditor {
        SubscriptionEditor(
            articles: try await articles(), subscriptions: try await subscriptions(), feeds: feeds,
            auth: try await accounts(), authority: operatorOfTheMachine, client: Self.client)
    }

    private static func articles(
        of stores: Stores, recording detail: String, in accounts: AuthService
    ) -> any ArticleRepository {
        let isRecorded = Recorded()
        return stores.articles {
            guard !isRecorded.value.exchange(true, ordering: .relaxed) else { return nil }
            return accounts.event(
                .libraryChanged, detail: detail, bySystemUser: systemUser, client: client)
        }
    }

    /// Whether a change was recorded. A class, because the transactions of one command share it.
    private final class Recorded: Sendable {
        let value = Atomic(false)
    }

    /// The name of the operating system's user, or the number if the name is unknown.
    private static var systemUser: String {
        let id = getuid()
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { text in
            var (entry, found) = (passwd(), nil as UnsafeMutablePointer<passwd>?)
            guard let start = text.baseAddress, getpwuid_r(id, &entry, start, text.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return "\(id)" }
            return String(cString: name)
        }
    }
}

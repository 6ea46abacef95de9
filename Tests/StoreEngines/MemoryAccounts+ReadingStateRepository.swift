import AuthService
public import ArticleStore
import Synchronization

extension MemoryAccounts: ReadingStateRepository {
    /// The bookmark of a session. See `ReadingStateRepository`.
    public func bookmark(ofSession session: String) async throws -> String? {
        tables.withLock { tables in Session.ID(session).flatMap { tables.sessions[$0]?.bookmark } }
    }

    /// Saves the place of a session. See `ReadingStateRepository`.
    public func saveBookmark(_ bookmark: String, ofSession session: String) async throws {
        guard bookmark.unicodeScalars.count <= 65_536 else { throw Refusal.bookmarkIsTooLong }
        tables.withLock { tables in
            if let id = Session.ID(session) { tables.sessions[id]?.bookmark = bookmark }
        }
    }

    /// The preferences of a user. See `ReadingStateRepository`.
    public func preferences(ofUser user: Int64) async throws -> String? {
        tables.withLock { $0.users[user]?.appearance }
    }

    /// Saves the preferences of a user. See `ReadingStateRepository`.
    public func savePreferences(_ preferences: String, ofUser user: Int64) async throws {
        tables.withLock { $0.users[user]?.appearance = preferences }
    }
}

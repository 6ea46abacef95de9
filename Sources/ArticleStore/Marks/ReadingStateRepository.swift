/// Stores the bookmark of a session and the preferences of a user.
///
/// Both are texts that the repository does not interpret. They are deleted with their session and their user.
public protocol ReadingStateRepository: Sendable {
    /// Returns the last saved bookmark of a session, even if the session has expired; nil if a bookmark was never saved
    /// or the session was deleted.
    func bookmark(ofSession session: String) async throws -> String?

    /// Saves the bookmark of a session and replaces the previous one. Does nothing if the session does not exist.
    ///
    /// - Parameters:
    ///   - bookmark: at most 65,536 characters.
    ///   - session: the ID of the session, as text.
    func saveBookmark(_ bookmark: String, ofSession session: String) async throws

    /// Returns the preferences that a user saved last; nil if the user never saved any.
    func preferences(ofUser user: Int64) async throws -> String?

    /// Saves the preferences of a user and replaces the previous one. Does nothing if the user does not exist.
    func savePreferences(_ preferences: String, ofUser user: Int64) async throws
}

/// Stores the bookmark of a session and the appearance of a user.
///
/// Both are texts that the repository does not interpret. They are deleted with their session and their user.
public protocol ReadingStateRepository: Sendable {
    /// Returns the last saved bookmark of a session, also of an expired one; nil if there is none, or the session is deleted.
    func bookmark(ofSession session: String) async throws -> String?

    /// Saves the bookmark of a session in place of the previous one. Does nothing if the session does not exist.
    ///
    /// - Parameters:
    ///   - bookmark: at most 65,536 characters.
    ///   - session: the id of the session, as text.
    func saveBookmark(_ bookmark: String, ofSession session: String) async throws

    /// The appearance that a user chose last; nil when none was.
    func appearance(ofUser user: Int64) async throws -> String?

    /// Saves the appearance of a user in place of the previous one. Does nothing if the user does not exist.
    func saveAppearance(_ appearance: String, ofUser user: Int64) async throws
}

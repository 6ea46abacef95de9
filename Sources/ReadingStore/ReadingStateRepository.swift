/// Where it is kept what a reader leaves behind and finds again: the bookmark of a session, and the appearance a user likes.
///
/// Both are texts that the repository does not look into. They belong to their session and their user, and go with them.
public protocol ReadingStateRepository: Sendable {
    /// Where a session was when it was saved last, ended by time or not; nil when it never was, or the session is gone.
    func bookmark(ofSession session: String) async throws -> String?

    /// Saves where a session is, over what was saved before; does nothing when there is no such session.
    ///
    /// - Parameters:
    ///   - bookmark: at most 65,536 characters.
    ///   - session: the id of the session, as text.
    func saveBookmark(_ bookmark: String, ofSession session: String) async throws

    /// The appearance that a user chose last; nil when none was.
    func appearance(ofUser user: Int64) async throws -> String?

    /// Saves which appearance a user chose, over what was chosen before; does nothing when there is no such user.
    func saveAppearance(_ appearance: String, ofUser user: Int64) async throws
}

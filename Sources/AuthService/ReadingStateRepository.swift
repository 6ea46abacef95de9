/// Where it is kept what a reader leaves behind and finds again: the place of a session, and the appearance a user likes.
///
/// Both are texts that the repository does not look into. They belong to their session and their user, and go with them.
public protocol ReadingStateRepository: Sendable {
    /// The place that was saved last in a session, ended by time or not; nil when none was, or the session is gone.
    func place(of session: Session.ID) async throws -> String?

    /// Saves where a session is, over what was saved before; does nothing when there is no such session.
    ///
    /// - Parameters:
    ///   - place: at most 65,536 characters.
    ///   - session: whose place it is.
    func savePlace(_ place: String, of session: Session.ID) async throws

    /// The appearance that a user chose last; nil when none was.
    func appearance(of user: User.ID) async throws -> String?

    /// Saves which appearance a user chose, over what was chosen before; does nothing when there is no such user.
    func saveAppearance(_ appearance: String, of user: User.ID) async throws
}

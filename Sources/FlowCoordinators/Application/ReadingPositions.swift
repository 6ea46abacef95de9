internal import ArticleStore
internal import AuthService

/// The reading positions in articles that the user has left, until they are saved with the marks. They restore the
/// position in an article in every session; `ApplicationCoordinator.positions` restores the screens of one session.
final class ReadingPositions {
    private struct Left {
        /// The marks of the user who left the article. That user may have logged out in the meantime.
        let marking: ArticleMarker
        let article: ArticleReference
        /// The position in thousandths; nil for the beginning.
        let position: Int?
    }

    private let environment: Environment
    private var left: [Left] = []

    init(environment: Environment) { self.environment = environment }

    /// Remembers a reading position, if marks are stored and the user may change them.
    func record(_ article: ArticleReference, at position: Int) {
        guard let marking = environment.marking, marking.mayChange else { return }
        left.removeAll { $0.article == article && $0.marking.userID == marking.userID }
        left.append(Left(marking: marking, article: article, position: position > 0 ? position : nil))
    }

    /// Saves the remembered positions. A position that did not change is not written.
    ///
    /// - Throws: the errors of the repositories. The next call tries unsaved positions again.
    func save() async throws {
        while let next = left.first {
            try await next.marking.saveReadingPosition(next.position, in: next.article)
            left.removeFirst()
        }
    }
}

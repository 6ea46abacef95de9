internal import ArticleStore
internal import AuthService
internal import ReadingStore

/// How far a reader has come in the articles that were left, until that is saved with their marks.
final class LeftPlaces {
    private struct Left {
        /// In the name of who left it, who may have logged out since.
        let marking: ArticleMarking
        let article: ArticleReference
        /// In thousandths; nil for the beginning.
        let place: Int?
    }

    private let environment: Environment
    private var left: [Left] = []

    init(environment: Environment) { self.environment = environment }

    /// Takes note of a place, where marks are kept and may be changed.
    func note(_ article: ArticleReference, at place: Int) {
        guard let marking = environment.marking, marking.session.mayBeUsed(for: .write) else { return }
        left.removeAll { $0.article == article && $0.marking.reader == marking.reader }
        left.append(Left(marking: marking, article: article, place: place > 0 ? place : nil))
    }

    /// Saves what was noted; writes nothing where it is known already.
    ///
    /// - Throws: the errors of the repositories. Unsaved places are tried again the next time.
    func save() async throws {
        while let next = left.first {
            try await next.marking.keep(next.place, in: next.article)
            left.removeFirst()
        }
    }
}

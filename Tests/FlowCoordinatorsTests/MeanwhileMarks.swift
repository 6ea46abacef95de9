import ArticleStore
import StoreEngines
import Synchronization

/// Changes marks once for another caller, as late as possible: after the read, before the change.
final class MeanwhileMarks: Sendable {
    private let meanwhile = Mutex<(@Sendable (any MarkRepository) async throws -> Void)?>(nil)

    /// Makes the change happen once.
    func happens(_ body: @escaping @Sendable (any MarkRepository) async throws -> Void) {
        meanwhile.withLock { $0 = body }
    }

    /// Returns the marks that another caller changes.
    func marks(_ marks: any MarkRepository & MarkLog) -> WatchedMarks {
        let happen: @Sendable () async throws -> Void = {
            let body = self.meanwhile.withLock { body in
                defer { body = nil }
                return body
            }
            try await body?(marks)
        }
        return WatchedMarks(marks) { call in
            if case .change = call { try await happen() }
        } after: { call in
            if case .marks = call { try await happen() }
        }
    }
}

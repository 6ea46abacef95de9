import ArticleStore
import Navigation

/// Shows the titles of the articles. Its screen waits for them, so the class does not belong to an actor.
nonisolated final class ShelfCoordinator: Coordinator {
    private let flow: Flow<Room, Void>
    private let articles: any ArticleRepository

    init(flow: Flow<Room, Void>, articles: any ArticleRepository) {
        self.flow = flow
        self.articles = articles
    }

    func eventOccurred(_ event: Room.Event, in route: Room) {
        if case .left = event { flow.finish() }
    }

    func screen(for route: Room, outlet: Outlet<Room.Event>) async throws -> View {
        View(text: try await titles(), leave: { outlet(.left) })
    }

    /// Runs on the actor of the navigator's owner.
    nonisolated(nonsending) private func titles() async throws -> String {
        let page = try await articles.list(ArticleQuery(sort: .title), after: nil, limit: 20)
        return page.summaries.map { "\($0.title), \($0.readingMinutes) min" }.joined(separator: "\n")
    }
}

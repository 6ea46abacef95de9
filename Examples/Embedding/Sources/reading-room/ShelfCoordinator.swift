import ArticleStore
import Navigation

/// Shows what there is to read.
final class ShelfCoordinator: Coordinator {
    private let flow: Flow<Room, Void>
    private let articles: any ArticleRepository

    init(flow: Flow<Room, Void>, articles: any ArticleRepository) {
        self.flow = flow
        self.articles = articles
    }

    func eventOccurred(_ event: Room.Event, in route: Room) async {
        if case .left = event { flow.finish() }
    }

    func screen(for route: Room, outlet: Outlet<Room.Event>) async throws -> String {
        let page = try await articles.list(ArticleQuery(sort: .title), after: nil, limit: 20)
        return page.summaries.map { "\($0.title), \($0.readingMinutes) min" }.joined(separator: "\n")
    }
}

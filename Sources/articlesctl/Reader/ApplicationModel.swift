import FlowCoordinators
import Navigation

/// The application as a reader session sees it.
struct ApplicationModel: ReaderModel {
    let application: ApplicationCoordinator

    /// A list that has grown is the same place: its view stays.
    var places: [String] {
        application.navigator.state.frames.map { frame in
            guard case .articles(var list) = frame.route, list.cursor == nil else { return frame.route.path }
            list.limit = ArticleList.defaultLimit
            return AppRoute.articles(list).path
        }
    }

    /// The paths of the stack as the application saves them, for each of `places`.
    var savedPaths: [String] { application.navigator.state.frames.map(\.route.path) }

    var themeName: String? { application.appearance.rawValue }

    func screen() async throws -> Screen { try await application.screen() }
    func send(_ event: AppEvent) async throws { try await application.send(event) }
    func back() async throws -> Bool { try await application.back() }

    /// Grows the list as far as it grows at its end; the pages after that are a step each.
    func loadMoreRows() async throws -> Bool {
        guard case .articles(let before) = application.place,
            case .list(let list) = try await application.screen().content, let more = list.more
        else { return false }
        guard before.limit < ArticleList.grownLimit else { return false }
        try await application.send(more)
        return true
    }
}

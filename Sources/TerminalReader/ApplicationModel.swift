import Text
package import FlowCoordinators
package import Navigation
import Terminal

/// The application as a reader session sees it.
package struct ApplicationModel: ReaderModel {
    let application: ApplicationCoordinator

    /// Creates a model of an application.
    package init(application: ApplicationCoordinator) { self.application = application }

    /// The state of the application.
    package var state: NavigationState<AppRoute> { application.navigator.state }

    /// The frames of the selected section.
    package var stack: [StackEntry] { state.frames.map { Self.entry(of: $0.route) } }

    private static func entry(of route: AppRoute) -> StackEntry {
        // A list that is searched, sorted, or grown keeps its ID, and with it its view.
        StackEntry(id: route.paneRole == .list ? route.screenName : route.path, path: route.path)
    }

    /// The appearance of the signed-in user.
    package var appearance: Appearance { application.appearance }

    /// The text width of the signed-in user.
    package var textWidth: TextWidth { application.textWidth }

    /// Whether the signed-in user wants panes.
    package var showsPreview: Bool { application.showsPreview }

    /// The screen of the coordinator on top.
    package func screen() async throws -> Screen { try await application.screen() }

    /// Returns the screen of the frame at an index.
    package func screen(at index: Int) async throws -> Screen? {
        let frames = application.navigator.state.frames
        return frames.indices.contains(index) ? try await application.navigator.screen(of: frames[index].id) : nil
    }

    /// Returns the sidebar of the application.
    package func sidebar() async throws -> Sidebar? { try await application.sidebar() }

    /// Returns the article that a row opens.
    package func preview(of event: AppEvent) async -> Screen? {
        guard case .open(.article(let reference)) = event else { return nil }
        return try? await application.preview(of: reference)
    }

    /// Sends an event to the coordinator on top.
    package func send(_ event: AppEvent) async throws { try await application.send(event) }

    /// Asks the application for the permission.
    package func authorizeEditing() async throws { try await application.authorizeEditing() }

    /// Goes back, unless it is the last screen.
    package func back() async throws -> Bool { try await application.back() }

    /// Goes back to the frame at an index.
    package func back(to index: Int) async throws -> Bool {
        let frames = application.navigator.state.frames
        guard frames.indices.contains(index) else { return false }
        if index + 1 < frames.count { application.navigator.back(to: frames[index].id) }
        return application.navigator.state.top?.id == frames[index].id
    }

    /// Goes to the place, in its section. Before the login, nothing happens.
    package func go(to place: AppRoute) async throws -> Bool {
        state.sections.isEmpty ? false : try await application.go(to: place)
    }

    /// Goes to another section in which work is running.
    package func goToWork() throws -> Bool { try application.goToWork() }

    /// Sets the function to call when work has a result.
    package func watch(_ ring: (@Sendable () -> Void)?) { application.navigator.onPending = ring }

    /// Passes results of work to the coordinators.
    package func settle() async { application.navigator.settle() }

    /// The saved view of an entry.
    package func view(of entry: StackEntry) -> SavedView? {
        application.positions[entry.path].flatMap { try? JSONDecoder().decode(SavedView.self, from: Data($0.utf8)) }
    }

    /// Stores the view with the bookmark.
    package func save(_ view: SavedView, of entry: StackEntry) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        application.positions[entry.path] = (try? encoder.encode(view)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Saves the reading position with the article's marks.
    package func recordReadingPosition(_ position: Int, in entry: StackEntry) {
        guard case .article(let reference)? = AppRoute(path: entry.path) else { return }
        application.recordReadingPosition(position, in: reference)
    }

    /// Saves the choice for the user.
    package func save(showsPreview: Bool) { application.showsPreview = showsPreview }

    /// Saves the choice for the user.
    package func save(_ textWidth: TextWidth) { application.textWidth = textWidth }

    /// Saves the bookmark and the preferences.
    package func save() async throws { try await application.saveBookmark() }
}

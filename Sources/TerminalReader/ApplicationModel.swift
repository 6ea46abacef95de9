import Essentials
public import FlowCoordinators
import Navigation
import Terminal

/// The application as a reader session sees it.
public struct ApplicationModel: ReaderModel {
    let application: ApplicationCoordinator

    /// The application that a person is about to read in.
    public init(application: ApplicationCoordinator) { self.application = application }

    /// The frames of the application's stack.
    public var stack: [StackEntry] {
        application.navigator.state.frames.map { frame in
            // A list that is searched, sorted or grown is the same list: its view stays.
            let isList = if case .articles = frame.route { true } else { false }
            return StackEntry(id: isList ? frame.route.screenName : frame.route.path, path: frame.route.path)
        }
    }

    /// The appearance of who is signed in.
    public var appearance: Appearance { application.appearance }

    /// How wide who is signed in likes running text to be.
    public var textWidth: TextWidth { application.textWidth }

    /// Whether who is signed in likes previews.
    public var showsPreview: Bool { application.showsPreview }

    /// The screen of the coordinator on top.
    public func screen() async throws -> Screen { try await application.screen() }

    /// The article that a row leads to.
    public func preview(of event: AppEvent) async -> Screen? {
        guard case .articleChosen(let reference) = event else { return nil }
        return try? await application.preview(of: reference)
    }

    /// Hands an event to the coordinator on top.
    public func send(_ event: AppEvent) async throws { try await application.send(event) }

    /// Asks the application.
    public func authorizeEditing() async throws { try await application.authorizeEditing() }

    /// Goes back, unless only one screen is there.
    public func back() async throws -> Bool { try await application.back() }

    /// Watches the navigator.
    public func watch(_ ring: (@Sendable () -> Void)?) { application.navigator.onPending = ring }

    /// Tells the coordinators what came of the work that they have begun.
    public func settle() async { await application.navigator.settle() }

    /// The saved view of an entry.
    public func view(of entry: StackEntry) -> SavedView? {
        application.positions[entry.path].flatMap { try? JSONDecoder().decode(SavedView.self, from: Data($0.utf8)) }
    }

    /// Keeps it with where one is.
    public func note(_ view: SavedView, of entry: StackEntry) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        application.positions[entry.path] = (try? encoder.encode(view)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Keeps it for the user, with the other marks of the article.
    public func leave(_ entry: StackEntry, at place: Int) {
        guard case .article(let reference)? = AppRoute(path: entry.path) else { return }
        application.leave(reference, at: place)
    }

    /// Keeps it for the user.
    public func note(showsPreview: Bool) { application.showsPreview = showsPreview }

    /// Keeps it for the user.
    public func note(_ textWidth: TextWidth) { application.textWidth = textWidth }

    /// Saves where one is, for the user and the session.
    public func save() async throws { try await application.saveBookmark() }
}

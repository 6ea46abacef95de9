import Navigation
import NavigationTesting

/// A shelf and a kettle, in a package whose code is isolated to the main actor by default.
@main
final class Kitchen {
    static func main() async throws {
        try await Kitchen().cook()
    }

    private let stove = Stove()
    private let navigator: Navigator<Spot>

    init() {
        navigator = Navigator(children: [
            ChildFlow("shelf") { [stove] in ShelfCoordinator(flow: $0, stove: stove) }
        ])
    }

    /// Draws the screen after each change, and presses its button.
    func cook() async throws {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        navigator.onChange = { _ in continuation.yield() }
        let recording = RecordingNavigator(navigator)

        try navigator.perform(.show([.shelf]))
        for await _ in changes {
            guard let picture = try await navigator.screen() else { return }
            print(picture.text)
            switch picture.text {
            case "Boiling": await stove.light()
            case "4 cups drunk": return try recording.expectReleased("kettle")
            default: picture.press()
            }
        }
    }
}

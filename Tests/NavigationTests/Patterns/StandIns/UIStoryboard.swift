import Testing

/// The parts of an application outside its code: storyboards, their segues, and the user's settings. Each test has its
/// own.
enum AppBundle {
    typealias Scene = @MainActor @Sendable () -> UIViewController

    /// An arrow: the class of the segue, and the scene it leads to.
    struct Arrow: Sendable {
        let segue: UIStoryboardSegue.Type
        let destination: Scene

        init(_ segue: UIStoryboardSegue.Type, to destination: @escaping Scene) {
            self.segue = segue
            self.destination = destination
        }
    }

    /// The scenes of each storyboard, by identifier.
    @TaskLocal static var storyboards: [String: [String: Scene]] = [:]
    /// The arrows drawn in them, by identifier.
    @TaskLocal static var arrows: [String: Arrow] = [:]
    @TaskLocal static var defaults: UserDefaults?
}

@MainActor
final class UIStoryboard {
    private let scenes: [String: AppBundle.Scene]

    init(name: String, bundle: Never?) { scenes = AppBundle.storyboards[name] ?? [:] }

    /// Makes the scene with this identifier. UIKit stops the program if there is none; here it returns a bare screen.
    func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        scenes[identifier]?() ?? UIViewController()
    }
}

@MainActor
class UIStoryboardSegue {
    let identifier: String?
    let source: UIViewController
    let destination: UIViewController

    required init(identifier: String?, source: UIViewController, destination: UIViewController) {
        self.identifier = identifier
        self.source = source
        self.destination = destination
    }

    func perform() { source.show(destination, sender: self) }
}

/// The settings of one test.
@MainActor
final class UserDefaults {
    static var standard: UserDefaults { AppBundle.defaults ?? UserDefaults() }

    private var values: [String: Bool] = [:]

    func bool(forKey key: String) -> Bool { values[key] ?? false }
    func set(_ value: Bool, forKey key: String) { values[key] = value }
}

/// Runs each test of a suite in an application of its own.
struct ApplicationTrait: SuiteTrait, TestTrait, TestScoping {
    let storyboards: [String: [String: AppBundle.Scene]]
    let arrows: [String: AppBundle.Arrow]
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let defaults = await MainActor.run { UserDefaults() }
        try await AppBundle.$storyboards.withValue(storyboards) {
            try await AppBundle.$arrows.withValue(arrows) {
                try await AppBundle.$defaults.withValue(defaults) { try await function() }
            }
        }
    }
}

extension Trait where Self == ApplicationTrait {
    /// An application with these storyboards, and these arrows drawn in them.
    static func application(
        _ storyboards: [String: [String: AppBundle.Scene]] = [:], arrows: [String: AppBundle.Arrow] = [:]
    ) -> Self {
        Self(storyboards: storyboards, arrows: arrows)
    }
}

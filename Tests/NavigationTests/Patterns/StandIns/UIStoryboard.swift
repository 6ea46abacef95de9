import Testing

/// What an application has beside its code: storyboards, the segues drawn in them, and what it keeps for its user.
/// Each test has its own.
enum AppBundle {
    typealias Scene = @MainActor @Sendable () -> UIViewController

    /// The scenes of each storyboard, by identifier.
    @TaskLocal static var storyboards: [String: [String: Scene]] = [:]
    /// The class of each segue and where it leads, by identifier.
    @TaskLocal static var segues: [String: (segue: UIStoryboardSegue.Type, destination: Scene)] = [:]
    @TaskLocal static var defaults: UserDefaults?
}

@MainActor
final class UIStoryboard {
    private let scenes: [String: AppBundle.Scene]

    init(name: String, bundle: Never?) { scenes = AppBundle.storyboards[name] ?? [:] }

    /// Makes the scene of that identifier. UIKit stops the program where there is none; here, it is a bare screen.
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
    let segues: [String: (segue: UIStoryboardSegue.Type, destination: AppBundle.Scene)]
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let defaults = await MainActor.run { UserDefaults() }
        try await AppBundle.$storyboards.withValue(storyboards) {
            try await AppBundle.$segues.withValue(segues) {
                try await AppBundle.$defaults.withValue(defaults) { try await function() }
            }
        }
    }
}

extension Trait where Self == ApplicationTrait {
    /// An application with these storyboards, and these segues drawn in them.
    static func application(
        _ storyboards: [String: [String: AppBundle.Scene]] = [:],
        segues: [String: (segue: UIStoryboardSegue.Type, destination: AppBundle.Scene)] = [:]
    ) -> Self {
        Self(storyboards: storyboards, segues: segues)
    }
}

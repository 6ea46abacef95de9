import Testing

// The usual form of the page EventsWithASharedProvider. A test compares the two.

private enum Event {
    case navToYellow
    case navToMagenta
}

private final class Provider {
    var color: UIColor?
    var title: String?
}

@MainActor
private protocol Coordinator {
    var navigationController: UINavigationController? { get set }
    var children: [any Coordinator]? { get set }
    var provider: Provider { get set }

    func eventOccurred(with type: Event)
    func start()
}

@MainActor
private protocol Coordinating {
    var coordinator: (any Coordinator)? { get set }
}

private final class MainCoordinator: Coordinator {
    var navigationController: UINavigationController?
    var children: [any Coordinator]?
    var provider = Provider()

    func eventOccurred(with type: Event) {
        let isYellow = type == .navToYellow
        provider.color = isYellow ? .yellow : .magenta
        provider.title = isYellow ? "Yellow ViewController" : "Magenta ViewController"

        let second = SecondViewController()
        second.coordinator = self
        navigationController?.pushViewController(second, animated: true)
    }

    func start() {
        let first = FirstViewController()
        first.coordinator = self
        navigationController?.setViewControllers([first], animated: false)
    }
}

private final class FirstViewController: UIViewController, Coordinating {
    var coordinator: (any Coordinator)?
    let yellowButton = UIButton()
    let magentaButton = UIButton()

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Home"
        view.backgroundColor = .cyan
        for (tag, button) in [2: yellowButton, 3: magentaButton] {
            button.tag = tag
            button.addAction(
                UIAction { [weak self] action in
                    if let button = action.sender as? UIButton { self?.didTapBtn(button) }
                }, for: .touchUpInside)
            view.addSubview(button)
        }
    }

    func didTapBtn(_ sender: UIButton) {
        switch sender.tag {
        case 2: coordinator?.eventOccurred(with: .navToYellow)
        case 3: coordinator?.eventOccurred(with: .navToMagenta)
        default: break
        }
    }
}

private final class SecondViewController: UIViewController, Coordinating {
    var coordinator: (any Coordinator)?

    override func viewDidLoad() {
        super.viewDidLoad()
        title = coordinator?.provider.title ?? "Some Title"
        view.backgroundColor = coordinator?.provider.color ?? .white
    }
}

private final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let navigationController = UINavigationController()
        let coordinator = MainCoordinator()
        coordinator.navigationController = navigationController

        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        self.window = window

        coordinator.start()
        return true
    }
}

private final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let navigationController = UINavigationController()
        let coordinator = MainCoordinator()
        coordinator.navigationController = navigationController

        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        self.window = window

        coordinator.start()
    }
}

@Suite("The usual code of events")
@MainActor
struct UsualEventsWithASharedProviderTests {
    private func launch() throws -> UINavigationController {
        let application = AppDelegate()
        _ = application.application(UIApplication(), didFinishLaunchingWithOptions: nil)
        return try #require(application.window?.rootViewController as? UINavigationController)
    }

    private func home(of navigationController: UINavigationController) throws -> FirstViewController {
        try #require(navigationController.viewControllers.first as? FirstViewController)
    }

    /// Breaks the cycle of screen and coordinator.
    private func close(_ navigationController: UINavigationController) throws {
        for case var screen as any Coordinating in navigationController.viewControllers { screen.coordinator = nil }
    }

    private func tell(_ navigationController: UINavigationController) throws {
        let home = try home(of: navigationController)
        #expect(home.title == "Home")
        #expect(home.view.backgroundColor == .cyan)
        home.yellowButton.sendActions(for: .touchUpInside)
        #expect(navigationController.topViewController?.title == "Yellow ViewController")
        #expect(navigationController.topViewController?.view.backgroundColor == .yellow)
        navigationController.popViewController(animated: true)
        home.magentaButton.sendActions(for: .touchUpInside)
        #expect(navigationController.topViewController?.title == "Magenta ViewController")
        #expect(navigationController.topViewController?.view.backgroundColor == .magenta)
        navigationController.popViewController(animated: true)
        #expect(navigationController.viewControllers.count == 1)
    }

    @Test("An application starts it, and Home leads to yellow and to magenta")
    func application() throws {
        let navigationController = try launch()
        try tell(navigationController)
        try close(navigationController)
    }

    @Test("A scene starts it, and Home leads to yellow and to magenta")
    func scene() throws {
        let delegate = SceneDelegate()
        delegate.scene(UIWindowScene(), willConnectTo: UISceneSession(), options: UIScene.ConnectionOptions())
        let navigationController = try #require(delegate.window?.rootViewController as? UINavigationController)
        try tell(navigationController)
        try close(navigationController)
    }

    @Test("The default screen is white with a default title")
    func unsaid() {
        let second = SecondViewController()
        #expect(second.view.backgroundColor == .white)
        #expect(second.title == "Some Title")
    }

    @Test("A screen that is opened in another way shows the old data of the provider")
    func left() throws {
        let navigationController = try launch()
        let home = try home(of: navigationController)
        home.magentaButton.sendActions(for: .touchUpInside)
        let linked = SecondViewController()
        linked.coordinator = home.coordinator
        #expect(linked.view.backgroundColor == .magenta)
        linked.coordinator = nil
        try close(navigationController)
    }

    @Test("A screen that loads late has the color of the one opened after it")
    func late() throws {
        let coordinator = MainCoordinator()
        let navigationController = UINavigationController()
        coordinator.navigationController = navigationController
        coordinator.start()
        coordinator.eventOccurred(with: .navToYellow)
        coordinator.eventOccurred(with: .navToMagenta)
        let window = UIWindow()
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        navigationController.popViewController(animated: true)
        #expect(navigationController.topViewController?.title == "Magenta ViewController")
        #expect(navigationController.topViewController?.view.backgroundColor == .magenta)
        try close(navigationController)
    }

    @Test("Only the screens own the coordinator, in a cycle that keeps it alive")
    func circle() throws {
        weak var coordinator: MainCoordinator?
        let navigationController = try launch()
        coordinator = try home(of: navigationController).coordinator as? MainCoordinator
        #expect(coordinator != nil)
        try close(navigationController)
        #expect(coordinator == nil)
    }

    @Test("The screens stay alive after the window is gone")
    func leak() throws {
        weak var kept: UINavigationController?
        var home: FirstViewController?
        do {
            let navigationController = try launch()
            kept = navigationController
            home = try self.home(of: navigationController)
        }
        #expect(kept != nil)
        home?.coordinator = nil
        home = nil
        #expect(kept == nil)
    }
}

import Testing

// The usual form of the page Closures. A test compares the two.

private final class SplashViewController: UIViewController {
    var didTapLogin: () -> Void = {}
    var didTapRegister: () -> Void = {}
    var didAppear: () -> Void = {}

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        didAppear()
    }

    func loginButtonTapped(sender: AnyObject) { didTapLogin() }
    func registerButtonTapped(sender: AnyObject) { didTapRegister() }
}

private final class LoginViewController: UIViewController {}
private final class RegisterViewController: UIViewController {}

@MainActor
private final class SplashCoordinator {
    let navigationController: UINavigationController
    private(set) var childCoordinators: [AnyObject] = []

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let scene = UIStoryboard(name: "Main", bundle: nil)
            .instantiateViewController(withIdentifier: "SplashViewController")
        guard let splash = scene as? SplashViewController else { return }
        splash.didTapLogin = showLogin
        splash.didTapRegister = showRegister
        splash.didAppear = cleanUp
        navigationController.pushViewController(splash, animated: false)
    }

    func showLogin() {
        let login = LoginCoordinator(navigationController: navigationController)
        login.start()
        childCoordinators.append(login)
    }

    func showRegister() {
        let register = RegisterCoordinator(navigationController: navigationController)
        register.start()
        childCoordinators.append(register)
    }

    func cleanUp() {
        _ = childCoordinators.popLast()
    }
}

@MainActor
private final class LoginCoordinator {
    private let navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let scene = UIStoryboard(name: "Main", bundle: nil)
            .instantiateViewController(withIdentifier: "LoginViewController")
        navigationController.pushViewController(scene, animated: true)
    }
}

@MainActor
private final class RegisterCoordinator {
    private let navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let scene = UIStoryboard(name: "Main", bundle: nil)
            .instantiateViewController(withIdentifier: "RegisterViewController")
        navigationController.pushViewController(scene, animated: true)
    }
}

@Suite(
    "The usual code of closures",
    .application([
        "Main": [
            "SplashViewController": { SplashViewController() },
            "LoginViewController": { LoginViewController() },
            "RegisterViewController": { RegisterViewController() },
        ]
    ]))
@MainActor
struct UsualClosuresTests {
    private func makeSplash() throws -> (SplashCoordinator, SplashViewController) {
        let coordinator = SplashCoordinator(navigationController: UINavigationController())
        let window = UIWindow()
        window.rootViewController = coordinator.navigationController
        window.makeKeyAndVisible()
        coordinator.start()
        let splash = try #require(coordinator.navigationController.topViewController as? SplashViewController)
        return (coordinator, splash)
    }

    /// Breaks the cycle.
    private func open(_ splash: SplashViewController) {
        splash.didTapLogin = {}
        splash.didTapRegister = {}
        splash.didAppear = {}
    }

    @Test("Log-in and register begin a child, which is removed when the splash screen appears again")
    func story() throws {
        let (coordinator, splash) = try makeSplash()
        defer { open(splash) }
        #expect(coordinator.childCoordinators.isEmpty)

        splash.loginButtonTapped(sender: splash)
        #expect(coordinator.navigationController.topViewController is LoginViewController)
        weak let login = coordinator.childCoordinators.last as? LoginCoordinator
        #expect(login != nil)
        coordinator.navigationController.popViewController(animated: true)
        #expect(login == nil)

        splash.registerButtonTapped(sender: splash)
        #expect(coordinator.navigationController.topViewController is RegisterViewController)
        #expect(coordinator.childCoordinators.last is RegisterCoordinator)
        coordinator.navigationController.popViewController(animated: true)
        #expect(coordinator.childCoordinators.isEmpty)
    }

    @Test("The method as a closure keeps its coordinator alive in an invisible cycle")
    func circle() throws {
        weak var kept: SplashCoordinator?
        var held: SplashViewController?
        do {
            let (coordinator, splash) = try makeSplash()
            kept = coordinator
            held = splash
        }
        #expect(kept != nil)
        if let held { open(held) }
        held = nil
        #expect(kept == nil)
    }

    @Test("The cleanup runs once, however many children were left")
    func twice() throws {
        let (coordinator, splash) = try makeSplash()
        defer { open(splash) }
        splash.loginButtonTapped(sender: splash)
        splash.loginButtonTapped(sender: splash)
        #expect(coordinator.navigationController.viewControllers.count == 3)
        coordinator.navigationController.popToRootViewController(animated: true)
        #expect(coordinator.childCoordinators.count == 1)
    }

    @Test("A closure that was never set is silent")
    func unset() throws {
        let (coordinator, splash) = try makeSplash()
        open(splash)
        splash.loginButtonTapped(sender: splash)
        #expect(coordinator.navigationController.topViewController === splash)
    }
}

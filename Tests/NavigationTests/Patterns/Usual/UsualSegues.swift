import Testing

// The usual form of the page Segues. A test compares the two.

@MainActor
private protocol Coordinator: AnyObject {
    func start()
}

@MainActor
private protocol Coordinated: AnyObject {
    var coordinationDelegate: (any CoordinationDelegate)? { get set }
}

@MainActor
private protocol CoordinationDelegate: AnyObject {
    func coordinate(from source: any Coordinated, to destination: UIViewController, identifier: String?)
}

private final class CoordinatedSegue: UIStoryboardSegue {
    override func perform() {
        if let source = source as? any Coordinated {
            source.coordinationDelegate?.coordinate(from: source, to: destination, identifier: identifier)
        }
        super.perform()
    }
}

private final class WelcomeViewController: UIViewController, Coordinated {
    weak var coordinationDelegate: (any CoordinationDelegate)?
    let labelWelcomeBack = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        (coordinationDelegate as? AppCoordinator)?.delegate = self
    }
}

extension WelcomeViewController: AppCoordinatorDelegate {
    func didLogIn(as name: String) { labelWelcomeBack.text = "Welcome back, \(name)" }
}

private final class LoginViewController: UIViewController, Coordinated {
    weak var coordinationDelegate: (any CoordinationDelegate)?
    weak var delegate: (any LoginViewControllerDelegate)?

    func didTapLogInButton(name: String) { delegate?.logIn(as: name) }
}

private final class MenuViewController: UIViewController, Coordinated {
    weak var coordinationDelegate: (any CoordinationDelegate)?
    var userName: String?
}

@MainActor
private protocol LoginViewControllerDelegate: AnyObject {
    func logIn(as name: String)
}

@MainActor
private protocol AppCoordinatorDelegate: AnyObject {
    func didLogIn(as name: String)
}

@MainActor
private final class AppCoordinator: Coordinator, CoordinationDelegate {
    weak var delegate: (any AppCoordinatorDelegate)?
    private let navigationController: UINavigationController
    private var userName: String?

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let scene = UIStoryboard(name: "Main", bundle: nil)
            .instantiateViewController(withIdentifier: "WelcomeViewController")
        (scene as? any Coordinated)?.coordinationDelegate = self
        navigationController.setViewControllers([scene], animated: false)
    }

    func coordinate(from source: any Coordinated, to destination: UIViewController, identifier: String?) {
        (destination as? any Coordinated)?.coordinationDelegate = self
        switch (identifier, destination) {
        case ("login", let login as LoginViewController): login.delegate = self
        case ("menu", let menu as MenuViewController): menu.userName = userName
        default: break
        }
    }
}

extension AppCoordinator: LoginViewControllerDelegate {
    func logIn(as name: String) {
        userName = name
        delegate?.didLogIn(as: name)
        navigationController.popViewController(animated: true)
    }
}

/// Another owner of the same screens.
@MainActor
private final class OtherCoordinator: CoordinationDelegate {
    var identifiers: [String?] = []
    weak var delegate: (any AppCoordinatorDelegate)?

    func coordinate(from source: any Coordinated, to destination: UIViewController, identifier: String?) {
        identifiers.append(identifier)
    }
}

@Suite(
    "The usual code of segues",
    .application(
        ["Main": ["WelcomeViewController": { WelcomeViewController() }]],
        arrows: [
            "login": .init(CoordinatedSegue.self, to: { LoginViewController() }),
            "menu": .init(CoordinatedSegue.self, to: { MenuViewController() }),
            "help": .init(CoordinatedSegue.self, to: { MenuViewController() }),
        ]))
@MainActor
struct UsualSeguesTests {
    private let navigationController = UINavigationController()
    private let coordinator: AppCoordinator

    init() {
        coordinator = AppCoordinator(navigationController: navigationController)
        let window = UIWindow()
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        coordinator.start()
    }

    private func perform<Controller>(_ identifier: String, to _: Controller.Type) throws -> Controller {
        navigationController.topViewController?.performSegue(withIdentifier: identifier, sender: nil)
        return try #require(navigationController.topViewController as? Controller)
    }

    @Test("Welcome leads to the login, by the delegate back to welcome, and to a menu with the name")
    func story() throws {
        let welcome = try #require(navigationController.topViewController as? WelcomeViewController)
        try perform("login", to: LoginViewController.self).didTapLogInButton(name: "Ada")
        #expect(navigationController.topViewController === welcome)
        #expect(welcome.labelWelcomeBack.text == "Welcome back, Ada")
        #expect(try perform("menu", to: MenuViewController.self).userName == "Ada")
        navigationController.popViewController(animated: true)
        #expect(navigationController.topViewController === welcome)
    }

    @Test("The coordinator is called after the decision: the menu opens without a log-in")
    func decided() throws {
        #expect(try perform("menu", to: MenuViewController.self).userName == nil)
    }

    @Test("An arrow that is drawn and not handled passes")
    func unhandled() throws {
        try perform("login", to: LoginViewController.self).didTapLogInButton(name: "Ada")
        #expect(try perform("help", to: MenuViewController.self).userName == nil)
    }

    @Test("A screen that casts its delegate works only under its own coordinator")
    func cast() {
        let other = OtherCoordinator()
        let welcome = WelcomeViewController()
        welcome.coordinationDelegate = other
        navigationController.setViewControllers([welcome], animated: false)
        welcome.performSegue(withIdentifier: "menu", sender: nil)
        #expect(other.identifiers == ["menu"])
        #expect(other.delegate == nil)
    }
}

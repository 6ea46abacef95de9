import Testing

// The usual form of the page StartUp. A test compares the two.

@MainActor
private protocol LoginViewControllerDelegate: AnyObject {
    func didLogIn()
}

private final class LoginViewController: UIViewController {
    weak var delegate: (any LoginViewControllerDelegate)?

    func didTapLogInButton() { delegate?.didLogIn() }
}

@MainActor
private protocol ArticleListViewControllerDelegate: AnyObject {
    func didLogOut()
}

private final class ArticleListViewController: UITableViewController {
    weak var delegate: (any ArticleListViewControllerDelegate)?

    func didTapLogOutButton() { delegate?.didLogOut() }
}

private final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var appCoordinator: ApplicationCoordinator?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let navigationController = UINavigationController()
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        self.window = window

        let coordinator = ApplicationCoordinator(navigationController: navigationController)
        appCoordinator = coordinator
        coordinator.start()
        return true
    }
}

@MainActor
private final class ApplicationCoordinator {
    private let navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        if UserDefaults.standard.bool(forKey: "isLoggedIn") {
            showContent()
        } else {
            showLogin()
        }
    }

    func showLogin() {
        let scene = UIStoryboard(name: "Login", bundle: nil)
            .instantiateViewController(withIdentifier: "LoginViewController")
        guard let login = scene as? LoginViewController else { return }
        login.delegate = self
        navigationController.setViewControllers([login], animated: false)
    }

    func showContent() {
        let scene = UIStoryboard(name: "Articles", bundle: nil)
            .instantiateViewController(withIdentifier: "ArticleListViewController")
        guard let list = scene as? ArticleListViewController else { return }
        list.delegate = self
        navigationController.setViewControllers([list], animated: true)
    }
}

extension ApplicationCoordinator: LoginViewControllerDelegate {
    func didLogIn() {
        UserDefaults.standard.set(true, forKey: "isLoggedIn")
        showContent()
    }
}

extension ApplicationCoordinator: ArticleListViewControllerDelegate {
    func didLogOut() {
        UserDefaults.standard.set(false, forKey: "isLoggedIn")
        showLogin()
    }
}

@Suite(
    "The usual code of start-up",
    .application([
        "Login": ["LoginViewController": { LoginViewController() }],
        "Articles": ["ArticleListViewController": { ArticleListViewController() }],
    ]))
@MainActor
struct UsualStartUpTests {
    private let application = AppDelegate()

    private var stack: [UIViewController] {
        (application.window?.rootViewController as? UINavigationController)?.viewControllers ?? []
    }

    private func launch() {
        _ = application.application(UIApplication(), didFinishLaunchingWithOptions: nil)
    }

    @Test("The login is shown without a user, and leads to the content and back")
    func story() throws {
        launch()
        try #require(stack.last as? LoginViewController).didTapLogInButton()
        #expect(UserDefaults.standard.bool(forKey: "isLoggedIn"))
        #expect(stack.count == 1)
        try #require(stack.last as? ArticleListViewController).didTapLogOutButton()
        #expect(!UserDefaults.standard.bool(forKey: "isLoggedIn"))
        #expect(stack.count == 1)
        #expect(stack.last is LoginViewController)
    }

    @Test("A signed-in user sees the content immediately")
    func remembered() {
        UserDefaults.standard.set(true, forKey: "isLoggedIn")
        launch()
        #expect(stack.count == 1)
        #expect(stack.last is ArticleListViewController)
    }

    @Test("The screens are silent as soon as nobody owns the coordinator")
    func owner() throws {
        launch()
        application.appCoordinator = nil
        try #require(stack.last as? LoginViewController).didTapLogInButton()
        #expect(stack.last is LoginViewController)
    }

    @Test("The decision is made once: the content stays if the login ends elsewhere")
    func askedOnce() {
        UserDefaults.standard.set(true, forKey: "isLoggedIn")
        launch()
        UserDefaults.standard.set(false, forKey: "isLoggedIn")
        #expect(stack.last is ArticleListViewController)
    }

    @Test("Every caller of the method opens the content, logged in or not")
    func open() {
        launch()
        application.appCoordinator?.showContent()
        #expect(!UserDefaults.standard.bool(forKey: "isLoggedIn"))
        #expect(stack.last is ArticleListViewController)
    }

    @Test("A missing identifier is noticed only when its screen is to be shown", .application())
    func identifiers() {
        launch()
        #expect(stack.isEmpty)
    }
}

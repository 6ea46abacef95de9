import Testing

// The usual form of the page Delegates. A test compares the two.

private struct Article: Equatable {
    let title: String
}

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
    func didSelect(article: Article)
    func didLogOut()
}

private final class ArticleListViewController: UITableViewController {
    weak var delegate: (any ArticleListViewControllerDelegate)?
    var articles: [Article] = []

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        delegate?.didSelect(article: articles[indexPath.row])
    }

    func didTapLogOutButton() { delegate?.didLogOut() }
}

private final class ArticleDetailViewController: UIViewController {
    var selectedArticle: Article?

    override func viewDidLoad() {
        super.viewDidLoad()
        title = selectedArticle?.title
    }
}

@MainActor
private final class ApplicationCoordinator {
    private let navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
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
    func didLogIn() { showContent() }
}

extension ApplicationCoordinator: ArticleListViewControllerDelegate {
    func didSelect(article: Article) {
        let scene = UIStoryboard(name: "Articles", bundle: nil)
            .instantiateViewController(withIdentifier: "ArticleDetailViewController")
        guard let detail = scene as? ArticleDetailViewController else { return }
        detail.selectedArticle = article
        navigationController.pushViewController(detail, animated: true)
    }

    func didLogOut() { showLogin() }
}

/// A mistake without a warning: a delegate that is not weak.
private final class StrongLoginViewController: UIViewController {
    var delegate: (any LoginViewControllerDelegate)?
}

@Suite(
    "The usual code of delegates",
    .application([
        "Login": ["LoginViewController": { LoginViewController() }],
        "Articles": [
            "ArticleListViewController": {
                let list = ArticleListViewController()
                list.articles = [Article(title: "One"), Article(title: "Two")]
                return list
            },
            "ArticleDetailViewController": { ArticleDetailViewController() },
        ],
    ]))
@MainActor
struct UsualDelegatesTests {
    private let navigationController = UINavigationController()
    private let coordinator: ApplicationCoordinator

    init() {
        coordinator = ApplicationCoordinator(navigationController: navigationController)
        let window = UIWindow()
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        coordinator.showLogin()
    }

    private func list() throws -> ArticleListViewController {
        try #require(navigationController.topViewController as? ArticleListViewController)
    }

    private func logIn() throws {
        try #require(navigationController.topViewController as? LoginViewController).didTapLogInButton()
    }

    @Test("The login leads to list and detail, and the logout back to the log-in")
    func story() throws {
        try logIn()
        let list = try list()
        list.tableView(list.tableView, didSelectRowAt: IndexPath(row: 1))
        let detail = try #require(navigationController.topViewController as? ArticleDetailViewController)
        #expect(detail.selectedArticle == Article(title: "Two"))
        #expect(detail.title == "Two")
        navigationController.popViewController(animated: true)
        list.didTapLogOutButton()
        #expect(navigationController.viewControllers.count == 1)
        #expect(navigationController.topViewController is LoginViewController)
    }

    @Test("A delegate that was not set is silent")
    func silent() throws {
        try #require(navigationController.topViewController as? LoginViewController).delegate = nil
        try logIn()
        #expect(navigationController.topViewController is LoginViewController)
    }

    @Test("A delegate that is not weak closes a cycle")
    func circle() {
        weak var released: ApplicationCoordinator?
        weak var kept: ApplicationCoordinator?
        var circle: StrongLoginViewController?
        do {
            let navigationController = UINavigationController()
            let login = LoginViewController()
            let coordinator = ApplicationCoordinator(navigationController: navigationController)
            login.delegate = coordinator
            navigationController.setViewControllers([login], animated: false)
            released = coordinator
        }
        #expect(released == nil)
        do {
            let navigationController = UINavigationController()
            let login = StrongLoginViewController()
            let coordinator = ApplicationCoordinator(navigationController: navigationController)
            login.delegate = coordinator
            navigationController.setViewControllers([login], animated: false)
            kept = coordinator
            circle = login
        }
        #expect(kept != nil)
        circle?.delegate = nil
        circle = nil
        #expect(kept == nil)
    }

    @Test("Two taps open two details")
    func twice() throws {
        try logIn()
        let list = try list()
        list.tableView(list.tableView, didSelectRowAt: IndexPath(row: 1))
        list.tableView(list.tableView, didSelectRowAt: IndexPath(row: 1))
        #expect(navigationController.viewControllers.count == 3)
    }

    @Test("A tap on a list that was left opens a detail above the log-in")
    func late() throws {
        try logIn()
        let list = try list()
        list.didTapLogOutButton()
        list.tableView(list.tableView, didSelectRowAt: IndexPath(row: 0))
        #expect(navigationController.viewControllers.first is LoginViewController)
        #expect(navigationController.topViewController is ArticleDetailViewController)
    }
}

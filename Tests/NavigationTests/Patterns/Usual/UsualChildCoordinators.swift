import Testing

// The usual form of the page ChildCoordinators. A test compares the two.

private struct User: Equatable {
    var region: String?
    var username: String?
    var password: String?
}

@MainActor
private protocol LoginViewControllerDelegate: AnyObject {
    func didLogIn()
    func signUpNewAccount()
}

private final class LoginViewController: UIViewController {
    weak var delegate: (any LoginViewControllerDelegate)?

    func didTapLogInButton() { delegate?.didLogIn() }
    func didTapSignUpButton() { delegate?.signUpNewAccount() }
}

@MainActor
private protocol SignupRegionViewControllerDelegate: AnyObject {
    func set(region: String)
}

private final class SignupRegionViewController: UITableViewController {
    weak var delegate: (any SignupRegionViewControllerDelegate)?
    let regions = ["Africa", "America", "Asia", "Europe", "Oceania"]

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        delegate?.set(region: regions[indexPath.row])
    }
}

@MainActor
private protocol SignupUsernameViewControllerDelegate: AnyObject {
    func set(username: String)
}

private final class SignupUsernameViewController: UIViewController {
    weak var delegate: (any SignupUsernameViewControllerDelegate)?
    let usernameField = UITextField()

    func didTapNextButton(_ sender: Any) {
        guard usernameField.hasText, let username = usernameField.text else { return }
        delegate?.set(username: username)
    }
}

@MainActor
private protocol SignupPasswordViewControllerDelegate: AnyObject {
    func set(password: String)
}

private final class SignupPasswordViewController: UIViewController {
    weak var delegate: (any SignupPasswordViewControllerDelegate)?
    let passwordField = UITextField()
    let passwordConfirmField = UITextField()

    func didTapRegisterButton(_ sender: Any) {
        guard passwordField.hasText, passwordConfirmField.hasText, let password = passwordField.text,
            password == passwordConfirmField.text
        else { return }
        delegate?.set(password: password)
    }
}

@MainActor
private protocol ArticleListViewControllerDelegate: AnyObject {
    func didSelect(article: String)
    func didLogOut()
}

private final class ArticleListViewController: UITableViewController {
    weak var delegate: (any ArticleListViewControllerDelegate)?
    let articles = ["One", "Two"]

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        delegate?.didSelect(article: articles[indexPath.row])
    }

    func didTapLogOutButton() { delegate?.didLogOut() }
}

private final class ArticleDetailViewController: UIViewController {
    var selectedArticle: String?
}

@MainActor
private protocol Coordinator: AnyObject {
    func start()
}

@MainActor
private protocol LoginCoordinatorDelegate: AnyObject {
    func didLogIn()
}

@MainActor
private protocol ArticleCoordinatorDelegate: AnyObject {
    func didLogOut()
}

@MainActor
private final class ApplicationCoordinator: Coordinator {
    private let navigationController: UINavigationController
    private(set) var childCoordinators: [any Coordinator] = []

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
        let loginCoordinator = LoginCoordinator(navigationController: navigationController)
        loginCoordinator.delegate = self
        childCoordinators.append(loginCoordinator)
        loginCoordinator.start()
    }

    func showContent() {
        let articleCoordinator = ArticleCoordinator(navigationController: navigationController)
        articleCoordinator.delegate = self
        childCoordinators.append(articleCoordinator)
        articleCoordinator.start()
    }
}

extension ApplicationCoordinator: LoginCoordinatorDelegate {
    func didLogIn() {
        _ = childCoordinators.popLast()
        showContent()
    }
}

extension ApplicationCoordinator: ArticleCoordinatorDelegate {
    func didLogOut() {
        _ = childCoordinators.popLast()
        showLogin()
    }
}

@MainActor
private final class LoginCoordinator: Coordinator {
    weak var delegate: (any LoginCoordinatorDelegate)?
    private(set) var user: User?
    private let navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        guard let login = scene("LoginViewController") as? LoginViewController else { return }
        login.delegate = self
        navigationController.setViewControllers([login], animated: false)
    }

    private func scene(_ identifier: String) -> UIViewController {
        UIStoryboard(name: "Login", bundle: nil).instantiateViewController(withIdentifier: identifier)
    }
}

extension LoginCoordinator: LoginViewControllerDelegate {
    func didLogIn() { delegate?.didLogIn() }

    func signUpNewAccount() {
        user = User()
        guard let region = scene("SignupRegionViewController") as? SignupRegionViewController else { return }
        region.delegate = self
        navigationController.pushViewController(region, animated: true)
    }
}

extension LoginCoordinator: SignupRegionViewControllerDelegate {
    func set(region: String) {
        user?.region = region
        guard let username = scene("SignupUsernameViewController") as? SignupUsernameViewController else { return }
        username.delegate = self
        navigationController.pushViewController(username, animated: true)
    }
}

extension LoginCoordinator: SignupUsernameViewControllerDelegate {
    func set(username: String) {
        user?.username = username
        guard let password = scene("SignupPasswordViewController") as? SignupPasswordViewController else { return }
        password.delegate = self
        navigationController.pushViewController(password, animated: true)
    }
}

extension LoginCoordinator: SignupPasswordViewControllerDelegate {
    func set(password: String) {
        user?.password = password
        navigationController.popToRootViewController(animated: true)
    }
}

@MainActor
private final class ArticleCoordinator: Coordinator {
    weak var delegate: (any ArticleCoordinatorDelegate)?
    private let navigationController: UINavigationController

    init(navigationController: UINavigationController) {
        self.navigationController = navigationController
    }

    func start() {
        let scene = UIStoryboard(name: "Articles", bundle: nil)
            .instantiateViewController(withIdentifier: "ArticleListViewController")
        guard let list = scene as? ArticleListViewController else { return }
        list.delegate = self
        navigationController.setViewControllers([list], animated: true)
    }
}

extension ArticleCoordinator: ArticleListViewControllerDelegate {
    func didSelect(article: String) {
        let scene = UIStoryboard(name: "Articles", bundle: nil)
            .instantiateViewController(withIdentifier: "ArticleDetailViewController")
        guard let detail = scene as? ArticleDetailViewController else { return }
        detail.selectedArticle = article
        navigationController.pushViewController(detail, animated: true)
    }

    func didLogOut() { delegate?.didLogOut() }
}

@Suite(
    "The usual code of child coordinators",
    .application([
        "Login": [
            "LoginViewController": { LoginViewController() },
            "SignupRegionViewController": { SignupRegionViewController() },
            "SignupUsernameViewController": { SignupUsernameViewController() },
            "SignupPasswordViewController": { SignupPasswordViewController() },
        ],
        "Articles": [
            "ArticleListViewController": { ArticleListViewController() },
            "ArticleDetailViewController": { ArticleDetailViewController() },
        ],
    ]))
@MainActor
struct UsualChildCoordinatorsTests {
    private let navigationController = UINavigationController()
    private let application: ApplicationCoordinator

    init() {
        application = ApplicationCoordinator(navigationController: navigationController)
        let window = UIWindow()
        window.rootViewController = navigationController
        window.makeKeyAndVisible()
        application.start()
    }

    private func top<Controller>(_: Controller.Type) throws -> Controller {
        try #require(navigationController.topViewController as? Controller)
    }

    private func signUp(as username: String, password: String) throws {
        try top(LoginViewController.self).didTapSignUpButton()
        let region = try top(SignupRegionViewController.self)
        region.tableView(region.tableView, didSelectRowAt: IndexPath(row: 3))
        let name = try top(SignupUsernameViewController.self)
        name.usernameField.text = username
        name.didTapNextButton(self)
        let word = try top(SignupPasswordViewController.self)
        word.passwordField.text = password
        word.passwordConfirmField.text = password
        word.didTapRegisterButton(self)
    }

    @Test("The sign-up goes over region, user name, and password, and back to the log-in")
    func signsUp() throws {
        try signUp(as: "ada", password: "correct horse")
        #expect(navigationController.viewControllers.count == 1)
        #expect(navigationController.topViewController is LoginViewController)
        let login = try #require(application.childCoordinators.first as? LoginCoordinator)
        #expect(login.user == User(region: "Europe", username: "ada", password: "correct horse"))
    }

    @Test("The sign-up does not accept an empty field or two different passwords")
    func guards() throws {
        try top(LoginViewController.self).didTapSignUpButton()
        let region = try top(SignupRegionViewController.self)
        region.tableView(region.tableView, didSelectRowAt: IndexPath(row: 3))
        let name = try top(SignupUsernameViewController.self)
        name.didTapNextButton(self)
        #expect(navigationController.topViewController === name)
        name.usernameField.text = "ada"
        name.didTapNextButton(self)
        let word = try top(SignupPasswordViewController.self)
        for (password, confirmation) in [("", ""), ("one", ""), ("", "one"), ("one", "two")] {
            word.passwordField.text = password
            word.passwordConfirmField.text = confirmation
            word.didTapRegisterButton(self)
            #expect(navigationController.topViewController === word, "\(password) \(confirmation)")
        }
    }

    @Test("Log-in and articles are one child at a time")
    func split() throws {
        weak let authentication = application.childCoordinators.first as? LoginCoordinator
        #expect(authentication != nil)
        try top(LoginViewController.self).didTapLogInButton()
        #expect(authentication == nil)
        #expect(application.childCoordinators.count == 1)
        let list = try top(ArticleListViewController.self)
        list.tableView(list.tableView, didSelectRowAt: IndexPath(row: 1))
        #expect(try top(ArticleDetailViewController.self).selectedArticle == "Two")
        navigationController.popViewController(animated: true)
        list.didTapLogOutButton()
        #expect(navigationController.topViewController is LoginViewController)
        #expect(application.childCoordinators.count == 1)
        #expect(application.childCoordinators.first is LoginCoordinator)
    }

    @Test("The last child is removed, although another one has ended")
    func lastInFirstOut() throws {
        try top(LoginViewController.self).didTapLogInButton()
        let list = try top(ArticleListViewController.self)
        application.showLogin()
        weak let articles = application.childCoordinators.first as? ArticleCoordinator
        weak let login = application.childCoordinators.last as? LoginCoordinator
        #expect(login != nil)
        list.didTapLogOutButton()
        #expect(login == nil)
        #expect(articles != nil)
        #expect(application.childCoordinators.count == 2)
    }

    @Test("The input stays after going back from the sign-up, and the password after its end")
    func remains() throws {
        let login = try #require(application.childCoordinators.first as? LoginCoordinator)
        try top(LoginViewController.self).didTapSignUpButton()
        let region = try top(SignupRegionViewController.self)
        region.tableView(region.tableView, didSelectRowAt: IndexPath(row: 3))
        navigationController.popViewController(animated: true)
        navigationController.popViewController(animated: true)
        #expect(navigationController.topViewController is LoginViewController)
        #expect(login.user == User(region: "Europe"))
        try signUp(as: "ada", password: "correct horse")
        #expect(login.user?.password == "correct horse")
    }

    @Test("A flow that begins above another screen removes that screen")
    func fromElsewhere() {
        let welcome = UIViewController()
        navigationController.setViewControllers([welcome], animated: false)
        application.showLogin()
        #expect(!navigationController.viewControllers.contains { $0 === welcome })
    }
}

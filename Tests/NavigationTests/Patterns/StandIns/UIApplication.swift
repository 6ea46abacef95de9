@MainActor
final class UIScreen {
    static let main = UIScreen()
    let bounds = CGRect(width: 390, height: 844)
}

@MainActor
final class UIWindow: UIView {
    let frame: CGRect
    private(set) weak var windowScene: UIWindowScene?
    var rootViewController: UIViewController?

    init(frame: CGRect = CGRect()) { self.frame = frame }

    convenience init(windowScene: UIWindowScene) {
        self.init(frame: UIScreen.main.bounds)
        self.windowScene = windowScene
    }

    func makeKeyAndVisible() { rootViewController?.appear(false) }
}

@MainActor
final class UIApplication {
    struct LaunchOptionsKey: Hashable {}
}

@MainActor
protocol UIApplicationDelegate: AnyObject {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
}

@MainActor
class UIScene {
    struct ConnectionOptions {}

    init() {}
}

@MainActor
final class UIWindowScene: UIScene {}

@MainActor
final class UISceneSession {}

@MainActor
protocol UIWindowSceneDelegate: AnyObject {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
}

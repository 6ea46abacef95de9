// Stand-ins for UIKit, so that the usual code of the patterns is compiled and run without UIKit. The names and
// signatures are those of UIKit, with only the behavior that the patterns use. Nothing is drawn or animated.

@MainActor
class NSObject {
    init() {}
}

@MainActor
class UIResponder: NSObject {}

@MainActor
class UIViewController: UIResponder {
    var title: String?
    private(set) var isViewLoaded = false
    private(set) weak var presentingViewController: UIViewController?
    private(set) var presentedViewController: UIViewController?
    fileprivate(set) weak var navigationController: UINavigationController?
    /// The tab bar controller of which the screen is a tab.
    weak var tabs: UITabBarController?
    private(set) lazy var presentationController: UIPresentationController? = UIPresentationController(self)
    private let loadedView = UIView()
    fileprivate(set) var isOnScreen = false

    /// The view, which is loaded at the first access.
    var view: UIView {
        if !isViewLoaded {
            isViewLoaded = true
            viewDidLoad()
        }
        return loadedView
    }

    func viewDidLoad() {}
    func viewDidAppear(_ animated: Bool) {}

    func present(_ presented: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
        presentedViewController = presented
        presented.presentingViewController = self
        presented.appear(animated)
        completion?()
    }

    func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        guard presentedViewController != nil else {
            presentingViewController?.dismiss(animated: animated, completion: completion)
            return
        }
        presentedViewController = nil
        completion?()
    }

    /// Performs a segue that the storyboard has drawn from this screen.
    func performSegue(withIdentifier identifier: String, sender: Any?) {
        guard let drawn = AppBundle.arrows[identifier] else { return }
        let segue = drawn.segue.init(identifier: identifier, source: self, destination: drawn.destination())
        prepare(for: segue, sender: sender)
        segue.perform()
    }

    func prepare(for segue: UIStoryboardSegue, sender: Any?) {}

    func show(_ controller: UIViewController, sender: Any?) {
        navigationController?.pushViewController(controller, animated: true)
    }

    func appear(_ animated: Bool) {
        isOnScreen = true
        _ = view
        viewDidAppear(animated)
    }
}

@MainActor
protocol UINavigationControllerDelegate: AnyObject {
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}

/// A stack of screens. Like UIKit, it loads a screen when the screen is on top and the stack is visible, and not
/// before.
@MainActor
class UINavigationController: UIViewController {
    private(set) var viewControllers: [UIViewController] = []
    weak var delegate: (any UINavigationControllerDelegate)?

    var topViewController: UIViewController? { viewControllers.last }

    func setViewControllers(_ controllers: [UIViewController], animated: Bool) {
        let shown = topViewController
        viewControllers = controllers
        for controller in controllers { controller.navigationController = self }
        if shown !== topViewController { showTop(animated) }
    }

    func pushViewController(_ controller: UIViewController, animated: Bool) {
        setViewControllers(viewControllers + [controller], animated: animated)
    }

    /// Goes back. The system's back button and the swipe call this without asking.
    @discardableResult
    func popViewController(animated: Bool) -> UIViewController? {
        guard viewControllers.count > 1 else { return nil }
        let popped = topViewController
        setViewControllers(viewControllers.dropLast(), animated: animated)
        return popped
    }

    @discardableResult
    func popToRootViewController(animated: Bool) -> [UIViewController]? {
        let popped = Array(viewControllers.dropFirst())
        setViewControllers(Array(viewControllers.prefix(1)), animated: animated)
        return popped
    }

    override func appear(_ animated: Bool) {
        super.appear(animated)
        showTop(animated)
    }

    private func showTop(_ animated: Bool) {
        guard isOnScreen, let top = topViewController else { return }
        top.appear(animated)
        delegate?.navigationController(self, didShow: top, animated: animated)
    }
}

@MainActor
protocol UIAdaptivePresentationControllerDelegate: AnyObject {
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}

@MainActor
final class UIPresentationController {
    private(set) unowned var presentedViewController: UIViewController
    weak var delegate: (any UIAdaptivePresentationControllerDelegate)?

    init(_ presented: UIViewController) { presentedViewController = presented }

    /// The user swipes a sheet down: it disappears, and then the delegate is called.
    func swipeDown() {
        presentedViewController.dismiss(animated: true)
        delegate?.presentationControllerDidDismiss(self)
    }
}

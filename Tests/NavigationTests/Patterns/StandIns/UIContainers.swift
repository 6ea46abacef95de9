// Stand-ins for the containers of UIKit that show several stacks. They have only the behavior that the patterns use.

@MainActor
protocol UITabBarControllerDelegate: AnyObject {
    func tabBarController(_ tabBarController: UITabBarController, shouldSelect viewController: UIViewController) -> Bool
}

@MainActor
class UITabBarController: UIViewController {
    var viewControllers: [UIViewController]? {
        didSet { for controller in viewControllers ?? [] { controller.tabs = self } }
    }
    var selectedIndex = 0
    weak var delegate: (any UITabBarControllerDelegate)?

    var selectedViewController: UIViewController? {
        viewControllers.flatMap { $0.indices.contains(selectedIndex) ? $0[selectedIndex] : nil }
    }

    /// The user taps a tab.
    func tap(_ index: Int) {
        guard let controllers = viewControllers, controllers.indices.contains(index) else { return }
        if delegate?.tabBarController(self, shouldSelect: controllers[index]) ?? true { selectedIndex = index }
    }
}

extension UIViewController {
    /// The nearest tab bar controller that contains the screen.
    var tabBarController: UITabBarController? { tabs ?? navigationController?.tabBarController }
}

@MainActor
protocol UISplitViewControllerDelegate: AnyObject {
    func splitViewControllerDidCollapse(_ svc: UISplitViewController)
    func splitViewControllerDidExpand(_ svc: UISplitViewController)
}

@MainActor
class UISplitViewController: UIViewController {
    enum Style { case doubleColumn, tripleColumn }
    enum Column: Hashable { case primary, supplementary, secondary, compact }

    let style: Style
    weak var delegate: (any UISplitViewControllerDelegate)?
    private var columns: [Column: UIViewController] = [:]
    private(set) var isCollapsed = false

    init(style: Style) { self.style = style }

    func setViewController(_ controller: UIViewController?, for column: Column) { columns[column] = controller }
    func viewController(for column: Column) -> UIViewController? { columns[column] }

    /// The window becomes narrow or wide.
    func resize(isNarrow: Bool) {
        isCollapsed = isNarrow
        if isNarrow {
            delegate?.splitViewControllerDidCollapse(self)
        } else {
            delegate?.splitViewControllerDidExpand(self)
        }
    }
}

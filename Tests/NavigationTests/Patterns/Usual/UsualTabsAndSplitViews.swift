import Testing

// The usual code of the page TabsAndSplitViews. A test compares both.

private final class SegueArticle: UIViewController {
    func accountTapped() {
        // A segue stays in its tab.
        tabBarController?.selectedIndex = 1
    }
}

@MainActor
private protocol ArticlesCoordinatorDelegate: AnyObject {
    func articlesCoordinatorWantsAccount()
}

@MainActor
private final class DelegateTabs: ArticlesCoordinatorDelegate {
    let tabs = UITabBarController()

    func articlesCoordinatorWantsAccount() { tabs.selectedIndex = 1 }
}

@MainActor
private final class ParentOfTabs {
    let tabs = UITabBarController()
    /// The children of each tab.
    var children: [[AnyObject]] = [[], []]

    func didFinish(_ child: AnyObject) {
        for tab in children.indices { children[tab].removeAll { $0 === child } }
    }

    func logOut() {
        children = [[], []]
        for case let stack as UINavigationController in tabs.viewControllers ?? [] {
            stack.popToRootViewController(animated: false)
        }
        tabs.selectedIndex = 0
    }
}

private final class ClosureArticle: UIViewController {
    var didTapAccount: () -> Void = {}
}

@MainActor
private func connect(_ article: ClosureArticle, in tabs: UITabBarController) {
    article.didTapAccount = { [weak tabs] in tabs?.selectedIndex = 1 }
}

private enum TabEvent {
    case accountTapped
    case selected(Int)
}

@MainActor
private final class TabEventCoordinator {
    let tabs = UITabBarController()

    func eventOccurred(with type: TabEvent, inTab tab: Int) {
        switch type {
        case .accountTapped: tabs.selectedIndex = 1
        case .selected:
            guard let stack = tabs.viewControllers?[tab] as? UINavigationController else { return }
            stack.pushViewController(SegueArticle(), animated: true)
        }
    }
}

@Suite("The usual code with tabs")
@MainActor
struct UsualTabsAndSplitViewsTests {
    private func fill(_ tabs: UITabBarController, with root: UIViewController = UIViewController()) {
        let (first, second) = (UINavigationController(), UINavigationController())
        first.setViewControllers([root], animated: false)
        tabs.viewControllers = [first, second]
    }

    @Test("A screen, a delegate, and a closure select another tab by its number")
    func selection() {
        let (tabs, segue, closure) = (UITabBarController(), SegueArticle(), ClosureArticle())
        fill(tabs, with: segue)
        segue.accountTapped()
        #expect(tabs.selectedIndex == 1)
        tabs.selectedIndex = 0
        connect(closure, in: tabs)
        closure.didTapAccount()
        #expect(tabs.selectedIndex == 1)
        let delegate = DelegateTabs()
        fill(delegate.tabs)
        delegate.articlesCoordinatorWantsAccount()
        #expect(delegate.tabs.selectedIndex == 1)
    }

    @Test("A parent cleans up the children of each tab")
    func children() {
        let (parent, child) = (ParentOfTabs(), UIViewController())
        fill(parent.tabs)
        parent.children[1] = [child, UIViewController()]
        parent.didFinish(child)
        #expect(parent.children.map(\.count) == [0, 1])
        (parent.tabs.viewControllers?[0] as? UINavigationController)?
            .pushViewController(UIViewController(), animated: false)
        parent.tabs.selectedIndex = 1
        parent.logOut()
        #expect(parent.children.map(\.count) == [0, 0])
        #expect(parent.tabs.selectedIndex == 0)
        #expect((parent.tabs.viewControllers?[0] as? UINavigationController)?.viewControllers.count == 1)
    }

    @Test("A shared coordinator of events needs the tab of each")
    func events() {
        let coordinator = TabEventCoordinator()
        fill(coordinator.tabs)
        coordinator.eventOccurred(with: .selected(7), inTab: 0)
        #expect((coordinator.tabs.viewControllers?[0] as? UINavigationController)?.viewControllers.count == 2)
        coordinator.eventOccurred(with: .accountTapped, inTab: 0)
        #expect(coordinator.tabs.selectedIndex == 1)
    }
}

import Navigation
import Testing

#if canImport(SwiftUI)
    import Observation
    import SwiftUI
#endif
#if canImport(UIKit)
    import UIKit
#endif

// The code of the page SwiftUIAndUIKit. A test compares the two. The owner runs here; the views are only compiled, and
// only where their frameworks are.

private enum AppRoute: String, Route {
    case list = "/articles"
    case article = "/articles/1"

    enum Event: NavigationEvent { case articleChosen }
    typealias Screen = String

    var flow: FlowKind { "articles" }
    var path: String { rawValue }
    var screenName: String { rawValue }
    init?(path: String) { self.init(rawValue: path) }
}

private final class ArticleCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) async { flow.push(.article) }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> String { route.path }
}

@MainActor
private final class AppOwner {
    private let navigator = Navigator<AppRoute>(children: [
        ChildFlow("articles", make: { ArticleCoordinator($0) }) { _ in [] }
    ])
    var onChange: ([AppRoute]) -> Void = { _ in }

    var stack: [AppRoute] { navigator.state.frames.map(\.route) }

    func start() async {
        navigator.onChange = { [weak self] state in self?.onChange(state.frames.map(\.route)) }
        navigator.onPending = { [weak self] in Task { @MainActor in await self?.navigator.settle() } }
        try? await navigator.perform(.show([.list]))
    }

    func send(_ event: AppRoute.Event) async { await navigator.send(event) }

    /// The system has gone back by itself: the stack follows.
    func systemWentBack(to depth: Int) async {
        while stack.count > max(1, depth), await navigator.back() {}
    }
}

#if canImport(SwiftUI)
    @MainActor @Observable
    private final class AppModel {
        private let owner = AppOwner()
        private(set) var stack: [AppRoute] = []

        func start() async {
            owner.onChange = { [weak self] in self?.stack = $0 }
            await owner.start()
        }

        func send(_ event: AppRoute.Event) { Task { await owner.send(event) } }

        /// What is above the lowest screen, as `NavigationStack` has it. It is only ever made shorter from outside.
        var path: [AppRoute] {
            get { Array(stack.dropFirst()) }
            set { Task { await owner.systemWentBack(to: newValue.count + 1) } }
        }
    }

    private struct AppView: View {
        @State private var model = AppModel()

        var body: some View {
            NavigationStack(path: $model.path) {
                Button("Read") { model.send(.articleChosen) }
                    .navigationDestination(for: AppRoute.self) { route in Text(route.path) }
            }
            .task { await model.start() }
        }
    }
#endif

#if canImport(UIKit)
    @MainActor
    private final class AppController: UINavigationController, UINavigationControllerDelegate {
        private let owner = AppOwner()

        func start() async {
            delegate = self
            owner.onChange = { [weak self] stack in self?.show(stack) }
            await owner.start()
        }

        private func show(_ stack: [AppRoute]) {
            let kept = zip(viewControllers, stack).prefix { $0.title == $1.path }.map(\.0)
            let added = stack.dropFirst(kept.count).map { route in
                let screen = UIViewController()
                screen.title = route.path
                return screen
            }
            setViewControllers(kept + added, animated: true)
        }

        func navigationController(_: UINavigationController, didShow _: UIViewController, animated: Bool) {
            let depth = viewControllers.count
            Task { await owner.systemWentBack(to: depth) }
        }
    }
#endif

@Suite("The page SwiftUIAndUIKit")
struct SwiftUIAndUIKitTests {
    @Test("follows the system when it goes back by itself, and never past the lowest screen")
    @MainActor
    func systemBack() async {
        let owner = AppOwner()
        await owner.start()
        await owner.send(.articleChosen)
        await owner.send(.articleChosen)
        #expect(owner.stack == [.list, .article, .article])
        await owner.systemWentBack(to: 2)
        #expect(owner.stack == [.list, .article])
        await owner.systemWentBack(to: 2)
        #expect(owner.stack == [.list, .article])
        await owner.systemWentBack(to: 0)
        #expect(owner.stack == [.list])
    }

    @Test("tells of each change")
    @MainActor
    func changes() async {
        let owner = AppOwner()
        var stacks: [[AppRoute]] = []
        owner.onChange = { stacks.append($0) }
        await owner.start()
        await owner.send(.articleChosen)
        #expect(stacks == [[.list], [.list, .article]])
    }
}

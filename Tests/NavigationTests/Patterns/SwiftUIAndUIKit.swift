import Navigation
import Observation
import Testing

// The code of the page SwiftUIAndUIKit. A test compares both. The model and the presenter run here with stand-ins for
// the frameworks; the views are type-checked with them, and their bindings run.

@MainActor
@Observable
private final class NavigatorModel<R: Route> {
    /// The frames in layers, lowest first: a modal frame begins a layer, which is shown above the others.
    private(set) var layers: [[NavigationState<R>.Frame]] = []
    /// The screens, or the error of each that could not be made.
    private(set) var screens: [FrameID: Result<R.Screen, any Error>] = [:]

    /// Called after each change, for owners that do not use observation.
    @ObservationIgnored var onChange: () -> Void = {}
    /// The last task that went back, for tests to wait for.
    @ObservationIgnored private(set) var task: Task<Void, Never>?
    @ObservationIgnored private var turn = 0
    @ObservationIgnored private let navigator: Navigator<R>

    init(_ navigator: Navigator<R>) {
        self.navigator = navigator
        navigator.onChange = { [weak self] _ in self?.follow() }
        navigator.onPending = { [weak self] in Task { @MainActor in self?.settle() } }
    }

    /// Handles the pending reports of screens and results of work.
    func settle() { navigator.settle() }

    /// Shows a target, as far as it is admitted. Errors are in the navigator's journal.
    func show(_ target: Target<R>) {
        try? navigator.perform(.show(target))
    }

    /// The system has gone back by itself: the stack follows in one move. If a flow asks first, all screens are shown
    /// again.
    func systemWentBack(to frame: FrameID) {
        guard let layer = layers.firstIndex(where: { $0.contains { $0.id == frame } }),
            let index = layers[layer].firstIndex(where: { $0.id == frame })
        else { return }
        layers = layers[..<layer] + [Array(layers[layer][...index])]
        // In a change of its own, so that the framework notices if its screens are to be shown again.
        task = Task {
            navigator.back(to: frame)
            follow()
        }
    }

    private func follow() {
        let frames = navigator.state.frames
        layers = frames.reduce(into: []) { layers, frame in
            if layers.isEmpty || frame.isModal { layers.append([]) }
            layers[layers.count - 1].append(frame)
        }
        screens = screens.filter { made in frames.contains { $0.id == made.key } }
        turn += 1
        onChange()
        Task { await makeScreens() }
    }

    /// Requests the top screen, which may change after each turn, and those that were not made before.
    func makeScreens() async {
        let turn = turn
        for frame in navigator.state.frames where frame == navigator.state.top || screens[frame.id] == nil {
            let made: Result<R.Screen, any Error>
            do {
                guard let screen = try await navigator.screen(of: frame.id) else { continue }
                made = .success(screen)
            } catch {
                made = .failure(error)
            }
            // A screen of an earlier turn is too late.
            guard turn == self.turn else { return }
            screens[frame.id] = made
        }
        onChange()
    }
}

private struct NavigatorView<R: Route, Content: View>: View {
    let model: NavigatorModel<R>
    var layer = 0
    @ViewBuilder let content: (Result<R.Screen, any Error>) -> Content

    var body: some View {
        NavigationStack(path: path) {
            screen(of: frames.first?.id)
                .navigationDestination(for: FrameID.self) { screen(of: $0) }
        }
        .sheet(isPresented: isCovered) {
            NavigatorView(model: model, layer: layer + 1, content: content)
        }
    }

    /// The path above the first screen. The framework only shortens it.
    var path: Binding<[FrameID]> {
        Binding {
            frames.dropFirst().map(\.id)
        } set: { path in
            if path.count < frames.count - 1 { model.systemWentBack(to: frames[path.count].id) }
        }
    }

    /// Whether a sheet is above. The framework only removes it.
    var isCovered: Binding<Bool> {
        Binding {
            model.layers.count > layer + 1
        } set: { isCovered in
            if !isCovered, let top = frames.last { model.systemWentBack(to: top.id) }
        }
    }

    private var frames: [NavigationState<R>.Frame] {
        model.layers.indices.contains(layer) ? model.layers[layer] : []
    }

    @ViewBuilder
    private func screen(of frame: FrameID?) -> some View {
        if let frame, let screen = model.screens[frame] {
            content(screen)
        } else {
            ProgressView()
        }
    }
}

@MainActor
private protocol ScreenController<Screen>: UIViewController {
    associatedtype Screen

    /// Called when the screen has been made, and again after each turn.
    func show(_ screen: Result<Screen, any Error>)
}

@MainActor
private final class NavigatorPresenter<R: Route>: NSObject, UINavigationControllerDelegate,
    UIAdaptivePresentationControllerDelegate
{
    let root = UINavigationController()
    private let model: NavigatorModel<R>
    private let make: (R) -> any ScreenController<R.Screen>
    private var controllers: [FrameID: any ScreenController<R.Screen>] = [:]
    /// A navigation controller for each layer.
    private var stacks: [UINavigationController] = []

    init(_ model: NavigatorModel<R>, make: @escaping (R) -> any ScreenController<R.Screen>) {
        self.model = model
        self.make = make
        super.init()
        root.delegate = self
        stacks = [root]
        model.onChange = { [weak self] in self?.follow() }
    }

    private func follow() {
        let frames = Set(model.layers.joined().map(\.id))
        controllers = controllers.filter { frames.contains($0.key) }
        if stacks.count > max(1, model.layers.count) {
            stacks.removeSubrange(max(1, model.layers.count)...)
            stacks.last?.dismiss(animated: true)
        }
        for (layer, frames) in model.layers.enumerated() {
            let shown = frames.map(controller)
            if layer == stacks.count { present() }
            if !stacks[layer].viewControllers.elementsEqual(shown, by: ===) {
                stacks[layer].setViewControllers(shown, animated: true)
            }
        }
        for (frame, screen) in model.screens { controllers[frame]?.show(screen) }
    }

    private func controller(for frame: NavigationState<R>.Frame) -> UIViewController {
        let controller = controllers[frame.id] ?? make(frame.route)
        controllers[frame.id] = controller
        return controller
    }

    private func present() {
        let stack = UINavigationController()
        stack.delegate = self
        stack.presentationController?.delegate = self
        stacks.last?.present(stack, animated: true)
        stacks.append(stack)
    }

    func navigationController(_ stack: UINavigationController, didShow _: UIViewController, animated: Bool) {
        let depth = stack.viewControllers.count
        guard let layer = stacks.firstIndex(where: { $0 === stack }), model.layers.indices.contains(layer),
            (1..<model.layers[layer].count).contains(depth)
        else { return }
        model.systemWentBack(to: model.layers[layer][depth - 1].id)
    }

    func presentationControllerDidDismiss(_ presentation: UIPresentationController) {
        guard let layer = stacks.firstIndex(where: { $0 === presentation.presentedViewController }), layer > 0,
            let top = model.layers[layer - 1].last
        else { return }
        stacks.removeSubrange(layer...)
        model.systemWentBack(to: top.id)
    }
}

// An application with a list, articles, a sheet, and a flow that would lose something.

private enum AppRoute: Route {
    case list
    case article(Int)
    case share, recipient, discard

    enum Event: NavigationEvent {
        case selected(Int)
        case shareTapped, typed, discarded, kept
    }

    struct Screen {
        let title: String
        let report: Outlet<Event>
    }

    var flow: FlowKind {
        switch self {
        case .list, .article: "articles"
        case .share, .recipient: "share"
        case .discard: "discard"
        }
    }

    var path: String {
        switch self {
        case .list: "/articles"
        case .article(let number): RoutePath("articles", "\(number)").text
        case .share: "/share"
        case .recipient: "/share/recipient"
        case .discard: "/discard"
        }
    }

    var screenName: String { if case .article = self { "/articles/<number>" } else { path } }

    init?(path: String) { nil }
}

private struct NoSuchArticle: Error {}

private final class ArticleCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .selected(let number): flow.push(.article(number))
        case .shareTapped: flow.begin(.share, modal: true)
        default: break
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> AppRoute.Screen {
        if route == .article(0) { throw NoSuchArticle() }
        return AppRoute.Screen(title: route.path, report: outlet)
    }
}

nonisolated private final class ShareCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>
    private let canAsk: Bool
    private let beforeScreen: () async -> Void
    private var isTyped = false

    init(_ flow: Flow<AppRoute, Void>, canAsk: Bool, beforeScreen: @escaping () async -> Void) {
        self.flow = flow
        self.canAsk = canAsk
        self.beforeScreen = beforeScreen
    }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .typed: isTyped = true
        case .selected: flow.push(.recipient)
        case .shareTapped: flow.present(.recipient)
        default: break
        }
    }

    var children: [ChildFlow<AppRoute>] {
        canAsk ? [ChildFlow("discard", make: { DiscardCoordinator($0) }) { _ in [] }] : []
    }

    func question(beforeLeaving routes: [AppRoute]) -> AppRoute? { isTyped ? .discard : nil }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> AppRoute.Screen {
        let screen = AppRoute.Screen(title: isTyped ? "/share, typed" : route.path, report: outlet)
        if !isTyped { await beforeScreen() }
        return screen
    }
}

nonisolated private final class DiscardCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        if case .discarded = event { flow.finish() } else { flow.cancel() }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) -> AppRoute.Screen {
        AppRoute.Screen(title: route.path, report: outlet)
    }
}

private func makeNavigator(
    canAsk: Bool = true, beforeScreen: @escaping () async -> Void = {}
) -> Navigator<AppRoute> {
    Navigator(children: [
        ChildFlow("articles", make: { ArticleCoordinator($0) }) { _ in [] },
        ChildFlow("share", make: { ShareCoordinator($0, canAsk: canAsk, beforeScreen: beforeScreen) }) { _ in [] },
    ])
}

private struct AppView: View {
    let model: NavigatorModel<AppRoute>

    var body: some View {
        NavigatorView(model: model) { screen in
            switch screen {
            case .success(let screen): Button(screen.title) { screen.report(.selected(1)) }
            case .failure(let error): Text("\(error)")
            }
        }
        .task { model.show([.list]) }
    }
}

private final class TitledController: UIViewController, ScreenController {
    private var screen: AppRoute.Screen?

    func show(_ screen: Result<AppRoute.Screen, any Error>) {
        self.screen = try? screen.get()
        title = self.screen?.title ?? "This article is not there."
    }

    func tap(_ event: AppRoute.Event) { screen?.report(event) }
}

private final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    let model = NavigatorModel(makeNavigator())
    private var presenter: NavigatorPresenter<AppRoute>?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let presenter = NavigatorPresenter(model) { _ in TitledController() }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = presenter.root
        window.makeKeyAndVisible()
        self.window = window
        self.presenter = presenter
        model.show([.list])
    }
}

@Suite("The page SwiftUIAndUIKit: the model under SwiftUI")
@MainActor
struct SwiftUITests {
    private let model = NavigatorModel(makeNavigator())

    private func show(_ target: Target<AppRoute>) async {
        model.show(target)
        await settle()
    }

    private func settle() async {
        await model.task?.value
        model.settle()
        await model.makeScreens()
    }

    private var paths: [[String]] { model.layers.map { $0.map(\.route.path) } }

    private func view(layer: Int = 0) -> NavigatorView<AppRoute, Text> {
        NavigatorView(model: model, layer: layer) { _ in Text("") }
    }

    private func report(_ event: AppRoute.Event) async throws {
        let top = try #require(model.layers.last?.last)
        try #require(model.screens[top.id]).get().report(event)
        await settle()
    }

    @Test("Screens and outlets reach the views")
    func screens() async throws {
        await show([.list])
        try await report(.selected(7))
        #expect(paths == [["/articles", "/articles/7"]])
        #expect(try model.layers[0].map { try model.screens[$0.id]?.get().title } == ["/articles", "/articles/7"])
        #expect(view().path.wrappedValue == [model.layers[0][1].id])
        #expect(!view().isCovered.wrappedValue)
    }

    @Test("A view learns why its screen could not be made")
    func failure() async throws {
        await show([.list, .article(0)])
        let screen = try #require(model.screens[model.layers[0][1].id])
        #expect(throws: NoSuchArticle.self) { try screen.get() }
    }

    @Test("The model follows the system's going back, by one screen or by several, in one move")
    func systemBack() async throws {
        await show([.list, .article(1), .article(2), .article(3)])
        view().path.wrappedValue.removeLast()
        #expect(paths == [["/articles", "/articles/1", "/articles/2"]])
        await settle()
        view().path.wrappedValue = []
        await settle()
        #expect(paths == [["/articles"]])
        #expect(model.screens.count == 1)
    }

    @Test("A modal flow is a layer, and the model follows when the system removes it")
    func modal() async throws {
        await show(Target([.list, .article(1)]).beginning(.share, modal: true))
        #expect(paths == [["/articles", "/articles/1"], ["/share"]])
        #expect(view().isCovered.wrappedValue)
        #expect(!view(layer: 1).isCovered.wrappedValue)
        view().isCovered.wrappedValue = false
        await settle()
        #expect(paths == [["/articles", "/articles/1"]])
        view().isCovered.wrappedValue = false
        await settle()
        #expect(paths == [["/articles", "/articles/1"]])
    }

    @Test("If something would be lost, all screens are shown again with the question")
    func question() async throws {
        await show(Target([.list]).beginning(.share, modal: true))
        try await report(.typed)
        view().isCovered.wrappedValue = false
        #expect(paths == [["/articles"]])
        await settle()
        #expect(paths == [["/articles"], ["/share"], ["/discard"]])
        try await report(.kept)
        #expect(paths == [["/articles"], ["/share"]])
        view().isCovered.wrappedValue = false
        await settle()
        try await report(.discarded)
        #expect(paths == [["/articles"]])
    }

    @Test("If going back has no effect, all screens are shown again")
    func refused() async throws {
        let model = NavigatorModel(makeNavigator(canAsk: false))
        model.show(Target([.list]).beginning(.share, modal: true))
        await model.task?.value
        await model.makeScreens()
        let share = try #require(model.layers.last?.last)
        try #require(model.screens[share.id]).get().report(.typed)
        model.settle()
        model.systemWentBack(to: model.layers[0][0].id)
        #expect(model.layers.count == 1)
        await model.task?.value
        #expect(model.layers.map { $0.map(\.route) } == [[.list], [.share]])
    }

    @Test("The top screen is requested after each turn")
    func again() async throws {
        await show(Target([.list]).beginning(.share, modal: true))
        try await report(.typed)
        #expect(try model.screens[model.layers[1][0].id]?.get().title == "/share, typed")
    }

    @Test("A late screen of an earlier turn is not shown")
    func late() async throws {
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let navigator = makeNavigator { for await _ in released { break } }
        let model = NavigatorModel(navigator)
        try navigator.perform(.show(Target([.list]).beginning(.share, modal: true)))
        let early = Task { await model.makeScreens() }
        while model.screens.isEmpty { await Task.yield() }
        navigator.send(.typed)
        await model.makeScreens()
        release.finish()
        await early.value
        #expect(try model.screens[model.layers[1][0].id]?.get().title == "/share, typed")
    }

    @Test("An application's view is made from the model")
    func application() { #expect(AppView(model: model).body is NavigatorView<AppRoute, ConditionalView<Button, Text>>) }
}

@Suite("The page SwiftUIAndUIKit: the presenter under UIKit")
@MainActor
struct UIKitTests {
    private let delegate = SceneDelegate()

    private func connect() async throws -> UINavigationController {
        delegate.scene(UIWindowScene(), willConnectTo: UISceneSession(), options: UIScene.ConnectionOptions())
        await settle()
        return try #require(delegate.window?.rootViewController as? UINavigationController)
    }

    private func settle() async {
        await delegate.model.task?.value
        delegate.model.settle()
        await delegate.model.makeScreens()
    }

    private func titles(_ stack: UINavigationController) -> [String?] { stack.viewControllers.map(\.title) }

    private func tap(_ event: AppRoute.Event, in stack: UINavigationController) async throws {
        try #require(stack.topViewController as? TitledController).tap(event)
        await settle()
    }

    @Test("The presenter shows the stack, and keeps the controllers of screens that stay")
    func stack() async throws {
        let root = try await connect()
        #expect(titles(root) == ["/articles"])
        let list = root.topViewController
        try await tap(.selected(7), in: root)
        #expect(titles(root) == ["/articles", "/articles/7"])
        #expect(root.viewControllers.first === list)
    }

    @Test("The presenter follows when the user goes back with the system's button")
    func systemBack() async throws {
        let root = try await connect()
        try await tap(.selected(7), in: root)
        try await tap(.selected(8), in: root)
        root.popToRootViewController(animated: true)
        await settle()
        #expect(delegate.model.layers.map { $0.map(\.route) } == [[.list]])
        #expect(titles(root) == ["/articles"])
    }

    @Test("The presenter shows a modal flow, and follows when it is swiped down")
    func modal() async throws {
        let root = try await connect()
        try await tap(.shareTapped, in: root)
        let sheet = try #require(root.presentedViewController as? UINavigationController)
        #expect(titles(sheet) == ["/share"])
        try await tap(.selected(1), in: sheet)
        #expect(titles(sheet) == ["/share", "/share/recipient"])
        sheet.popViewController(animated: true)
        await settle()
        #expect(delegate.model.layers.map { $0.map(\.route) } == [[.list], [.share]])
        sheet.presentationController?.swipeDown()
        await settle()
        #expect(root.presentedViewController == nil)
        #expect(delegate.model.layers.count == 1)
    }

    @Test("The presenter dismisses what the navigator dismisses, and presents again if a flow asks first")
    func question() async throws {
        let root = try await connect()
        try await tap(.shareTapped, in: root)
        let sheet = try #require(root.presentedViewController as? UINavigationController)
        try await tap(.typed, in: sheet)
        sheet.presentationController?.swipeDown()
        await settle()
        let again = try #require(root.presentedViewController as? UINavigationController)
        #expect(titles(again) == ["/share, typed"])
        let question = try #require(again.presentedViewController as? UINavigationController)
        #expect(titles(question) == ["/discard"])
        try await tap(.discarded, in: question)
        #expect(root.presentedViewController == nil)
        #expect(delegate.model.layers.map { $0.map(\.route) } == [[.list]])
    }

    @Test("A sheet stays when the one above it is swiped down")
    func nested() async throws {
        let root = try await connect()
        try await tap(.shareTapped, in: root)
        let sheet = try #require(root.presentedViewController as? UINavigationController)
        try await tap(.shareTapped, in: sheet)
        let above = try #require(sheet.presentedViewController as? UINavigationController)
        #expect(titles(above) == ["/share/recipient"])
        above.presentationController?.swipeDown()
        await settle()
        #expect(root.presentedViewController === sheet)
        #expect(sheet.presentedViewController == nil)
        #expect(delegate.model.layers.map { $0.map(\.route) } == [[.list], [.share]])
    }

    @Test("A link to another place dismisses both sheets at once, and presents again")
    func elsewhere() async throws {
        let root = try await connect()
        try await tap(.shareTapped, in: root)
        try await tap(.shareTapped, in: try #require(root.presentedViewController as? UINavigationController))
        delegate.model.show([.list, .article(1)])
        await settle()
        #expect(root.presentedViewController == nil)
        #expect(titles(root) == ["/articles", "/articles/1"])
        try await tap(.shareTapped, in: root)
        #expect(titles(try #require(root.presentedViewController as? UINavigationController)) == ["/share"])
    }
}

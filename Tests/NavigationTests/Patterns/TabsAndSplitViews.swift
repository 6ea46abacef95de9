import Navigation
import Observation
import Testing

// The code of the page TabsAndSplitViews. A test compares both. The model and the presenters run here with stand-ins for
// the frameworks; the views are type-checked with them, and their bindings run.

@MainActor
@Observable
private final class WindowModel<R: Route> {
    /// The state that the window shows.
    private(set) var state: NavigationState<R>
    /// The screens, or the error of each that could not be made.
    private(set) var screens: [FrameID: Result<R.Screen, any Error>] = [:]
    /// The number of taps on the selected tab at its root. After each, the screen scrolls to its top.
    private(set) var scrollCount = 0
    /// The number of columns for which the window has room.
    private(set) var width: WidthClass

    /// Called after each change, for owners that do not use observation.
    @ObservationIgnored var onChange: () -> Void = {}
    @ObservationIgnored private var turn = 0
    @ObservationIgnored private let navigator: Navigator<R>

    init(_ navigator: Navigator<R>) {
        self.navigator = navigator
        state = navigator.state
        width = navigator.widthClass
        navigator.onChange = { [weak self] _ in self?.follow() }
        navigator.onPending = { [weak self] in Task { @MainActor in self?.settle() } }
    }

    /// The modal frames in layers, lowest first.
    var layers: [[NavigationState<R>.Frame]] {
        state.frames.drop { !$0.isModal }.reduce(into: []) { layers, frame in
            if frame.isModal { layers.append([]) }
            layers[layers.count - 1].append(frame)
        }
    }

    func settle() { navigator.settle() }

    /// Shows a target, as far as it is admitted. Errors are in the navigator's journal.
    func show(_ target: Target<R>) { try? navigator.perform(.show(target)) }

    /// The user has tapped a tab, or an entry of the sidebar.
    func select(_ section: SectionID) {
        if (try? navigator.select(section)) == .wasAtRoot { scrollCount += 1 }
        follow()
    }

    /// The window has another width. The state does not change.
    func resize(_ width: WidthClass) {
        self.width = width
        navigator.widthClass = width
        navigator.settle()
        follow()
    }

    /// The system has gone back by itself: the stack follows in one move.
    func systemWentBack(to frame: FrameID) {
        navigator.back(to: frame)
        follow()
    }

    private func follow() {
        state = navigator.state
        screens = screens.filter { made in state.frame(made.key) != nil }
        turn += 1
        onChange()
        Task { await makeScreens() }
    }

    /// Requests the visible screens, which may change after each turn, and those that were not made before.
    func makeScreens() async {
        let turn = turn
        let active = state.panes(for: width).active
        for frame in state.frames where active.contains(frame) || screens[frame.id] == nil {
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

private extension WindowModel {
    /// Whether a sheet is above the tabs or the columns. The framework only removes it.
    var isCovered: Binding<Bool> {
        Binding {
            !self.layers.isEmpty
        } set: { isCovered in
            if !isCovered, let top = self.state.frames.last(where: { !$0.isModal }) { self.systemWentBack(to: top.id) }
        }
    }
}

private struct StackView<R: Route, Content: View>: View {
    let model: WindowModel<R>
    let frames: [NavigationState<R>.Frame]
    @ViewBuilder let content: (Result<R.Screen, any Error>) -> Content

    var body: some View {
        NavigationStack(path: path) {
            screen(of: frames.first?.id)
                .navigationDestination(for: FrameID.self) { screen(of: $0) }
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

    @ViewBuilder
    private func screen(of frame: FrameID?) -> some View {
        if let frame, let screen = model.screens[frame] {
            content(screen)
        } else {
            ProgressView()
        }
    }
}

private struct TabsView<R: Route, Content: View>: View {
    let model: WindowModel<R>
    @ViewBuilder let content: (Result<R.Screen, any Error>) -> Content

    var body: some View {
        TabView(selection: selection) {
            ForEach(model.state.sections) { section in
                StackView(model: model, frames: model.state.frames(in: section.id), content: content)
                    .tabItem { Text(section.id.name) }
                    .tag(section.id)
            }
        }
        .sheet(isPresented: model.isCovered) {
            SheetView(model: model, layer: 0, content: content)
        }
    }

    /// The selected tab. The framework writes to it when the user taps a tab.
    var selection: Binding<SectionID> {
        Binding {
            model.state.section ?? ""
        } set: { section in
            model.select(section)
        }
    }
}

private struct ColumnsView<R: Route, Content: View>: View {
    let model: WindowModel<R>
    @ViewBuilder let content: (Result<R.Screen, any Error>) -> Content

    var body: some View {
        splitView
            .sheet(isPresented: model.isCovered) {
                SheetView(model: model, layer: 0, content: content)
            }
    }

    @ViewBuilder
    private var splitView: some View {
        if columns.count > 2 {
            NavigationSplitView {
                column(0)
            } content: {
                column(1)
            } detail: {
                column(2)
            }
        } else if model.width != .compact {
            NavigationSplitView {
                column(0)
            } detail: {
                column(1)
            }
        } else {
            column(0)
        }
    }

    /// The stacks of the columns. A column without frames is empty.
    var columns: [[NavigationState<R>.Frame]] { model.state.columnStacks(for: model.width) }

    private func column(_ index: Int) -> some View {
        StackView(model: model, frames: columns.indices.contains(index) ? columns[index] : [], content: content)
    }
}

private struct SheetView<R: Route, Content: View>: View {
    let model: WindowModel<R>
    let layer: Int
    @ViewBuilder let content: (Result<R.Screen, any Error>) -> Content

    var body: some View {
        StackView(model: model, frames: frames, content: content)
            .sheet(isPresented: isCovered) {
                SheetView(model: model, layer: layer + 1, content: content)
            }
    }

    /// Whether another sheet is above this one.
    var isCovered: Binding<Bool> {
        Binding {
            model.layers.count > layer + 1
        } set: { isCovered in
            if !isCovered, let top = frames.last { model.systemWentBack(to: top.id) }
        }
    }

    private var frames: [NavigationState<R>.Frame] { model.layers.indices.contains(layer) ? model.layers[layer] : [] }
}

@MainActor
private protocol WindowController<Screen>: UIViewController {
    associatedtype Screen

    /// Called when the screen has been made, and again after each turn.
    func show(_ screen: Result<Screen, any Error>)
}

@MainActor
private final class Controllers<R: Route> {
    private let make: (R) -> any WindowController<R.Screen>
    private var made: [FrameID: any WindowController<R.Screen>] = [:]

    init(make: @escaping (R) -> any WindowController<R.Screen>) { self.make = make }

    /// Shows frames in a navigation controller, and keeps the controllers of frames that stay.
    func show(_ frames: [NavigationState<R>.Frame], in stack: UINavigationController) {
        let shown = frames.map { frame -> UIViewController in
            let controller = made[frame.id] ?? make(frame.route)
            made[frame.id] = controller
            return controller
        }
        if !stack.viewControllers.elementsEqual(shown, by: ===) { stack.setViewControllers(shown, animated: true) }
    }

    /// Passes the screens on, and releases the controllers of frames that are gone.
    func update(_ model: WindowModel<R>) {
        made = made.filter { model.state.frame($0.key) != nil }
        for (frame, screen) in model.screens { made[frame]?.show(screen) }
    }
}

/// Presents a navigation controller for each modal layer, above the tabs or the columns.
@MainActor
private final class SheetsPresenter<R: Route>: NSObject, UINavigationControllerDelegate,
    UIAdaptivePresentationControllerDelegate
{
    private let root: UIViewController
    private let model: WindowModel<R>
    private let controllers: Controllers<R>
    private var stacks: [UINavigationController] = []

    init(above root: UIViewController, _ model: WindowModel<R>, _ controllers: Controllers<R>) {
        (self.root, self.model, self.controllers) = (root, model, controllers)
    }

    func follow() {
        let layers = model.layers
        if stacks.count > layers.count {
            stacks.removeSubrange(layers.count...)
            (stacks.last ?? root).dismiss(animated: true)
        }
        for (layer, frames) in layers.enumerated() {
            if layer == stacks.count { present() }
            controllers.show(frames, in: stacks[layer])
        }
    }

    private func present() {
        let stack = UINavigationController()
        stack.delegate = self
        stack.presentationController?.delegate = self
        (stacks.last ?? root).present(stack, animated: true)
        stacks.append(stack)
    }

    func navigationController(_ stack: UINavigationController, didShow _: UIViewController, animated: Bool) {
        guard let layer = stacks.firstIndex(where: { $0 === stack }), model.layers.indices.contains(layer)
        else { return }
        let (frames, depth) = (model.layers[layer], stack.viewControllers.count)
        if (1..<frames.count).contains(depth) { model.systemWentBack(to: frames[depth - 1].id) }
    }

    func presentationControllerDidDismiss(_ presentation: UIPresentationController) {
        guard let layer = stacks.firstIndex(where: { $0 === presentation.presentedViewController }),
            let top = layer > 0 ? model.layers[layer - 1].last : model.state.frames.last(where: { !$0.isModal })
        else { return }
        stacks.removeSubrange(layer...)
        model.systemWentBack(to: top.id)
    }
}

@MainActor
private final class TabsPresenter<R: Route>: NSObject, UITabBarControllerDelegate, UINavigationControllerDelegate {
    let root = UITabBarController()
    private let model: WindowModel<R>
    private let controllers: Controllers<R>
    private let sheets: SheetsPresenter<R>
    private var stacks: [SectionID: UINavigationController] = [:]

    init(_ model: WindowModel<R>, make: @escaping (R) -> any WindowController<R.Screen>) {
        self.model = model
        controllers = Controllers(make: make)
        sheets = SheetsPresenter(above: root, model, controllers)
        super.init()
        root.delegate = self
        model.onChange = { [weak self] in self?.follow() }
    }

    private func follow() {
        let state = model.state
        let tabs = state.sections.map { stack(of: $0.id) }
        if !(root.viewControllers ?? []).elementsEqual(tabs, by: ===) { root.viewControllers = tabs }
        for section in state.sections { controllers.show(state.frames(in: section.id), in: stack(of: section.id)) }
        if let index = state.sections.firstIndex(where: { $0.id == state.section }) { root.selectedIndex = index }
        sheets.follow()
        controllers.update(model)
    }

    private func stack(of section: SectionID) -> UINavigationController {
        if let stack = stacks[section] { return stack }
        let stack = UINavigationController()
        stack.title = section.name
        stack.delegate = self
        stacks[section] = stack
        return stack
    }

    /// The navigator selects the section, so the framework does not.
    func tabBarController(_: UITabBarController, shouldSelect tab: UIViewController) -> Bool {
        if let section = stacks.first(where: { $0.value === tab })?.key { model.select(section) }
        return false
    }

    func navigationController(_ stack: UINavigationController, didShow _: UIViewController, animated: Bool) {
        guard let section = stacks.first(where: { $0.value === stack })?.key else { return }
        let frames = model.state.frames(in: section)
        let depth = stack.viewControllers.count
        if section == model.state.section, (1..<frames.count).contains(depth) {
            model.systemWentBack(to: frames[depth - 1].id)
        }
    }
}

@MainActor
private final class SplitPresenter<R: Route>: NSObject, UISplitViewControllerDelegate, UINavigationControllerDelegate {
    let root = UISplitViewController(style: .tripleColumn)
    private let model: WindowModel<R>
    private let controllers: Controllers<R>
    private let sheets: SheetsPresenter<R>
    private let columns = [UINavigationController(), UINavigationController(), UINavigationController()]
    private let narrow = UINavigationController()

    init(_ model: WindowModel<R>, make: @escaping (R) -> any WindowController<R.Screen>) {
        self.model = model
        controllers = Controllers(make: make)
        sheets = SheetsPresenter(above: root, model, controllers)
        super.init()
        root.delegate = self
        for (column, stack) in zip([UISplitViewController.Column.primary, .supplementary, .secondary], columns) {
            root.setViewController(stack, for: column)
        }
        root.setViewController(narrow, for: .compact)
        for stack in columns + [narrow] { stack.delegate = self }
        model.onChange = { [weak self] in self?.follow() }
        model.resize(.expanded)
    }

    func splitViewControllerDidCollapse(_: UISplitViewController) { model.resize(.compact) }
    func splitViewControllerDidExpand(_: UISplitViewController) { model.resize(.expanded) }

    /// The stacks that are on the screen, and the frames of each.
    private var shown: [(stack: UINavigationController, frames: [NavigationState<R>.Frame])] {
        guard model.width != .compact else { return [(narrow, model.state.columnStacks(for: .compact).first ?? [])] }
        let panes = model.state.panes(for: model.width)
        let frames = model.state.columnStacks(for: model.width)
        return zip([panes.sidebar, panes.list, panes.detail], columns).map { pane, stack in
            (stack, pane.flatMap { pane in frames.first { $0.last == pane } } ?? [])
        }
    }

    private func follow() {
        for (stack, frames) in shown { controllers.show(frames, in: stack) }
        sheets.follow()
        controllers.update(model)
    }

    func navigationController(_ stack: UINavigationController, didShow _: UIViewController, animated: Bool) {
        guard let frames = shown.first(where: { $0.stack === stack })?.frames else { return }
        let depth = stack.viewControllers.count
        if (1..<frames.count).contains(depth) { model.systemWentBack(to: frames[depth - 1].id) }
    }
}

// An application with two tabs, in which feeds, a list, and an article are columns.

private enum AppRoute: Route {
    case feeds, list, login, account, share
    case article(Int)

    enum Event: NavigationEvent {
        case opened, selected(Int), shareTapped, accountTapped
        case loggedIn
    }

    struct Screen {
        let title: String
        let report: Outlet<Event>
    }

    var flow: FlowKind {
        switch self {
        case .feeds, .list, .article: "articles"
        case .login: "login"
        case .account: "account"
        case .share: "share"
        }
    }

    var paneRole: PaneRole {
        switch self {
        case .feeds: .sidebar
        case .list: .list
        default: .detail
        }
    }

    var path: String {
        switch self {
        case .feeds: "/feeds"
        case .list: "/articles"
        case .article(let number): RoutePath("articles", "\(number)").text
        case .login: "/login"
        case .account: "/account"
        case .share: "/share"
        }
    }

    var screenName: String { if case .article = self { "/articles/<number>" } else { path } }

    init?(path: String) { nil }
}

private final class AppCoordinator: Coordinator {
    let flow: Flow<AppRoute, Void>

    init(_ flow: Flow<AppRoute, Void>) { self.flow = flow }

    func eventOccurred(_ event: AppRoute.Event, in route: AppRoute) {
        switch event {
        case .opened: flow.push(.list)
        case .selected(let number): flow.push(.article(number))
        case .shareTapped: flow.begin(.share, modal: true)
        case .accountTapped: flow.select("account")
        case .loggedIn: flow.finish()
        }
    }

    func screen(for route: AppRoute, outlet: Outlet<AppRoute.Event>) async throws -> AppRoute.Screen {
        AppRoute.Screen(title: route.path, report: outlet)
    }
}

private final class TitledController: UIViewController, WindowController {
    private var screen: AppRoute.Screen?

    func show(_ screen: Result<AppRoute.Screen, any Error>) {
        self.screen = try? screen.get()
        title = self.screen?.title
    }

    func tap(_ event: AppRoute.Event) { screen?.report(event) }
}

@MainActor
private func makeModel() -> WindowModel<AppRoute> {
    let navigator = Navigator<AppRoute>(
        children: ["articles", "account", "share"].map { ChildFlow($0, make: { AppCoordinator($0) }) { _ in [] } },
        gate: Gate(sections: [.init("library", home: [.feeds]), .init("account", home: [.account])]))
    navigator.reconsider()
    return WindowModel(navigator)
}

@MainActor
private func settle(_ model: WindowModel<AppRoute>) async {
    model.settle()
    await model.makeScreens()
}

@Suite("The page TabsAndSplitViews")
@MainActor
struct TabsAndSplitViewsTests {
    private let model = makeModel()

    private func titles(_ controller: UIViewController?) -> [String?] {
        (controller as? UINavigationController)?.viewControllers.map(\.title) ?? []
    }

    private func tap(_ event: AppRoute.Event, in controller: UIViewController?) async throws {
        let stack = try #require(controller as? UINavigationController)
        try #require(stack.topViewController as? TitledController).tap(event)
        await settle(model)
    }

    @Test("Each tab of UIKit keeps its stack, and a tap on the selected tab goes to its root")
    func tabs() async throws {
        let presenter = TabsPresenter(model) { _ in TitledController() }
        await settle(model)
        let tabs = try #require(presenter.root.viewControllers)
        #expect(tabs.map(\.title) == ["library", "account"])
        try await tap(.opened, in: tabs[0])
        presenter.root.tap(1)
        await settle(model)
        #expect(presenter.root.selectedIndex == 1)
        #expect(titles(tabs[1]) == ["/account"])
        #expect(titles(tabs[0]) == ["/feeds", "/articles"])
        presenter.root.tap(0)
        presenter.root.tap(0)
        #expect(titles(tabs[0]) == ["/feeds"])
        #expect(model.scrollCount == 0)
        presenter.root.tap(0)
        #expect(model.scrollCount == 1)
    }

    @Test("A screen leads to another section, which is selected as a tab")
    func otherSection() async throws {
        let presenter = TabsPresenter(model) { _ in TitledController() }
        await settle(model)
        let tabs = try #require(presenter.root.viewControllers)
        try await tap(.opened, in: tabs[0])
        try await tap(.accountTapped, in: tabs[0])
        #expect(presenter.root.selectedIndex == 1)
        #expect(titles(tabs[0]) == ["/feeds", "/articles"])
    }

    @Test("A tab of UIKit follows when the user goes back with the system's button")
    func tabBack() async throws {
        let presenter = TabsPresenter(model) { _ in TitledController() }
        await settle(model)
        let tab = try #require(presenter.root.viewControllers?.first as? UINavigationController)
        try await tap(.opened, in: tab)
        _ = tab.view
        tab.appear(false)
        tab.popViewController(animated: true)
        #expect(model.state.frames.map(\.route) == [.feeds])
    }

    @Test("A split view of UIKit shows columns, and one stack when it collapses")
    func split() async throws {
        let presenter = SplitPresenter(model) { _ in TitledController() }
        await settle(model)
        func column(_ column: UISplitViewController.Column) -> UIViewController? {
            presenter.root.viewController(for: column)
        }
        try await tap(.opened, in: column(.primary))
        try await tap(.selected(7), in: column(.supplementary))
        try await tap(.selected(8), in: column(.supplementary))
        #expect(titles(column(.primary)) == ["/feeds"])
        #expect(titles(column(.supplementary)) == ["/articles"])
        #expect(titles(column(.secondary)) == ["/articles/8"])
        let state = model.state
        presenter.root.resize(isNarrow: true)
        await settle(model)
        #expect(titles(column(.compact)) == ["/feeds", "/articles", "/articles/8"])
        presenter.root.resize(isNarrow: false)
        #expect(model.state == state)
        #expect(titles(column(.secondary)) == ["/articles/8"])
    }

    @Test("Sheets are above the tabs or columns of UIKit, and the user dismisses them", arguments: [true, false])
    func sheets(hasTabs: Bool) async throws {
        let tabs = TabsPresenter(model) { _ in TitledController() }
        let split = hasTabs ? nil : SplitPresenter(model) { _ in TitledController() }
        let root: UIViewController = split?.root ?? tabs.root
        func present() async throws -> (sheet: UIViewController, second: UIViewController) {
            model.show(Target([.feeds]).beginning(.share, modal: true).presenting(.article(7)))
            await settle(model)
            let sheet = try #require(root.presentedViewController)
            return (sheet, try #require(sheet.presentedViewController))
        }
        let (sheet, second) = try await present()
        #expect(titles(sheet) == ["/share"])
        #expect(titles(second) == ["/articles/7"])
        second.presentationController?.swipeDown()
        await settle(model)
        #expect(model.state.frames.map(\.route) == [.feeds, .share])
        #expect(root.presentedViewController === sheet)
        #expect(sheet.presentedViewController == nil)
        sheet.presentationController?.swipeDown()
        await settle(model)
        #expect(model.state.frames.map(\.route) == [.feeds])
        _ = try await present()
        model.show([.feeds, .list])
        await settle(model)
        #expect(root.presentedViewController == nil)
    }

    @Test("The bindings of the SwiftUI views select a tab, go back, and dismiss a sheet")
    func bindings() async throws {
        let view = TabsView(model: model) { _ in Text("") }
        model.show(Target([.feeds, .list]).in("library"))
        view.selection.wrappedValue = "account"
        #expect(view.selection.wrappedValue == "account")
        view.selection.wrappedValue = "library"
        let stack = StackView(model: model, frames: model.state.frames(in: "library")) { _ in Text("") }
        stack.path.wrappedValue = []
        #expect(model.state.frames.map(\.route) == [.feeds])
        model.show(Target([.feeds]).beginning(.share, modal: true).presenting(.share))
        #expect(model.layers.map { $0.map(\.route) } == [[.share], [.share]])
        let sheet = SheetView(model: model, layer: 0) { _ in Text("") }
        #expect(sheet.isCovered.wrappedValue)
        sheet.isCovered.wrappedValue = false
        #expect(model.layers.count == 1)
        #expect(model.isCovered.wrappedValue)
        model.isCovered.wrappedValue = false
        #expect(model.state.frames.map(\.route) == [.feeds])
    }

    @Test("The columns of the SwiftUI view follow the width")
    func columns() async throws {
        let view = ColumnsView(model: model) { _ in Text("") }
        model.show([.feeds, .list, .article(7)])
        for (width, count) in [(.compact, 1), (.medium, 2), (.expanded, 3)] as [(WidthClass, Int)] {
            model.resize(width)
            #expect(view.columns.count == count)
        }
        _ = view.body
    }
}

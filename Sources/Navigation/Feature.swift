/// The place of a feature in an application: how the routes, the events, the screens, and the memory of its module are
/// converted to those of the application.
///
/// A feature is a module with its own ``Route`` and its own coordinators. It does not know the application, nor other
/// features. Each part of it becomes a case of an enumeration of the application:
///
/// ```swift
/// let accounts = Feature(
///     route: AppRoute.account, event: AppEvent.account, screen: AppScreen.account)
/// let children = [
///     ChildFlow("login", in: accounts, make: { LoginCoordinator($0) }) { outcome in
///         if case .finished = outcome { [.show([.articles])] } else { [] }
///     }
/// ]
/// ```
///
/// The flows of all features share one stack, so a link, a saved session, and a ``Gate`` work across them. Their kinds
/// must differ. The enumerations must not customize their reflection.
public struct Feature<F: Route, R: Route>: Sendable {
    let route: EnumCase<R, F>
    let event: EnumCase<R.Event, F.Event>
    let screen: @Sendable (F.Screen) -> R.Screen
    /// Nil for a feature without memory.
    let memory: (@Sendable (F.Memory) -> R.Memory)?
    /// Returns the memory of the feature in a memory of the application; nil if it is of another feature.
    let ownMemory: @Sendable (R.Memory) -> F.Memory?

    /// Places a feature without memory in an application.
    ///
    /// - Parameters:
    ///   - route: The case of the application's routes.
    ///   - event: The case of the application's events.
    ///   - screen: Converts a screen of the feature.
    public init(
        route: @escaping @Sendable (F) -> R, event: @escaping @Sendable (F.Event) -> R.Event,
        screen: @escaping @Sendable (F.Screen) -> R.Screen
    ) where F.Memory == Never {
        self.init(route: route, event: event, screen: screen, memory: nil, ownMemory: { _ in nil })
    }

    /// Places a feature in an application.
    ///
    /// - Parameters:
    ///   - route: The case of the application's routes.
    ///   - event: The case of the application's events.
    ///   - screen: Converts a screen of the feature.
    ///   - memory: The case of the application's memories.
    public init(
        route: @escaping @Sendable (F) -> R, event: @escaping @Sendable (F.Event) -> R.Event,
        screen: @escaping @Sendable (F.Screen) -> R.Screen, memory: @escaping @Sendable (F.Memory) -> R.Memory
    ) {
        let memoryCase = EnumCase(memory)
        self.init(
            route: route, event: event, screen: screen, memory: memory, ownMemory: { memoryCase.payload(of: $0) })
    }

    private init(
        route: @escaping @Sendable (F) -> R, event: @escaping @Sendable (F.Event) -> R.Event,
        screen: @escaping @Sendable (F.Screen) -> R.Screen, memory: (@Sendable (F.Memory) -> R.Memory)?,
        ownMemory: @escaping @Sendable (R.Memory) -> F.Memory?
    ) {
        self.route = EnumCase(route)
        self.event = EnumCase(event)
        self.screen = screen
        self.memory = memory
        self.ownMemory = ownMemory
    }

    func ownRoute(_ route: R) -> F? { self.route.payload(of: route) }

    func ownEvent(_ event: R.Event) -> F.Event? { self.event.payload(of: event) }

    /// Returns the outlet of the feature that reports to an outlet of the application.
    func ownOutlet(_ outlet: Outlet<R.Event>) -> Outlet<F.Event> {
        Outlet { [event] in outlet(event($0)) }
    }

    func target(_ target: Target<F>) -> Target<R> {
        var converted = Target<R>()
        // A feature describes one stack. Only a state becomes a target with the stacks of other sections.
        converted.section = target.section
        for frame in target.frames {
            converted.add(
                route(frame.route), isModal: frame.isModal, beginsFlow: frame.beginsFlow,
                memory: memory.flatMap { frame.memory.map($0) })
        }
        return converted
    }

    func transition(_ transition: Transition<F>) -> Transition<R> {
        switch transition {
        case .push(let place): .push(route(place))
        case .present(let place): .present(route(place))
        case .begin(let place, let modal): .begin(route(place), modal: modal)
        case .replace(let place): .replace(route(place))
        case .pop(let count): .pop(count)
        case .popToRoot: .popToRoot
        case .dismiss: .dismiss
        case .back(let frame): .back(frame)
        case .show(let target): .show(self.target(target))
        case .end(let flow): .end(flow)
        case .select(let section): .select(section)
        case .selectPrevious: .selectPrevious
        case .move(let frame, let section): .move(frame, to: section)
        }
    }

    func job(_ job: Job<F>) -> Job<R> {
        switch job {
        case .reporting(let work): .reporting { [self] outlet in event(await work(ownOutlet(outlet))) }
        case .completing(let work, let completion):
            .completing({ [self] outlet in await work(ownOutlet(outlet)) }) { [self] place in
                if let place = ownRoute(place) { completion(place) }
            }
        }
    }
}

extension ChildFlow {
    /// Declares a flow of a feature that any flow of the application may begin.
    ///
    /// - Parameters:
    ///   - kind: The kind, as in the feature's ``Route/flow``.
    ///   - feature: The place of the feature in this application.
    ///   - make: Creates the coordinator of the feature when the flow opens.
    ///   - ended: Returns the moves of the application after the flow has ended.
    public init<F: Route, Output>(
        _ kind: FlowKind, in feature: Feature<F, R>, make: @escaping (Flow<F, Output>) -> any Coordinator<F>,
        ended: @escaping (Outcome<Output>) -> [Transition<R>]
    ) {
        self.init(kind) { id, owner in
            let adapter = FeatureOwner(feature, owner: owner)
            return FeatureCoordinator(make(Flow(id: id, owner: adapter, end: Self.end(id, owner, ended))), adapter)
        } cancelled: {
            ended(.cancelled($0))
        }
    }

    /// Declares a flow of a feature in the application, as the feature itself has declared it.
    public init<F: Route>(_ child: ChildFlow<F>, in feature: Feature<F, R>) {
        self.init(child.kind) { id, owner in
            let adapter = FeatureOwner(feature, owner: owner)
            return FeatureCoordinator(child.make(id, adapter), adapter)
        } cancelled: {
            child.cancelled($0).map { feature.transition($0) }
        }
    }
}

/// Passes the requests of a feature's flow on to the owner of the application's flow. The coordinator holds it.
private final class FeatureOwner<F: Route, R: Route>: FlowOwner {
    let feature: Feature<F, R>
    private weak let owner: (any FlowOwner<R>)?

    init(_ feature: Feature<F, R>, owner: any FlowOwner<R>) {
        self.feature = feature
        self.owner = owner
    }

    func move(_ transition: Transition<F>, by flow: FlowID) {
        owner?.move(feature.transition(transition), by: flow)
    }

    func end(_ flow: FlowID, _ end: Journal.End, then transitions: @escaping () -> [Transition<F>]) {
        owner?.end(flow, end) { [feature] in transitions().map { feature.transition($0) } }
    }

    func leaveAll(then event: F.Event, by flow: FlowID) { owner?.leaveAll(then: feature.event(event), by: flow) }

    func send(_ event: F.Event, to flow: FlowID) { owner?.send(feature.event(event), to: flow) }

    func run(_ name: String, _ job: Job<F>, by flow: FlowID) { owner?.run(name, feature.job(job), by: flow) }

    func stop(_ name: String, by flow: FlowID) { owner?.stop(name, by: flow) }

    func isRunning(_ name: String, in flow: FlowID) -> Bool { owner?.isRunning(name, in: flow) ?? false }
}

/// A coordinator of a feature, as a coordinator of the application.
private final class FeatureCoordinator<F: Route, R: Route>: Coordinator {
    private let coordinator: any Coordinator<F>
    private let owner: FeatureOwner<F, R>

    init(_ coordinator: any Coordinator<F>, _ owner: FeatureOwner<F, R>) {
        self.coordinator = coordinator
        self.owner = owner
    }

    private var feature: Feature<F, R> { owner.feature }

    func start() { coordinator.start() }

    func eventOccurred(_ event: R.Event, in route: R) {
        guard let event = feature.ownEvent(event), let route = feature.ownRoute(route) else { return }
        coordinator.eventOccurred(event, in: route)
    }

    func screen(for route: R, outlet: Outlet<R.Event>) async throws -> R.Screen {
        guard let place = feature.ownRoute(route) else {
            throw FeatureError(path: route.path)
        }
        return feature.screen(try await coordinator.screen(for: place, outlet: feature.ownOutlet(outlet)))
    }

    var children: [ChildFlow<R>] { coordinator.children.map { ChildFlow($0, in: feature) } }

    var memory: R.Memory? { feature.memory.flatMap { coordinator.memory.map($0) } }

    func recall(_ memory: R.Memory) {
        if let memory = feature.ownMemory(memory) { coordinator.recall(memory) }
    }

    func question(beforeLeaving routes: [R]) -> R? {
        coordinator.question(beforeLeaving: routes.compactMap(feature.ownRoute)).map { feature.route($0) }
    }
}

/// A flow of a feature was asked for a place of another module.
struct FeatureError: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "\(path) is not a place of the feature whose flow it has: give the flows of all modules different kinds."
    }
}

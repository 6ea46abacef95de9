import Navigation

/// Boils water. The work runs elsewhere, while this coordinator stays on the main actor.
final class KettleCoordinator: Coordinator {
    private let flow: Flow<Spot, Int>
    private let stove: Stove
    private var cups = 0

    init(flow: Flow<Spot, Int>, stove: Stove) {
        self.flow = flow
        self.stove = stove
    }

    func start() { heat(cups: 4) }

    func eventOccurred(_ event: Spot.Event, in route: Spot) {
        switch event {
        case .boiled(let cups): self.cups = cups
        case .poured: flow.finish(with: cups)
        case .chosen: break
        }
    }

    func screen(for route: Spot, outlet: Outlet<Spot.Event>) -> Picture {
        if flow.isRunning("boil") { return Picture(text: "Boiling") }
        // The button calls the outlet from a detached task, which shows that an outlet may be used from any task.
        return Picture(text: "\(cups) cups, hot") { Task.detached { outlet(.poured) } }
    }

    private func heat(cups: Int) {
        flow.run("boil") { [stove] in .boiled(cups: await stove.boil(cups: cups)) }
    }
}

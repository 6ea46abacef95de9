import Navigation

/// Begins the flow of the kettle, and shows its result.
final class ShelfCoordinator: Coordinator {
    private let flow: Flow<Spot, Void>
    private let stove: Stove
    private var drunk = 0

    init(flow: Flow<Spot, Void>, stove: Stove) {
        self.flow = flow
        self.stove = stove
    }

    func eventOccurred(_ event: Spot.Event, in route: Spot) {
        if case .chosen = event { flow.begin(.kettle) }
    }

    func screen(for route: Spot, outlet: Outlet<Spot.Event>) -> Picture {
        Picture(text: drunk == 0 ? "A kettle" : "\(drunk) cups drunk") { outlet(.chosen) }
    }

    var children: [ChildFlow<Spot>] {
        [
            ChildFlow("kettle") { [stove] in
                KettleCoordinator(flow: $0, stove: stove)
            } ended: { [weak self] outcome in
                if case .finished(let cups) = outcome { self?.drunk += cups }
                return []
            }
        ]
    }
}

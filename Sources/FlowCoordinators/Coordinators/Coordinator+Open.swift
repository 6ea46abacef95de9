internal import Navigation

extension Coordinator<AppRoute> {
    /// Opens a place above the present one: another screen of this flow, or the first screen of a child flow. Other
    /// places are ignored, because no screen of this flow offers them.
    func open(_ place: AppRoute, from route: AppRoute, in flow: Flow<AppRoute, some Any>) {
        if place.flow == route.flow {
            flow.push(place)
        } else if children.contains(where: { $0.kind == place.flow }) {
            flow.begin(place)
        }
    }
}

import FlowCoordinators
import Navigation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The application as a reader session sees it.
struct ApplicationModel: ReaderModel {
    let application: ApplicationCoordinator

    var places: [ReaderPlace] {
        application.navigator.state.frames.map { frame in
            // A list that is searched, sorted or grown is the same list: its view stays.
            let isList = if case .articles = frame.route { true } else { false }
            return ReaderPlace(id: isList ? frame.route.screenName : frame.route.path, path: frame.route.path)
        }
    }

    var appearance: Appearance { application.appearance }

    func screen() async throws -> Screen { try await application.screen() }
    func send(_ event: AppEvent) async throws { try await application.send(event) }
    func back() async throws -> Bool { try await application.back() }

    func view(of place: ReaderPlace) -> SavedView? {
        application.positions[place.path].flatMap { try? JSONDecoder().decode(SavedView.self, from: Data($0.utf8)) }
    }

    func note(_ view: SavedView, of place: ReaderPlace) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        application.positions[place.path] = (try? encoder.encode(view)).map { String(decoding: $0, as: UTF8.self) }
    }

    func save() async throws { try await application.savePlace() }
}

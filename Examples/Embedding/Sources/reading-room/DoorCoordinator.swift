import AuthService
import Navigation

/// Lets in who knows the password, and says who it was.
final class DoorCoordinator: Coordinator {
    private let flow: Flow<Room, Session>
    private let auth: AuthService
    private var answer = "Who is there?"

    init(flow: Flow<Room, Session>, auth: AuthService) {
        self.flow = flow
        self.auth = auth
    }

    func eventOccurred(_ event: Room.Event, in route: Room) async {
        guard case .knocked(let name, let password) = event else { return }
        do {
            let (session, _) = try await auth.logIn(
                username: name, password: Password(password), client: "reading room")
            flow.finish(with: session)
        } catch {
            answer = "\(error)"
        }
    }

    func screen(for route: Room, outlet: Outlet<Room.Event>) async throws -> String { answer }
}

import AuthService
import Navigation

/// Lets in a visitor who knows the password. The result of the flow is the session.
final class DoorCoordinator: Coordinator {
    private let flow: Flow<Room, Session>
    private let auth: AuthService
    private var answer = "Who is there?"

    init(flow: Flow<Room, Session>, auth: AuthService) {
        self.flow = flow
        self.auth = auth
    }

    func eventOccurred(_ event: Room.Event, in route: Room) {
        switch event {
        case .knocked(let name, let password): logIn(name, password)
        case .known(let session): flow.finish(with: session)
        case .unknown(let words): answer = words
        case .left: flow.cancel()
        }
    }

    func screen(for route: Room, outlet: Outlet<Room.Event>) -> View {
        View(text: answer, leave: { outlet(.left) })
    }

    /// Comparing a password takes a while, so it runs as work of the flow.
    private func logIn(_ name: String, _ password: String) {
        flow.run("log-in") { [auth] in
            do {
                let opened = try await auth.logIn(
                    username: name, password: Password(password), client: "reading room", from: .door
                ).newSession
                return .known(opened.session)
            } catch {
                return .unknown("\(error)")
            }
        }
    }
}

extension Origin {
    /// The program has a single door, so all visitors have the same origin.
    static let door = Origin("door")
}

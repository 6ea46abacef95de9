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
        switch event {
        case .knocked(let name, let password): logIn(name, password)
        case .known(let session): flow.finish(with: session)
        case .unknown(let words): answer = words
        case .left: flow.cancel()
        }
    }

    func screen(for route: Room, outlet: Outlet<Room.Event>) async throws -> View {
        View(text: answer, leave: { outlet(.left) })
    }

    /// A password takes a while to compare: that is work, which nobody waits for.
    private func logIn(_ name: String, _ password: String) {
        flow.run("log-in") { [auth] in
            do {
                let opened = try await auth.logIn(
                    username: name, password: Password(password), client: "reading room", from: .door)
                return .known(opened.session)
            } catch {
                return .unknown("\(error)")
            }
        }
    }
}

extension Origin {
    /// There is one door only.
    static let door = Origin("door")
}

import AuthService
import Navigation

/// Registers a user. The result of the flow is the name.
final class SignUpCoordinator: Coordinator {
    private let flow: Flow<AccountRoute, String>
    private let auth: AuthService
    private var message = "Choose a name and a password."
    private var name = ""

    init(_ flow: Flow<AccountRoute, String>, auth: AuthService) {
        self.flow = flow
        self.auth = auth
    }

    func eventOccurred(_ event: AccountRoute.Event, in route: AccountRoute) {
        guard case .submitted(let name, let password) = event else { return }
        self.name = name
        flow.run("sign-up") { [auth] _ in
            await auth.problem { try await $0.register(name, password) }
        } then: { [weak self, flow] problem, _ in
            if let problem { self?.message = problem } else { flow.finish(with: name) }
        }
    }

    func screen(for route: AccountRoute, outlet: Outlet<AccountRoute.Event>) -> AccountRoute.Screen {
        .init(title: "Sign up", message: message, report: outlet)
    }

    var memory: AccountRoute.Memory? { name.isEmpty ? nil : .init(name: name) }
    func recall(_ memory: AccountRoute.Memory) { name = memory.name }
}

extension AuthService {
    func logIn(_ name: String, _ password: String) async throws {
        _ = try await logIn(username: name, password: Password(password), client: "accounts", from: .here).newSession
    }

    func register(_ name: String, _ password: String) async throws {
        try await register(username: Username(name), password: Password(password), region: Region("SE"), from: .here)
    }

    /// Returns the reason why an action has failed; nil if it has not.
    func problem(of action: @Sendable (AuthService) async throws -> Void) async -> String? {
        do {
            try await action(self)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension Origin {
    /// The program has a single terminal, so all users have the same origin.
    static let here = Origin("here")
}

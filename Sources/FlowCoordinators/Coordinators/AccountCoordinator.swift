internal import AuthService
internal import Navigation

/// Manages the account of the signed-in user: profile, sessions, password, tokens.
final class AccountCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    /// The second-factor secret that is being set up, while its screen is on the stack.
    private var secret: TOTPSecret?
    /// The new recovery codes, while their screen is on the stack.
    private var recoveryCodes: [OneTimeCode] = []
    /// The new API token, while its screen is on the stack.
    private var madeToken: MadeToken?
    /// The new secret of the feed address, while its screen is on the stack.
    private var feedSecret: FeedSecret?
    /// Repeats the request that needed the password again.
    private var retry: (() -> Void)?

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        let requests = environment.signedIn.requests
        switch event {
        case .open(let place): open(place, from: route, in: flow)
        case .tokenRevoked(let id):
            environment.run(.tokenEnd, in: flow) {
                try await requests.endToken(id)
            } then: { [environment] result, _ in
                environment.show(Notice("Token \(try result.get()) is revoked."))
            }
        case .newFeedAddressChosen: renewFeedAddress()
        case .feedAddressRemovalChosen: removeFeedAddress()
        case .recoveryCodesChosen: showRecoveryCodes { try await requests.renewRecoveryCodes() }
        case .secondFactorRemovalChosen:
            confirmed(.secondFactor) {
                try await requests.removeSecondFactor()
            } then: { [environment] _, _ in
                environment.show(Notice("The second factor is turned off."))
            }
        case .appearancePicked(let appearance):
            environment.run(.appearance, in: flow) {
                try await requests.save(appearance)
            } then: { [environment] result, _ in
                environment.signedIn.use(try result.get())
            }
        case .submitted(let answers):
            await submit(answers, on: route)
        case .sessionRevoked(let id): begin(.session(id))
        case .logOutChosen: begin(.here)
        case .logOutEverywhereChosen: begin(.everywhere)
        case .signOutAgreed(let signOut): end(signOut)
        default: break
        }
    }

    private func submit(_ answers: Answers, on route: AppRoute) async {
        let requests = environment.signedIn.requests
        switch route {
        case .confirmation:
            environment.run(.confirmation, in: flow) {
                try await requests.confirm(answers[.password] ?? "")
            } then: { [self] result, _ in
                try result.get()
                flow.pop()
                retry?()
                retry = nil
            }
        case .name: change { try await requests.rename(to: answers[.username] ?? "") }
        case .region: change { try await requests.move(to: answers[.region] ?? "") }
        case .deletion:
            environment.run(.accountDeletion, in: flow) {
                try await requests.deleteAccount(password: answers[.password] ?? "")
            } then: { [flow, environment] result, _ in
                try result.get()
                environment.show(Notice("The account is deleted."))
                defer { flow.show([]) }
                try environment.signedIn.forget(after: "the account is deleted")
            }
        case .newToken:
            let days = Int(answers[.days] ?? "") ?? 0
            // If the scope is unknown, grant only reading, never more than the user chose.
            let scope = APIToken.Scope(rawValue: answers[.scope] ?? "") ?? .read
            confirmed(.tokenMaking) {
                try await requests.makeToken(named: answers[.name] ?? "", scope: scope, days: days)
            } then: { [flow, weak self] made, route in
                self?.madeToken = made
                if route == .newToken { flow.replace(with: .madeToken) } else { flow.push(.madeToken) }
            }
        case .secondFactorSetUp:
            let secret = shownSecret()
            showRecoveryCodes { try await requests.addSecondFactor(secret, code: answers[.code] ?? "") }
        default: await changePassword(answers)
        }
    }

    private func changePassword(_ answers: Answers) async {
        guard answers[.newPassword] == answers[.confirmation] else {
            return environment.show(Notice(FormError.passwordsDiffer))
        }
        guard await environment.attempt({ try environment.signedIn.prepareTokenPlace() }) else { return }
        let requests = environment.signedIn.requests
        environment.run(.passwordChange, in: flow) {
            try await requests.changePassword(from: answers[.password] ?? "", to: answers[.newPassword] ?? "")
        } then: { [flow, environment] result, _ in
            try await environment.signedIn.startSession(
                result, done: "the password is changed and every session has ended")
            environment.show(Notice("Password changed. Every other session and API token has ended."))
            flow.pop()
        }
    }

    /// Changes a property of the account.
    private func change(_ work: @escaping @Sendable () async throws -> Void) {
        confirmed(.accountChange, work) { [flow, environment] _, _ in
            do {
                try await environment.signedIn.refresh()
            } catch {
                throw FollowUpError(done: "the account is changed", reason: error)
            }
            environment.show(Notice("The account is changed."))
            flow.pop()
        }
    }

    /// Creates recovery codes and shows them.
    private func showRecoveryCodes(_ make: @escaping @Sendable () async throws -> [OneTimeCode]) {
        confirmed(.secondFactor, make) { [flow, weak self] codes, route in
            self?.recoveryCodes = codes
            if route == .secondFactorSetUp {
                flow.replace(with: .recoveryCodes)
            } else {
                flow.push(.recoveryCodes)
            }
        }
    }

    private func renewFeedAddress() {
        let requests = environment.signedIn.requests
        confirmed(.feedAddress) {
            try await requests.renewFeedAddress()
        } then: { [flow, weak self] secret, _ in
            self?.feedSecret = secret
            flow.push(.madeFeedAddress)
        }
    }

    private func removeFeedAddress() {
        let requests = environment.signedIn.requests
        environment.run(.feedAddress, in: flow) {
            try await requests.removeFeedAddress()
        } then: { [environment] result, _ in
            environment.show(Notice(try result.get() ? "The address is removed." : "There was no address."))
        }
    }

    private func begin(_ signOut: SignOut) {
        if signOut.leaves(environment.signedIn.session) {
            flow.leaveAll(then: .signOutAgreed(signOut))
        } else {
            end(signOut)
        }
    }

    private func end(_ signOut: SignOut) {
        environment.end(signOut, in: flow) { [self] in
            askForPassword { [weak self] in self?.end(signOut) }
        }
    }

    /// Starts a request that may need the password again some time after the log-in. Then the user is asked for the
    /// password, and the request is repeated.
    ///
    /// - Parameter completion: Called with the value and the place that the screen of the work then shows. This
    ///   coordinator may store it, so it must not capture the coordinator strongly.
    private func confirmed<Value: Sendable>(
        _ activity: Activity, _ work: @escaping @Sendable () async throws -> Value,
        then completion: @escaping (Value, AppRoute) async throws -> Void
    ) {
        environment.run(activity, in: flow, work) { [self] result, route in
            if case .failure(AuthError.passwordNeeded) = result {
                return askForPassword { [weak self] in self?.confirmed(activity, work, then: completion) }
            }
            try await completion(try result.get(), route)
        }
    }

    /// Asks for the password, and repeats the request after it was confirmed.
    private func askForPassword(_ retry: @escaping () -> Void) {
        self.retry = retry
        environment.show(Notice("You have been logged in for a while. Give your password once more to do that."))
        flow.push(.confirmation)
    }

    var children: [ChildFlow<AppRoute>] {
        [
            ChildFlow(.operating) { [environment] flow in
                OperatorCoordinator(flow: flow, environment: environment)
            } ended: { (_: Outcome<Void>) in
                []
            }
        ]
    }

    func screen(for route: AppRoute, outlet: Outlet<AppEvent>) async throws -> Screen {
        try await content(of: route).during(flow.activity)
    }

    private func content(of route: AppRoute) async throws -> Screen {
        guard let session = environment.signedIn.session, let authority = environment.signedIn.authority else {
            throw AuthError.notSignedIn
        }
        forgetWhatIsNotShown()
        switch route {
        case .account: return AccountScreen(session: session).screen
        case .sessions:
            let sessions = try await environment.auth.sessions(of: session.user.id, by: authority)
            return SessionsScreen(sessions, current: session).screen
        case .tokens: return .tokens(try await environment.signedIn.apiTokens())
        case .newToken: return .newToken(longest: environment.auth.accountPolicy.tokenLifetime)
        case .feedAddress:
            return .feedAddress(since: try await environment.signedIn.feedAddressDate())
        case .madeFeedAddress: return .madeFeedAddress(feedSecret)
        case .madeToken: return .madeToken(madeToken)
        case .password:
            return PasswordScreen(policy: environment.auth.passwordPolicy, username: session.user.username.text).screen
        case .confirmation: return .confirmation
        case .name: return .newName(of: session.user)
        case .region: return .newRegion(of: session.user)
        case .deletion: return .deletion(of: session.user)
        case .secondFactorSettings:
            return .secondFactorSettings(try await environment.signedIn.secondFactor())
        case .secondFactorSetUp:
            return .secondFactorSetUp(
                shownSecret(), issuer: environment.auth.accountPolicy.issuer, account: session.user.username.text)
        case .recoveryCodes: return .recoveryCodes(recoveryCodes)
        case .appearance: return AppearanceScreen(chosen: environment.signedIn.appearance).screen
        default: throw ScreenError.misplaced(route)
        }
    }

    /// The secret that is being set up. It stays the same while its screen is on the stack.
    private func shownSecret() -> TOTPSecret {
        let shown = secret ?? environment.auth.newSecret()
        secret = shown
        return shown
    }

    /// Discards secrets whose screens are no longer on the stack.
    private func forgetWhatIsNotShown() {
        let stack = environment.stack()
        if !stack.contains(.secondFactorSetUp) { secret = nil }
        if !stack.contains(.recoveryCodes) { recoveryCodes = [] }
        if !stack.contains(.madeToken) { madeToken = nil }
        if !stack.contains(.madeFeedAddress) { feedSecret = nil }
    }
}

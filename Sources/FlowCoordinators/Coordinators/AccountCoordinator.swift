internal import AuthService
internal import Navigation
internal import Text

/// Manages the account of the signed-in user: profile, sessions, password, tokens.
final class AccountCoordinator: Coordinator {
    private let flow: Flow<AppRoute, Void>
    private let environment: Environment
    /// The second-factor secret that is being set up, while its screen is on the stack.
    private var secret: TOTPSecret?
    /// The new recovery codes, while their screen is on the stack.
    private var recoveryCodes: [OneTimeCode] = []
    /// The new API token, while its screen is on the stack.
    private var madeToken: (token: APIToken, secret: SessionToken)?
    /// The new secret of the feed address, while its screen is on the stack.
    private var feedSecret: FeedSecret?
    /// The event whose request needed the password again. It is handled again after that.
    private var unconfirmed: (event: AppEvent, place: AppRoute)?

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) { handle(event, in: route) }

    private func handle(_ event: AppEvent, in route: AppRoute) {
        let account = environment.account
        switch event {
        case .open(let place): open(place, from: route, in: flow)
        case .tokenRevocationChosen(let id):
            environment.run(.tokenEnd, in: flow) {
                guard try await account.auth.revokeToken(id, token: account.token) else {
                    throw ScreenError.noToken(id.description)
                }
            } then: { [environment] result, _ in
                try result.get()
                environment.show(Notice("Revoked the token \(id)."))
            }
        case .newFeedAddressChosen: renewFeedAddress(after: event, in: route)
        case .feedAddressRemovalChosen: removeFeedAddress()
        case .recoveryCodesChosen:
            showRecoveryCodes(after: event, in: route) {
                try await account.auth.renewRecoveryCodes(token: account.token)
            }
        case .secondFactorRemovalChosen:
            confirmed(.secondFactor, after: event, in: route) {
                try await account.auth.removeSecondFactor(token: account.token)
            } then: { [environment] _, _ in
                environment.show(Notice("Turned off the second factor."))
            }
        case .appearancePicked(let appearance):
            environment.run(.appearance, in: flow) {
                try await account.save(appearance)
            } then: { [environment] result, _ in
                try result.get()
                environment.currentUser.use(appearance)
            }
        case .textSizeChosen(let size):
            environment.run(.appearance, in: flow) {
                try await account.save(size)
            } then: { [environment] result, _ in
                try result.get()
                environment.currentUser.use(size)
                environment.show(Notice("Text in the browser is \(size.percent)% of the usual size."))
            }
        case .submitted(let answers):
            submit(answers, on: route)
        case .sessionRevocationChosen(let id): begin(.session(id))
        case .logOutChosen: begin(.here)
        case .logOutEverywhereChosen: begin(.everywhere)
        case .sessionEndConfirmed(let signOut): end(signOut)
        default: break
        }
    }

    private func submit(_ answers: Answers, on route: AppRoute) {
        let account = environment.account
        switch route {
        case .confirmation:
            environment.run(.confirmation, in: flow) {
                try await account.auth.confirm(Password(answers[.password] ?? ""), token: account.token)
            } then: { [self] result, _ in
                try result.get()
                flow.pop()
                guard let (event, place) = unconfirmed else { return }
                unconfirmed = nil
                handle(event, in: place)
            }
        case .name:
            change(after: answers, in: route) {
                try await account.auth.rename(to: Username(answers[.username] ?? ""), token: account.token)
            }
        case .region:
            change(after: answers, in: route) {
                try await account.auth.changeRegion(to: Region(answers[.region] ?? ""), token: account.token)
            }
        case .deletion:
            environment.run(.accountDeletion, in: flow) {
                let password = Password(answers[.password] ?? "")
                try await account.auth.deleteAccount(token: account.token, password: password)
            } then: { [flow, environment] result, _ in
                try result.get()
                environment.show(Notice("Deleted the account."))
                defer { flow.show([]) }
                try environment.currentUser.forget(after: "the account was deleted")
            }
        case .newToken:
            let days = Int(answers[.days] ?? "") ?? 0
            // If the scope is unknown, grant only reading, never more than the user chose.
            let scope = APIToken.Scope(rawValue: answers[.scope] ?? "") ?? .read
            confirmed(.tokenMaking, after: .submitted(answers), in: route) {
                try await account.createToken(
                    named: answers[.name] ?? "", scope: scope, lifetime: Double(days) * 86_400)
            } then: { [flow, weak self] made, route in
                self?.madeToken = made
                if route == .newToken { flow.replace(with: .madeToken) } else { flow.push(.madeToken) }
            }
        case .secondFactorSetUp:
            let secret = shownSecret()
            showRecoveryCodes(after: .submitted(answers), in: route) {
                try await account.auth.addSecondFactor(secret, code: answers[.code] ?? "", token: account.token)
            }
        default: changePassword(answers)
        }
    }

    private func changePassword(_ answers: Answers) {
        guard answers[.newPassword] == answers[.confirmation] else {
            return environment.show(Notice(FormError.passwordsDiffer))
        }
        guard environment.attempt({ try environment.currentUser.prepareTokenWrite() }) else { return }
        let account = environment.account
        environment.run(.passwordChange, in: flow) {
            try await account.changePassword(from: answers[.password] ?? "", to: answers[.newPassword] ?? "")
        } then: { [flow, environment] result, _ in
            try environment.currentUser.startSession(
                result, done: "the password was changed and all sessions have ended")
            environment.show(Notice("Changed the password. All other sessions and API tokens have ended."))
            flow.pop()
        }
    }

    /// Changes a property of the account.
    ///
    /// - Parameter work: returns whether the account has changed.
    private func change(
        after answers: Answers, in route: AppRoute, _ work: @escaping @Sendable () async throws -> Bool
    ) {
        let account = environment.account
        confirmed(.accountChange, after: .submitted(answers), in: route) {
            let isChanged = try await work()
            do {
                return (session: try await account.auth.currentSession(token: account.token), isChanged: isChanged)
            } catch {
                throw FollowUpError(done: "the account was changed", reason: error)
            }
        } then: { [flow, environment] result, _ in
            environment.currentUser.update(to: result.session)
            environment.show(result.isChanged ? Notice("Changed the account.") : .nothingChanged)
            flow.pop()
        }
    }

    /// Creates recovery codes and shows them.
    private func showRecoveryCodes(
        after event: AppEvent, in route: AppRoute, _ make: @escaping @Sendable () async throws -> [OneTimeCode]
    ) {
        confirmed(.secondFactor, after: event, in: route, make) { [flow, weak self] codes, route in
            self?.recoveryCodes = codes
            if route == .secondFactorSetUp {
                flow.replace(with: .recoveryCodes)
            } else {
                flow.push(.recoveryCodes)
            }
        }
    }

    private func renewFeedAddress(after event: AppEvent, in route: AppRoute) {
        let account = environment.account
        confirmed(.feedAddress, after: event, in: route) {
            try await account.auth.renewFeedAddress(token: account.token)
        } then: { [flow, weak self] secret, _ in
            self?.feedSecret = secret
            flow.push(.madeFeedAddress)
        }
    }

    private func removeFeedAddress() {
        let account = environment.account
        environment.run(.feedAddress, in: flow) {
            try await account.auth.removeFeedAddress(token: account.token)
        } then: { [environment] result, _ in
            environment.show(Notice(try result.get() ? "Removed the address." : "There was no address."))
        }
    }

    private func begin(_ signOut: SessionsToEnd) {
        if signOut.leaves(environment.currentUser.session) {
            flow.leaveAll(then: .sessionEndConfirmed(signOut))
        } else {
            end(signOut)
        }
    }

    private func end(_ signOut: SessionsToEnd) {
        environment.end(signOut, in: flow) { [self] in
            askForPassword(for: .sessionEndConfirmed(signOut), in: .account)
        }
    }

    /// Starts a request that may need the password again some time after the login. Then the user is asked for the
    /// password, and the event is handled again.
    ///
    /// - Parameters:
    ///   - event: The event that led to the request.
    ///   - place: The place of the event.
    ///   - completion: Called with the value and the place that the screen of the work then shows.
    private func confirmed<Value: Sendable>(
        _ activity: Activity, after event: AppEvent, in place: AppRoute,
        _ work: @escaping @Sendable () async throws -> Value,
        then completion: @escaping (Value, AppRoute) throws -> Void
    ) {
        environment.run(activity, in: flow, work) { [self] result, route in
            if case .failure(AuthError.passwordNeeded) = result {
                return askForPassword(for: event, in: place)
            }
            try completion(try result.get(), route)
        }
    }

    /// Asks for the password, and handles the event again after that.
    private func askForPassword(for event: AppEvent, in place: AppRoute) {
        unconfirmed = (event, place)
        environment.show(Notice("You logged in a while ago. To continue, enter your password again."))
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
        let account = environment.account
        guard let session = account.session else { throw AuthError.notLoggedIn }
        let (auth, token) = (account.auth, try account.token)
        forgetWhatIsNotShown()
        switch route {
        case .account: return AccountScreen(session: session).screen
        case .sessions:
            let sessions = try await auth.sessions(of: session.user.id, by: .token(token))
            return SessionsScreen(sessions, current: session).screen
        case .tokens: return .tokens(try await auth.tokens(token: token))
        case .newToken: return .newToken(longest: auth.accountPolicy.tokenLifetime)
        case .feedAddress:
            return .feedAddress(since: try await auth.feedAddressDate(token: token))
        case .madeFeedAddress: return .madeFeedAddress(feedSecret)
        case .madeToken: return .madeToken(madeToken)
        case .password:
            return PasswordScreen(policy: auth.passwordPolicy, username: session.user.username.text).screen
        case .confirmation: return .confirmation
        case .name: return .newName(of: session.user)
        case .region: return .newRegion(of: session.user)
        case .deletion: return .deletion(of: session.user)
        case .secondFactorSettings:
            return .secondFactorSettings(try await auth.secondFactor(token: token))
        case .secondFactorSetUp:
            return .secondFactorSetUp(
                shownSecret(), issuer: auth.accountPolicy.issuer, account: session.user.username.text)
        case .recoveryCodes: return .recoveryCodes(recoveryCodes)
        case .appearance:
            return AppearanceScreen(
                chosen: environment.currentUser.appearance, textSize: environment.currentUser.textSize
            ).screen
        default: throw ScreenError.misplaced(route)
        }
    }

    /// The secret that is being set up. It stays the same while its screen is on the stack.
    private func shownSecret() -> TOTPSecret {
        let shown = secret ?? environment.account.auth.newSecret()
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

extension AccountCoordinator: SecretHolder {
    /// The secrets that are shown once, and the event that waits for the password.
    struct Secrets: Codable {
        struct Token: Codable {
            let id: String
            let name: String
            let scope: String
            let createdAt: Date
            let expiresAt: Date
            let secret: String
        }

        var secret: [UInt8]?
        var recoveryCodes: [String]
        var token: Token?
        var feedSecret: String?
        var unconfirmed: UnconfirmedEvent?
    }

    func save(to secrets: inout FlowSecrets) {
        secrets.account = Secrets(
            secret: secret?.stored, recoveryCodes: recoveryCodes.map(\.text),
            token: madeToken.map { token, secret in
                Secrets.Token(
                    id: token.id.description, name: token.name, scope: token.scope.rawValue,
                    createdAt: token.createdAt, expiresAt: token.expiresAt, secret: secret.text)
            }, feedSecret: feedSecret?.text,
            unconfirmed: unconfirmed.flatMap { UnconfirmedEvent($0.event, in: $0.place) })
    }

    func restore(from secrets: FlowSecrets) {
        guard let saved = secrets.account else { return }
        secret = saved.secret.map { TOTPSecret(stored: $0) }
        recoveryCodes = saved.recoveryCodes.compactMap { OneTimeCode($0) }
        madeToken = saved.token.flatMap { token in
            guard let id = Session.ID(token.id), let scope = APIToken.Scope(rawValue: token.scope),
                let secret = SessionToken(token.secret)
            else { return nil }
            return (
                token: APIToken(
                    id: id, name: token.name, scope: scope, createdAt: token.createdAt, expiresAt: token.expiresAt),
                secret: secret
            )
        }
        feedSecret = saved.feedSecret.flatMap { FeedSecret($0) }
        unconfirmed = saved.unconfirmed.flatMap(\.event)
    }
}

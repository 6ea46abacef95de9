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
    private var retry: () -> Void = {}

    init(flow: Flow<AppRoute, Void>, environment: Environment) {
        self.flow = flow
        self.environment = environment
    }

    func eventOccurred(_ event: AppEvent, in route: AppRoute) async {
        switch event {
        case .sessionsChosen: flow.push(.sessions)
        case .tokensChosen: flow.push(.tokens)
        case .newTokenChosen: flow.push(.newToken)
        case .tokenRevoked(let id):
            let requests = environment.signedIn.requests
            flow.run(.tokenEnd, { .tokenEnded($0) }) { try await requests.endToken(id) }
        case .feedAddressChosen: flow.push(.feedAddress)
        case .newFeedAddressChosen: renewFeedAddress()
        case .feedAddressRemovalChosen: removeFeedAddress()
        case .passwordChosen: flow.push(.password)
        case .secondFactorChosen: flow.push(.secondFactorSettings)
        case .secondFactorSetUpChosen: flow.push(.secondFactorSetUp)
        case .recoveryCodesChosen:
            let requests = environment.signedIn.requests
            retry = { [flow] in
                flow.run(.secondFactor, { .recoveryCodesMade($0) }) { try await requests.renewRecoveryCodes() }
            }
            retry()
        case .secondFactorRemovalChosen:
            let requests = environment.signedIn.requests
            retry = { [flow] in
                flow.run(.secondFactor, { .secondFactorRemoved($0) }) { try await requests.removeSecondFactor() }
            }
            retry()
        case .nameChosen: flow.push(.name)
        case .regionChosen: flow.push(.region)
        case .deletionChosen: flow.push(.deletion)
        case .appearanceChosen: flow.push(.appearance)
        case .usersChosen: flow.begin(.users)
        case .auditChosen: flow.begin(.audit)
        case .appearancePicked(let appearance):
            let requests = environment.signedIn.requests
            flow.run(.appearance, { .appearanceSaved($0) }) { try await requests.save(appearance) }
        case .submitted(let answers):
            await submit(answers, on: route)
        case .sessionRevoked(let id): environment.begin(.session(id), in: flow)
        case .logOutChosen: environment.begin(.here, in: flow)
        case .logOutEverywhereChosen: environment.begin(.everywhere, in: flow)
        case .signOutAgreed(let signOut): environment.end(signOut, in: flow)
        case .answered(let answer): await take(answer.kind, in: route)
        default: break
        }
    }

    private func submit(_ answers: Answers, on route: AppRoute) async {
        let requests = environment.signedIn.requests
        switch route {
        case .confirmation:
            flow.run(.confirmation, { .confirmed($0) }) { try await requests.confirm(answers[.password] ?? "") }
        case .name:
            retry = { [flow] in
                flow.run(.accountChange, { .accountChanged($0) }) {
                    try await requests.rename(to: answers[.username] ?? "")
                }
            }
            retry()
        case .region:
            flow.run(.accountChange, { .accountChanged($0) }) { try await requests.move(to: answers[.region] ?? "") }
        case .deletion:
            flow.run(.accountDeletion, { .accountDeleted($0) }) {
                try await requests.deleteAccount(password: answers[.password] ?? "")
            }
        case .newToken:
            let days = Int(answers[.days] ?? "") ?? 0
            // If the scope is unknown, grant only reading, never more than the user chose.
            let scope = APIToken.Scope(rawValue: answers[.scope] ?? "") ?? .read
            retry = { [flow] in
                flow.run(.tokenMaking, { .tokenMade($0) }) {
                    try await requests.makeToken(named: answers[.name] ?? "", scope: scope, days: days)
                }
            }
            retry()
        case .secondFactorSetUp:
            let secret = shownSecret()
            retry = { [flow] in
                flow.run(.secondFactor, { .recoveryCodesMade($0) }) {
                    try await requests.addSecondFactor(secret, code: answers[.code] ?? "")
                }
            }
            retry()
        default: await changePassword(answers)
        }
    }

    private func changePassword(_ answers: Answers) async {
        guard answers[.newPassword] == answers[.confirmation] else {
            return environment.say(Notice(FormError.passwordsDiffer))
        }
        guard await environment.attempt({ try environment.signedIn.prepareKeep() }) else { return }
        let requests = environment.signedIn.requests
        flow.run(.passwordChange, { .passwordChanged($0) }) {
            try await requests.changePassword(from: answers[.password] ?? "", to: answers[.newPassword] ?? "")
        }
    }

    private func renewFeedAddress() {
        let requests = environment.signedIn.requests
        retry = { [flow] in
            flow.run(.feedAddress, { .feedAddressMade($0) }) { try await requests.renewFeedAddress() }
        }
        retry()
    }

    private func removeFeedAddress() {
        let requests = environment.signedIn.requests
        flow.run(.feedAddress, { .feedAddressRemoved($0) }) { try await requests.removeFeedAddress() }
    }

    /// Asks for the password, and repeats the request after it was confirmed.
    private func askForPassword(_ retry: @escaping () -> Void) {
        self.retry = retry
        environment.say(Notice("You have been logged in for a while. Give your password once more to do that."))
        flow.push(.confirmation)
    }

    private func take(_ answer: Answer.Kind, in route: AppRoute) async {
        switch answer {
        case .signedOut(let signOut, .failure(AuthError.passwordNeeded)):
            askForPassword { [environment, flow] in environment.end(signOut, in: flow) }
        case .accountChanged(.failure(AuthError.passwordNeeded)),
            .recoveryCodesMade(.failure(AuthError.passwordNeeded)),
            .tokenMade(.failure(AuthError.passwordNeeded)),
            .feedAddressMade(.failure(AuthError.passwordNeeded)),
            .secondFactorRemoved(.failure(AuthError.passwordNeeded)):
            askForPassword(retry)
        case .confirmed(let result):
            await environment.attempt {
                try result.get()
                flow.pop()
                retry()
                retry = {}
            }
        case .appearanceSaved(let result):
            await environment.attempt { environment.signedIn.use(try result.get()) }
        case .passwordChanged(let result):
            await environment.attempt {
                try await environment.signedIn.keep(
                    result, done: "the password is changed and every session has ended")
                environment.say(Notice("Password changed. Every other session and API token has ended."))
                flow.pop()
            }
        case .recoveryCodesMade(let result):
            await environment.attempt {
                recoveryCodes = try result.get()
                if route == .secondFactorSetUp {
                    flow.replace(with: .recoveryCodes)
                } else {
                    flow.push(.recoveryCodes)
                }
            }
        case .secondFactorRemoved(let result):
            await environment.attempt {
                try result.get()
                environment.say(Notice("The second factor is turned off."))
            }
        case .tokenMade(let result):
            await environment.attempt {
                madeToken = try result.get()
                if route == .newToken {
                    flow.replace(with: .madeToken)
                } else {
                    flow.push(.madeToken)
                }
            }
        case .feedAddressMade(let result):
            await environment.attempt {
                feedSecret = try result.get()
                flow.push(.madeFeedAddress)
            }
        case .feedAddressRemoved(let result):
            await environment.attempt {
                environment.say(Notice(try result.get() ? "The address is removed." : "There was no address."))
            }
        case .tokenEnded(let result):
            await environment.attempt { environment.say(Notice("Token \(try result.get()) is revoked.")) }
        case .accountChanged(let result):
            await environment.attempt {
                try result.get()
                do {
                    try await environment.signedIn.refresh()
                } catch {
                    throw AftermathError(done: "the account is changed", reason: error)
                }
                environment.say(Notice("The account is changed."))
                flow.pop()
            }
        case .accountDeleted(let result):
            await environment.attempt {
                try result.get()
                environment.say(Notice("The account is deleted."))
                try environment.signedIn.forget(after: "the account is deleted")
            }
            if environment.signedIn.session == nil { flow.show([]) }
        case .signedOut(let signOut, let result):
            await environment.conclude(signOut, result, in: flow)
        default: break
        }
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

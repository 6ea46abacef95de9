internal import Navigation

/// The work of a flow that runs while the user can continue to use screens.
enum Activity: String, CaseIterable, NavigationEvent {
    case logIn
    case codeCheck
    case logOut
    case registrationCheck
    case nameCheck
    case registration
    case confirmation
    case passwordChange
    case secondFactor
    case tokenMaking
    case tokenEnd
    case feedAddress
    case passwordReset
    case accountChange
    case accountDeletion
    case revocation
    case appearance
    case search
    case list
    case article
    case marking
    case noting
    case ruleTrial
    case editing
    case deleting
    case page
    case importing
    case subscribing
    case fetching
    case sourceChange
    case userCare
    case code
    case registrationPolicy

    /// The name of the case. Every screen asks for all names, and the default uses reflection, which takes longer.
    var name: String { rawValue }

    /// The work in words for the user.
    var words: String {
        switch self {
        case .logIn: "Logging in"
        case .codeCheck: "Checking the code"
        case .logOut: "Logging out"
        case .registrationCheck: "Checking who may register"
        case .nameCheck: "Checking whether the name is available"
        case .registration: "Creating the account"
        case .confirmation: "Checking the password"
        case .passwordChange: "Changing the password"
        case .secondFactor: "Changing the second factor"
        case .tokenMaking: "Creating the token"
        case .tokenEnd: "Revoking the token"
        case .feedAddress: "Changing the feed address"
        case .passwordReset: "Resetting the password"
        case .accountChange: "Changing the account"
        case .accountDeletion: "Deleting the account"
        case .revocation: "Ending the session"
        case .appearance: "Saving the appearance"
        case .search: "Searching"
        case .list: "Loading the list"
        case .article: "Loading the article"
        case .marking: "Marking"
        case .noting: "Saving"
        case .ruleTrial: "Trying the rule"
        case .editing: "Saving the article"
        case .deleting: "Deleting the article"
        case .page: "Fetching the page"
        case .importing: "Importing"
        case .subscribing: "Subscribing"
        case .fetching: "Fetching the source"
        case .sourceChange: "Changing the source"
        case .userCare: "Changing the user"
        case .code: "Creating the code"
        case .registrationPolicy: "Changing who may register"
        }
    }
}

extension Environment {
    /// Starts work that continues while the user uses screens. Running work of the same kind is canceled.
    ///
    /// - Parameters:
    ///   - activity: The kind of work. The journal and the graph name the result by it.
    ///   - flow: The flow of the coordinator.
    ///   - work: The request to a service.
    ///   - completion: Called with the result and the place that the screen of the work then shows, in a turn of the
    ///     coordinator. If it throws, the error is shown as a notice.
    func run<Value: Sendable>(
        _ activity: Activity, in flow: Flow<AppRoute, some Any>, _ work: @escaping @Sendable () async throws -> Value,
        then completion: @escaping (Result<Value, any Error>, AppRoute) throws -> Void
    ) {
        run(activity, in: flow, { _ in try await work() }, then: completion)
    }

    /// Starts work that reports its progress through an outlet. Otherwise it is the same as ``run(_:in:_:then:)``.
    func run<Value: Sendable>(
        _ activity: Activity, in flow: Flow<AppRoute, some Any>,
        _ work: @escaping @Sendable (Outlet<AppEvent>) async throws -> Value,
        then completion: @escaping (Result<Value, any Error>, AppRoute) throws -> Void
    ) {
        flow.run(activity.name) { outlet -> Result<Value, any Error> in
            do {
                // The work may have been replaced before it began, as when each letter of a search starts a new task.
                try Task.checkCancellation()
                return .success(try await work(outlet))
            } catch {
                return .failure(error)
            }
        } then: { [self] result, route in
            attempt { try completion(result, route) }
        }
    }
}

extension Flow where R == AppRoute {
    /// Cancels these kinds of work.
    func stop(_ activities: Activity...) {
        for activity in activities { stop(activity.name) }
    }

    /// The running work of this flow; nil if there is none.
    var activity: Activity? { Activity.allCases.first { isRunning($0.name) } }
}

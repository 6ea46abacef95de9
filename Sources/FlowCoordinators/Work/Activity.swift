internal import Navigation

/// The work of a flow that runs while the user can continue to use screens, in words for the user.
enum Activity: String, CaseIterable, Sendable {
    case logIn = "Logging in"
    case codeCheck = "Checking the code"
    case logOut = "Logging out"
    case nameCheck = "Asking whether the name is free"
    case registration = "Making the account"
    case confirmation = "Checking the password"
    case passwordChange = "Changing the password"
    case secondFactor = "Changing the second factor"
    case tokenMaking = "Making the token"
    case tokenEnd = "Revoking the token"
    case feedAddress = "Changing the address of feeds"
    case passwordReset = "Resetting the password"
    case accountChange = "Changing the account"
    case accountDeletion = "Deleting the account"
    case revocation = "Ending the session"
    case appearance = "Saving the appearance"
    case search = "Searching"
    case list = "Reading the list"
    case article = "Looking for the article"
    case marking = "Marking"
    case noting = "Saving"
    case editing = "Saving the article"
    case deleting = "Deleting the article"
    case importing = "Importing"
    case userCare = "Changing the user"
    case code = "Making the code"
    case registrationPolicy = "Changing who may register"
}

extension Flow where R == AppRoute {
    /// Starts work whose result comes to this flow as an event.
    ///
    /// - Parameters:
    ///   - activity: the kind of work. A running task of the same kind is canceled.
    ///   - answer: makes the answer from the result.
    ///   - work: the request to a service.
    func run<Value: Sendable>(
        _ activity: Activity, _ answer: @escaping @Sendable (Result<Value, any Error>) -> Answer.Kind,
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        run(activity, answer) { _ in try await work() }
    }

    /// Starts work that reports its progress.
    func run<Value: Sendable>(
        _ activity: Activity, _ answer: @escaping @Sendable (Result<Value, any Error>) -> Answer.Kind,
        _ work: @escaping @Sendable (Outlet<AppEvent>) async throws -> Value
    ) {
        run(
            activity.rawValue,
            reporting: { outlet in
                do {
                    // The work may have been replaced before it began, as when each letter of a search starts a new
                    // task.
                    try Task.checkCancellation()
                    return .answered(Answer(answer(.success(try await work(outlet)))))
                } catch {
                    return .answered(Answer(answer(.failure(error))))
                }
            })
    }

    /// Cancels these kinds of work.
    func stop(_ activities: Activity...) {
        for activity in activities { stop(activity.rawValue) }
    }

    /// The running work of this flow; nil if there is none.
    var activity: Activity? { Activity.allCases.first { isRunning($0.rawValue) } }
}

internal import Navigation

/// What a flow is at while its screens go on being used, in words for a person.
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
    /// Begins work whose answer comes to this flow as an event.
    ///
    /// - Parameters:
    ///   - activity: what it is; another of the same takes its place.
    ///   - answer: which answer its result is.
    ///   - work: what is asked of a service.
    func run<Value: Sendable>(
        _ activity: Activity, _ answer: @escaping @Sendable (Result<Value, any Error>) -> Answer.Kind,
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        run(activity, answer) { _ in try await work() }
    }

    /// Begins work that says on its way how far it is.
    func run<Value: Sendable>(
        _ activity: Activity, _ answer: @escaping @Sendable (Result<Value, any Error>) -> Answer.Kind,
        _ work: @escaping @Sendable (Outlet<AppEvent>) async throws -> Value
    ) {
        run(
            activity.rawValue,
            reporting: { outlet in
                do {
                    // What another has taken the place of before it was begun, as each letter of a search may.
                    try Task.checkCancellation()
                    return .answered(Answer(answer(.success(try await work(outlet)))))
                } catch {
                    return .answered(Answer(answer(.failure(error))))
                }
            })
    }

    /// Gives up what these flows are at.
    func stop(_ activities: Activity...) {
        for activity in activities { stop(activity.rawValue) }
    }

    /// What this flow is at; nil for nothing.
    var activity: Activity? { Activity.allCases.first { isRunning($0.rawValue) } }
}

import Arguments
import AuthService
import FlowCoordinators
import Navigation
import Terminal

/// The front of the command line. It fills in the forms on the way to a place with arguments and the user's answers,
/// and returns the screen where this ends.
struct Front {
    let application: ApplicationCoordinator
    let prompter: Prompter
    /// Whether the session comes from the environment, so that it cannot be replaced.
    let isSessionGiven: Bool

    /// The maximum number of attempts for a form.
    private static let attempts = 3

    /// Goes to `target` and fills in forms until `isReached`. It does not build the final screen.
    ///
    /// - Returns: the message there.
    /// - Throws: the error that prevented reaching the place, such as `AuthError.notLoggedIn`.
    @discardableResult
    func go(
        to target: AppRoute, answers: Answers = [:], until isReached: (AppRoute) -> Bool
    ) async throws -> Notice? {
        if let screen = try await stop(onTheWayTo: target, answers: answers, until: isReached) {
            throw screen.notice?.error ?? AuthError.notLoggedIn
        }
        // The application may have led to a screen with an error.
        if let error = application.notice?.error { throw error }
        return application.notice
    }

    /// Goes to `target` and fills in forms until `isReached`, or until a screen is not a form.
    ///
    /// - Returns: the screen.
    /// - Throws: the error that prevented reaching the place, such as `AuthError.notLoggedIn`.
    func screen(at target: AppRoute, until isReached: (AppRoute) -> Bool) async throws -> Screen {
        if let screen = try await stop(onTheWayTo: target, answers: [:], until: isReached) { return screen }
        return try await application.screen()
    }

    /// Goes to `target` and fills in forms.
    ///
    /// - Returns: the first screen that is not a form; nil if `isReached`.
    private func stop(
        onTheWayTo target: AppRoute, answers: Answers, until isReached: (AppRoute) -> Bool
    ) async throws -> Screen? {
        try await application.start(at: target)
        return try await stop(answering: answers, to: target.flow, until: isReached)
    }

    /// Performs work, and repeats it after confirming the password if that is required.
    ///
    /// - Parameters:
    ///   - answers: the password, if it was given in the arguments.
    ///   - work: the work.
    /// - Throws: the error of the work.
    func confirming<Value>(_ answers: Answers, _ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch AuthError.passwordNeeded {
            try await go(to: .confirmation, answers: answers) { $0 != .confirmation }
            return try await work()
        }
    }

    /// Fills in forms. Forms of a flow other than `asked` are filled in by the user, not from the arguments.
    ///
    /// - Returns: the first screen that is not a form; nil if `isReached`.
    private func stop(
        answering answers: Answers, to asked: FlowKind, until isReached: (AppRoute) -> Bool
    ) async throws -> Screen? {
        var failures = 0
        while !isReached(application.place) {
            let screen = try await application.screen()
            let place = application.place
            guard let form = screen.form else { return screen }
            // Both forms end in a new session. Refuse it now, because it could not be stored.
            if isSessionGiven, place.flow == .login && place != .reset || place == .password {
                throw place.flow == asked ? TokenFileError.given : TokenFileError.givenEnded
            }
            if let error = screen.notice?.error {
                failures += 1
                // Repeat the form only if the user typed something, because given answers would fail again.
                guard prompter.isInteractive, failures < Self.attempts,
                    form.fields.contains(where: { answers[$0.name] == nil })
                else { throw error }
            }
            let given = place.flow == asked ? answers : [:]
            guard prompter.isInteractive || form.fields.allSatisfy({ given[$0.name] != nil }) else {
                throw place == .confirmation ? AuthError.passwordNeeded : AuthError.notLoggedIn
            }
            if let notice = screen.notice { prompter.say(notice.text) }
            try await submit(try prompter.fill(form, given: given))
        }
        return nil
    }

    /// Sends answers, and stores a session that they open. Ctrl-C and SIGTERM end a wait, and take effect after the
    /// step is complete.
    private func submit(_ answers: Answers) async throws {
        let before = application.currentUser.session?.id
        let watch = InterruptWatch()
        try await application.send(.submitted(answers))
        await application.finishWork()
        guard let signal = watch.signal else { return }
        let session = application.currentUser.session
        let opened = session?.id == before ? nil : session.map { "Logged in as \($0.user.username)." }
        let notice = application.notice.flatMap { $0.error == nil ? $0.text : nil }
        throw CommandError(
            "interrupted", hint: notice ?? opened, code: ExitCode(signal: signal) ?? .interrupted)
    }

    /// Sends an event to the screen on top, and confirms the password if that is required.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - answers: the password, if it was given in the arguments.
    /// - Returns: the message after it.
    /// - Throws: the error of the action.
    func send(_ event: AppEvent, answers: Answers = [:]) async throws -> String? {
        try await application.send(event)
        await application.finishWork()
        _ = try await stop(answering: answers, to: .account, until: { $0 != .confirmation })
        let notice = application.notice
        if let error = notice?.error { throw error }
        return notice?.text
    }
}

extension Screen {
    /// The form, if the screen is one.
    var form: Form? { if case .form(let form) = content { form } else { nil } }
}

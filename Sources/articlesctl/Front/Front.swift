import Arguments
import AuthService
import FlowCoordinators
import Navigation
import Terminal

/// The command line as a front: it answers the forms on the way to a place, from what the arguments bring and what a
/// person types, and returns the screen where it ends.
struct Front {
    let application: ApplicationCoordinator
    let prompter: Prompter
    /// Whether the session is given from outside, so that no other can take its place.
    let isSessionGiven: Bool

    /// How often a person may try again.
    private static let attempts = 3

    /// Goes to `target` and answers what is asked until `isReached`. The place tells: where nobody looks at a screen, none
    /// is made.
    ///
    /// - Returns: what there is to say about it.
    /// - Throws: why it did not get there, `AuthError.notSignedIn` among others.
    @discardableResult
    func go(
        to target: AppRoute, answers: Answers = [:], until isReached: (AppRoute) -> Bool
    ) async throws -> Notice? {
        if let screen = try await stop(onTheWayTo: target, answers: answers, until: isReached) {
            throw screen.notice?.error ?? AuthError.notSignedIn
        }
        // The application may have led to a screen with an error.
        if let error = application.notice?.error { throw error }
        return application.notice
    }

    /// Goes to `target` and answers what is asked until `isReached`, or until nothing is asked.
    ///
    /// - Returns: the screen there.
    /// - Throws: why it did not get there, `AuthError.notSignedIn` among others.
    func screen(at target: AppRoute, until isReached: (AppRoute) -> Bool) async throws -> Screen {
        if let screen = try await stop(onTheWayTo: target, answers: [:], until: isReached) { return screen }
        return try await application.screen()
    }

    /// Goes to `target` and answers what is asked.
    ///
    /// - Returns: the first screen that asks nothing; nil where `isReached`.
    private func stop(
        onTheWayTo target: AppRoute, answers: Answers, until isReached: (AppRoute) -> Bool
    ) async throws -> Screen? {
        try await application.start(at: target)
        return try await stop(answering: answers, to: target.flow, until: isReached)
    }

    /// Does something that may take the password, and gives it where it does.
    ///
    /// - Parameters:
    ///   - answers: the password, where the arguments bring it.
    ///   - work: what is done.
    /// - Throws: why it failed.
    func confirming<Value>(_ answers: Answers, _ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch AuthError.passwordNeeded {
            try await go(to: .confirmation, answers: answers) { $0 != .confirmation }
            return try await work()
        }
    }

    /// Answers what is asked. A form of another flow than `asked` is a person's to answer, not the arguments'.
    ///
    /// - Returns: the first screen that asks nothing; nil where `isReached`.
    private func stop(
        answering answers: Answers, to asked: FlowKind, until isReached: (AppRoute) -> Bool
    ) async throws -> Screen? {
        var failures = 0
        while !isReached(application.place) {
            let screen = try await application.screen()
            let place = application.place
            guard let form = screen.form else { return screen }
            // Both forms end in a new session: refused before anything is done that could not be kept.
            if isSessionGiven, place.flow == .login && place != .reset || place == .password {
                throw place.flow == asked ? TokenFileError.given : TokenFileError.givenEnded
            }
            if let error = screen.notice?.error {
                failures += 1
                // Only what a person typed can be typed better.
                guard prompter.isInteractive, failures < Self.attempts,
                    form.fields.contains(where: { answers[$0.name] == nil })
                else { throw error }
            }
            let given = place.flow == asked ? answers : [:]
            guard prompter.isInteractive || form.fields.allSatisfy({ given[$0.name] != nil }) else {
                throw place == .confirmation ? AuthError.passwordNeeded : AuthError.notSignedIn
            }
            if let notice = screen.notice { prompter.say(notice.text) }
            try await submit(try prompter.fill(form, given: given))
        }
        return nil
    }

    /// Sends answers. A session that is opened by them is also kept: Ctrl-C and SIGTERM end a wait, and are heeded when
    /// nothing is half done.
    private func submit(_ answers: Answers) async throws {
        let before = application.signedIn.session?.id
        let watch = InterruptWatch()
        try await application.send(.submitted(answers))
        await application.finishWork()
        guard let signal = watch.signal else { return }
        let session = application.signedIn.session
        let opened = session?.id == before ? nil : session.map { "You are logged in as \($0.user.username)." }
        let notice = application.notice.flatMap { $0.error == nil ? $0.text : nil }
        throw CommandError(
            "interrupted", hint: notice ?? opened, code: ExitCode(signal: signal) ?? .interrupted)
    }

    /// Does something on the screen on top, and gives the password where it takes it.
    ///
    /// - Parameters:
    ///   - event: what is done.
    ///   - answers: the password, where the arguments bring it.
    /// - Returns: what there is to say about it.
    /// - Throws: why it failed.
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
    /// The form that is to be filled in, where there is one.
    var form: Form? { if case .form(let form) = content { form } else { nil } }
}

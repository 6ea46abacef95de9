// The default of ``Navigator/onPending``.
extension Navigator {
    /// Lets the navigator settle itself on an actor when something is pending.
    ///
    /// The navigator is not `Sendable`, so all its callers run on this actor, unless it was sent to another. Then the
    /// next screen changes the actor.
    func settlePending(on actor: (any Actor)?) {
        guard actor !== home else { return }
        home = actor
        guard let actor else { return mailbox.setDefaultWake(nil) }
        let owned = Owned(navigator: self, actor: actor)
        mailbox.setDefaultWake { owned.settle() }
    }
}

/// A navigator, and the actor that it runs on. Only that actor uses the navigator, so it is safe to send both.
private struct Owned<R: Route>: @unchecked Sendable {
    weak let navigator: Navigator<R>?
    weak let actor: (any Actor)?

    func settle() {
        Task {
            guard let actor else { return }
            await settle(on: actor)
        }
    }

    private func settle(on _: isolated any Actor) async { navigator?.settle() }
}

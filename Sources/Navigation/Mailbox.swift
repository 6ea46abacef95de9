internal import Synchronization

/// The inbox of a navigator: taps on screens and results of work, from any thread, in the order of their arrival.
///
/// It is all that outlets and work hold, so neither keeps a navigator alive, and it is the only thing here that more than
/// one task touches.
final class Mailbox<R: Route>: Sendable {
    /// An event for a coordinator.
    struct Letter: Sendable {
        let event: R.Event
        let origin: EventOrigin
    }

    private struct Contents {
        var letters: [Letter] = []
        /// Whether somebody is at it already and will find what comes.
        var isAttended = false
        var wake: (@Sendable () -> Void)?
    }

    private let contents = Mutex(Contents())

    /// Called when something comes and nobody attends.
    var wake: (@Sendable () -> Void)? {
        get { contents.withLock { $0.wake } }
        set {
            // The old closure is released outside the lock: it may hold an outlet, which may be used at that moment.
            let (old, isWaiting) = contents.withLock { contents in
                let old = contents.wake
                contents.wake = newValue
                return (old, !contents.letters.isEmpty && !contents.isAttended)
            }
            withExtendedLifetime(old) {}
            if isWaiting { newValue?() }
        }
    }

    func post(_ event: R.Event, from origin: EventOrigin) {
        let wake = contents.withLock { contents in
            contents.letters.append(Letter(event: event, origin: origin))
            return contents.isAttended ? nil : contents.wake
        }
        wake?()
    }

    /// Has the owner called who attends to nothing yet.
    func ring() {
        contents.withLock { $0.isAttended ? nil : $0.wake }?()
    }

    func attend() {
        contents.withLock { $0.isAttended = true }
    }

    /// Takes what has come, oldest first.
    func take() -> [Letter] {
        contents.withLock { contents in
            defer { contents.letters = [] }
            return contents.letters
        }
    }

    /// Stops attending, unless something has arrived.
    func leave() -> Bool {
        contents.withLock { contents in
            guard contents.letters.isEmpty else { return false }
            contents.isAttended = false
            return true
        }
    }
}

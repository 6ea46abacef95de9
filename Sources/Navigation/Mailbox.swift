internal import Synchronization

/// The inbox of a navigator. It receives taps on screens and results of work from any thread, in the order of their
/// arrival.
///
/// Outlets and work hold only this object, so they do not keep a navigator alive. It is the only object here that more
/// than one task uses.
final class Mailbox<R: Route>: Sendable {
    /// A message for a coordinator.
    enum Message: Sendable {
        case event(R.Event, EventOrigin)
        /// Work has come to a result, which waits for the closure of ``Flow/run(_:_:then:)``.
        case result(Work.ID)
    }

    private struct Contents {
        var messages: [Message] = []
        /// Whether the navigator is running and will find new events itself.
        var isHandling = false
        var wake: (@Sendable () -> Void)?
        /// Used if `wake` is not set.
        var defaultWake: (@Sendable () -> Void)?

        var waker: (@Sendable () -> Void)? { wake ?? defaultWake }
    }

    private let contents = Mutex(Contents())

    /// Called if an event arrives while the navigator is not running.
    var wake: (@Sendable () -> Void)? {
        get { contents.withLock { $0.wake } }
        set {
            // Release the old closure outside the lock: it may hold an outlet, which may be used at that moment.
            let (old, waker) = contents.withLock { contents in
                let old = contents.wake
                contents.wake = newValue
                return (old, contents.messages.isEmpty || contents.isHandling ? nil : contents.waker)
            }
            withExtendedLifetime(old) {}
            waker?()
        }
    }

    /// Sets the function that is called if ``wake`` is not set.
    func setDefaultWake(_ wake: (@Sendable () -> Void)?) {
        let old = contents.withLock { contents in
            let old = contents.defaultWake
            contents.defaultWake = wake
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Whether somebody is called if an event arrives.
    var isWatched: Bool { contents.withLock { $0.waker != nil } }

    func post(_ event: R.Event, from origin: EventOrigin) { post(.event(event, origin)) }

    func post(_ message: Message) {
        let wake = contents.withLock { contents in
            contents.messages.append(message)
            return contents.isHandling ? nil : contents.waker
        }
        wake?()
    }

    /// Calls the owner, unless the navigator is running.
    func notifyOwner() {
        contents.withLock { $0.isHandling ? nil : $0.waker }?()
    }

    func beginHandling() {
        contents.withLock { $0.isHandling = true }
    }

    /// Removes and returns the events that have arrived, oldest first.
    func removeAll() -> [Message] {
        contents.withLock { contents in
            defer { contents.messages = [] }
            return contents.messages
        }
    }

    /// Ends the handling of messages, unless something has arrived.
    func endHandling() -> Bool {
        contents.withLock { contents in
            guard contents.messages.isEmpty else { return false }
            contents.isHandling = false
            return true
        }
    }
}

/// Work that a flow has started and whose result it has not received yet.
struct Work {
    /// The frame and the name of the work. A frame can have only one work with the same name.
    struct Key: Hashable, Sendable {
        let frame: FrameID
        let name: String
    }

    /// The identity of a run, which differs from earlier runs with the same name.
    struct ID: Hashable, Sendable {
        let key: Key
        let number: Int
    }

    let id: ID
    let task: Task<Void, Never>
}

/// The origin of an event. It decides which flow may still receive the event.
enum EventOrigin: Sendable {
    /// A screen. The event is valid as long as the screen is on top or in another visible pane.
    case screen(FrameID)
    /// The flow itself. The event is valid as long as the flow is open.
    case flow(FlowID)
    /// Work in progress, or its result. The event is valid as long as the work was not stopped.
    case work(Work.ID, isDone: Bool)
}

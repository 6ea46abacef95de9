internal import CPlatform
internal import Platform
internal import Synchronization

/// Suspends tasks until a socket is ready, another task wakes them, or their deadline passes. A single thread waits for all
/// of them, so a waiting task does not block a thread.
final class Waiting: Sendable {
    /// The reason why a wait ended.
    enum End: Sendable {
        case ready
        case deadlinePassed
        case cancelled
    }

    /// The identity of a wait.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    fileprivate struct Waiter {
        let deadline: ContinuousClock.Instant
        let descriptor: Int32?
        let continuation: CheckedContinuation<End, Never>
    }

    fileprivate enum Stage {
        case issued
        /// The wait ended before it began.
        case ended(End)
        case waiting(Waiter)
    }

    fileprivate struct State {
        var last: UInt64 = 0
        var stages: [Ticket: Stage] = [:]
        var tickets: [Int32: Ticket] = [:]
        /// The time at which the thread looks at the deadlines next; nil if it sleeps until an event.
        var wakesAt: ContinuousClock.Instant?
    }

    /// The state that the thread uses. The thread does not keep the `Waiting` alive, and ends with it.
    fileprivate final class Shared: Sendable {
        let state = Mutex(State())
        let events: Int32
        /// The end of the pipe that wakes the thread.
        let wakeUps: Int32

        init(events: Int32, wakeUps: Int32) {
            (self.events, self.wakeUps) = (events, wakeUps)
        }

        deinit {
            close(events)
            close(wakeUps)
        }
    }

    private let shared: Shared
    private let wakeUp: Int32

    /// Starts the thread.
    ///
    /// - Throws: `SystemError` if the system cannot open the files or start the thread.
    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        let events = platform_events_open()
        guard events >= 0 else { throw SystemError.current }
        guard platform_pipe(&ends) == 0 else {
            let error = SystemError.current
            close(events)
            throw error
        }
        let shared = Shared(events: events, wakeUps: ends[0])
        self.shared = shared
        wakeUp = ends[1]
        guard platform_events_watch_input(events, ends[0]) == 0 else { throw SystemError.current }
        try startThread { shared.run() }
    }

    deinit {
        // The thread reads the end of the pipe and returns.
        close(wakeUp)
    }

    /// Returns a ticket for ``wait(_:until:)``. Another task can wake it before the wait begins.
    func ticket() -> Ticket {
        shared.state.withLock { state in
            state.last += 1
            let ticket = Ticket(number: state.last)
            state.stages[ticket] = .issued
            return ticket
        }
    }

    /// Waits until another task wakes this ticket.
    ///
    /// - Parameter isCancellable: whether the wait also ends if the task is canceled.
    func wait(
        _ ticket: Ticket, until deadline: ContinuousClock.Instant, isCancellable: Bool = true
    ) async -> End {
        await wait(ticket, for: nil, until: deadline, isCancellable: isCancellable)
    }

    /// Waits until a socket can be read.
    ///
    /// - Parameters:
    ///   - descriptor: the socket. Only one task at a time may wait for it.
    ///   - orOutput: whether the wait also ends if the socket can be written.
    ///   - isCancellable: whether the wait also ends if the task is canceled.
    func wait(
        for descriptor: Int32, orOutput: Bool, until deadline: ContinuousClock.Instant, isCancellable: Bool
    ) async -> End {
        await wait(ticket(), for: (descriptor, orOutput), until: deadline, isCancellable: isCancellable)
    }

    /// Ends a wait.
    ///
    /// - Returns: false if it had already ended, because its deadline had passed or its task was canceled.
    @discardableResult
    func wake(_ ticket: Ticket) -> Bool { shared.end(ticket, .ready) }

    private func wait(
        _ ticket: Ticket, for socket: (descriptor: Int32, orOutput: Bool)?, until deadline: ContinuousClock.Instant,
        isCancellable: Bool
    ) async -> End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(deadline: deadline, descriptor: socket?.descriptor, continuation: continuation)
                if shared.begin(ticket, waiter) { _ = write(wakeUp, [0], 1) }
                // The socket is watched last, because an event must find its waiter.
                guard let socket else { return }
                if platform_events_watch_once(shared.events, socket.descriptor, socket.orOutput ? 1 : 0) != 0 {
                    // The system cannot watch the socket. The next operation on the socket reports why.
                    shared.end(ticket, .ready)
                }
            }
        } onCancel: {
            if isCancellable { shared.end(ticket, .cancelled) }
        }
    }
}

extension Waiting.Shared {
    /// Begins a wait.
    ///
    /// - Returns: whether the thread must be woken, because this deadline is earlier than the time for which it sleeps.
    fileprivate func begin(_ ticket: Waiting.Ticket, _ waiter: Waiting.Waiter) -> Bool {
        let (end, isEarlier): (Waiting.End?, Bool) = state.withLock { state in
            if case .ended(let end) = state.stages[ticket] {
                state.stages[ticket] = nil
                return (end, false)
            }
            state.stages[ticket] = .waiting(waiter)
            if let descriptor = waiter.descriptor { state.tickets[descriptor] = ticket }
            let isEarlier = state.wakesAt.map { waiter.deadline < $0 } ?? true
            if isEarlier { state.wakesAt = waiter.deadline }
            return (nil, isEarlier)
        }
        if let end { waiter.continuation.resume(returning: end) }
        return isEarlier
    }

    @discardableResult
    fileprivate func end(_ ticket: Waiting.Ticket, _ end: Waiting.End) -> Bool {
        let (waiter, isFirst): (Waiting.Waiter?, Bool) = state.withLock { state in
            switch state.stages[ticket] {
            case .waiting(let waiter):
                state.stages[ticket] = nil
                if let descriptor = waiter.descriptor { state.tickets[descriptor] = nil }
                return (waiter, true)
            case .issued:
                state.stages[ticket] = .ended(end)
                return (nil, true)
            case .ended, nil:
                return (nil, false)
            }
        }
        waiter?.continuation.resume(returning: end)
        return isFirst
    }

    /// Waits for events until the pipe ends.
    fileprivate func run() {
        var descriptors = [Int32](repeating: 0, count: 64)
        var isBusy = true
        while true {
            let count = platform_events_wait(events, &descriptors, Int32(descriptors.count), timeout(isBusy: isBusy))
            guard count >= 0 || errno == EINTR else { return }
            isBusy = count > 0
            for descriptor in descriptors.prefix(max(0, Int(count))) {
                guard descriptor != wakeUps else {
                    guard isOpenAfterReading(descriptor) else { return }
                    continue
                }
                if let ticket = state.withLock({ $0.tickets[descriptor] }) { end(ticket, .ready) }
            }
            endOverdue()
        }
    }

    /// The time in milliseconds until the earliest deadline, or -1 to wait for an event.
    ///
    /// - Parameter isBusy: whether there was an event just now. Then the thread looks at the deadlines again in a
    ///   second although none exists, because waking it for each wait would cost more.
    private func timeout(isBusy: Bool) -> Int32 {
        let now = ContinuousClock.now
        return state.withLock { state in
            // The time of the last look is not after any deadline: an earlier one would have replaced it.
            var earliest = state.wakesAt.flatMap { $0 > now ? $0 : nil }
            if earliest == nil {
                earliest = isBusy ? now + .seconds(1) : nil
                for case .waiting(let waiter) in state.stages.values {
                    earliest = min(earliest ?? waiter.deadline, waiter.deadline)
                }
            }
            state.wakesAt = earliest
            guard let earliest else { return -1 }
            // Rounded up, so that the deadline has passed when the thread looks.
            let (seconds, attoseconds) = max(.zero, now.duration(to: earliest)).components
            return Int32(clamping: min(seconds, 1_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
        }
    }

    private func endOverdue() {
        let now = ContinuousClock.now
        let overdue = state.withLock { state -> [Waiting.Ticket] in
            guard let wakesAt = state.wakesAt, wakesAt <= now else { return [] }
            return state.stages.compactMap { ticket, stage in
                if case .waiting(let waiter) = stage, waiter.deadline <= now { ticket } else { nil }
            }
        }
        for ticket in overdue { end(ticket, .deadlinePassed) }
    }

    /// Empties the pipe.
    ///
    /// - Returns: whether its other end is still open.
    private func isOpenAfterReading(_ descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            if count == 0 { return false }
            if count < 0 { return errno == EAGAIN || errno == EINTR }
        }
    }
}

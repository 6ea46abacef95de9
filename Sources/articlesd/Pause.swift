import Synchronization

/// A pause between two rounds of work, which new work can end early.
final class Pause: Sendable {
    private struct State {
        var sleeper: Task<Void, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    /// Ends the pause, or the next one if there is none now.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.sleeper?.cancel()
        }
    }

    /// Returns after a time, or earlier if the pause is ended or the task is canceled.
    func wait(for duration: Duration) async {
        let sleeper = Task { _ = try? await Task.sleep(for: duration) }
        state.withLock { state in
            state.sleeper = sleeper
            if state.isOver { sleeper.cancel() }
        }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        state.withLock { $0 = State() }
    }
}

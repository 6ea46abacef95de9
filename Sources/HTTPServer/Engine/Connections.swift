import Platform
import Synchronization

/// The open connections of a server, by their descriptors.
final class Connections: Sendable {
    private struct State {
        var all: [Int32: Connection] = [:]
        var byOrigin: [String: Int] = [:]
        /// Called after a connection has ended.
        var ended: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    /// Sets the function to call after a connection has ended.
    func onEnd(_ body: (@Sendable () -> Void)?) { state.withLock { $0.ended = body } }

    /// Adds a connection. Returns false if its address has reached the limit.
    func add(_ connection: Connection, perOrigin limit: Int?) -> Bool {
        state.withLock { state in
            if let origin = connection.origin {
                let count = state.byOrigin[origin, default: 0]
                if let limit, count >= limit { return false }
                state.byOrigin[origin] = count + 1
            }
            state.all[connection.descriptor] = connection
            return true
        }
    }

    /// Removes a connection. Its descriptor must still be open.
    func remove(_ connection: Connection) {
        let ended: (@Sendable () -> Void)? = state.withLock { state in
            guard state.all[connection.descriptor] === connection else { return nil }
            state.all[connection.descriptor] = nil
            if let origin = connection.origin, let count = state.byOrigin[origin] {
                state.byOrigin[origin] = count > 1 ? count - 1 : nil
            }
            return state.ended
        }
        ended?()
    }

    func at(_ descriptor: Int32) -> Connection? { state.withLock { $0.all[descriptor] } }

    var count: Int { state.withLock { $0.all.count } }

    /// All connections, or those of one crew.
    func all(of crew: Crew? = nil) -> [Connection] {
        state.withLock { state in state.all.values.filter { crew == nil || $0.crew === crew } }
    }
}

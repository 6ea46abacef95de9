package import Text

/// The state of a front between two requests of a browser, such as the steps of a registration. The repository does not
/// interpret it.
package struct StoredVisit: Sendable, Hashable {
    /// The ID: 16 bytes.
    package let id: [UInt8]
    /// A hash of the browser and its session: 32 bytes.
    package let owner: [UInt8]
    /// A hash of the user or network address under which visits are counted: 32 bytes.
    package let holder: [UInt8]
    /// The encrypted state.
    package let content: [UInt8]
    /// The time of the last use, in whole seconds.
    package let usedAt: Date

    /// Creates a visit.
    package init(id: [UInt8], owner: [UInt8], holder: [UInt8], content: [UInt8], usedAt: Date) {
        (self.id, self.owner, self.holder, self.content, self.usedAt) = (id, owner, holder, content, usedAt)
    }
}

/// Stores the visits of browsers for all servers of a library.
///
/// A visit is worth little after a few minutes, so a crash of the database may lose the last changes.
package protocol VisitRepository: Sendable {
    /// Returns a visit with the number of its changes; nil if it does not exist.
    func visit(_ id: [UInt8]) async throws -> (visit: StoredVisit, version: Int)?

    /// Adds a visit, unless its ID exists, and removes visits that were not used after `oldest`.
    ///
    /// If there are more than `limit` visits then, the holders with the most visits lose their least recently used ones. The
    /// new visit stays.
    func add(_ visit: StoredVisit, keeping limit: Int, usedAfter oldest: Date) async throws

    /// Replaces a visit, unless it was removed or changed since it had this version.
    ///
    /// - Returns: whether it was replaced.
    func replace(_ visit: StoredVisit, version: Int) async throws -> Bool

    /// Records that a visit was used at `time`. The version stays.
    func touch(_ id: [UInt8], at time: Date) async throws

    /// Removes a visit.
    func remove(_ id: [UInt8]) async throws
}

package import AuthService
package import Foundation

/// Visits in memory.
package actor MemoryVisits: VisitRepository {
    private var visits: [[UInt8]: (visit: StoredVisit, version: Int)] = [:]

    package init() {}

    package func visit(_ id: [UInt8]) async throws -> (visit: StoredVisit, version: Int)? { visits[id] }

    package func add(_ visit: StoredVisit, keeping limit: Int, usedAfter oldest: Date) async throws {
        visits = visits.filter { $0.value.visit.usedAt > oldest }
        guard visits[visit.id] == nil else { return }
        visits[visit.id] = (visit, 1)
        let counts = Dictionary(visits.values.map { ($0.visit.holder, 1) }, uniquingKeysWith: +)
        let others = visits.values.map(\.visit).filter { $0.id != visit.id }.sorted { first, second in
            let (mine, other) = (counts[first.holder] ?? 0, counts[second.holder] ?? 0)
            return (other, first.usedAt) < (mine, second.usedAt)
        }
        for visit in others.prefix(max(0, visits.count - limit)) { visits[visit.id] = nil }
    }

    package func replace(_ visit: StoredVisit, version: Int) async throws -> Bool {
        guard visits[visit.id]?.version == version else { return false }
        visits[visit.id] = (visit, version + 1)
        return true
    }

    package func touch(_ id: [UInt8], at time: Date) async throws {
        guard let (visit, version) = visits[id] else { return }
        visits[id] = (
            StoredVisit(id: id, owner: visit.owner, holder: visit.holder, content: visit.content, usedAt: time), version
        )
    }

    package func remove(_ id: [UInt8]) async throws { visits[id] = nil }
}

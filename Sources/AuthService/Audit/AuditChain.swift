internal import Text

/// The hash chain of the log: each row's hash depends on the previous row.
///
/// It reveals rows that were changed or removed without recomputing the chain. An attacker who can write the database
/// can recompute it. To detect that too, store the last hash elsewhere.
package enum AuditChain {
    /// The number and the hash of a row.
    package struct Link: Hashable, Sendable {
        package let id: Int64
        package let hash: [UInt8]

        package init(id: Int64, hash: [UInt8]) { (self.id, self.hash) = (id, hash) }
    }

    /// Returns the link of an event that follows another.
    package static func link(_ event: AuditEvent, id: Int64, after hash: [UInt8]) -> Link {
        var bytes = hash
        bytes.append(integer: id)
        bytes.append(integer: Int64(event.at.timeIntervalSince1970))
        for text in [
            event.kind.rawValue, event.userID.map { "\($0)" }, event.sessionID?.description, event.client,
            event.actor.description, event.origin.text, event.detail,
        ] {
            // Write the length first, so that different rows never have the same bytes. A negative length means nil.
            bytes.append(integer: text.map { Int64($0.utf8.count) } ?? -1)
            bytes += Array((text ?? "").utf8)
        }
        return Link(id: id, hash: Sodium.sha256(bytes))
    }
}

extension [UInt8] {
    /// Appends an integer as eight bytes, big-endian.
    fileprivate mutating func append(integer: Int64) {
        Swift.withUnsafeBytes(of: integer.bigEndian) { append(contentsOf: $0) }
    }
}

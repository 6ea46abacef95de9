/// The schema that a program expects: its application ID and its migrations.
public struct Schema: Sendable {
    /// The number that marks a file as a database of this program. Source:
    /// <https://www.sqlite.org/pragma.html#pragma_application_id>.
    public let applicationID: Int32
    /// The migrations in order. The migration at index i has version i + 1.
    public let migrations: [Migration]

    /// Creates a schema.
    ///
    /// - Precondition: the versions are 1, 2, 3 … in this order.
    public init(applicationID: Int32, migrations: [Migration]) {
        precondition(
            migrations.map(\.version) == Array(migrations.indices.map { $0 + 1 }), "versions must be 1, 2, 3 …")
        self.applicationID = applicationID
        self.migrations = migrations
    }

    /// The version of the last migration; 0 without migrations.
    public var version: Int { migrations.count }
}

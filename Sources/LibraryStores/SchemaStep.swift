package import Text

/// A step of the schema of a library, and whether it was applied there.
package struct SchemaStep: Sendable {
    /// Its version, which follows that of the step before.
    package let version: Int
    /// The name, which is part of the file name.
    package let name: String
    /// The statements.
    package let sql: String
    /// The time at which it was applied; nil if it was not applied yet.
    package let appliedAt: Date?
    /// Whether the applied step is the one of this program.
    package let isUnchanged: Bool
}

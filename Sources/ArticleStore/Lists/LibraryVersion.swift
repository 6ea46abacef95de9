/// A state of a library. Between two equal versions that one process has read, nothing was changed.
package struct LibraryVersion: Hashable, Sendable {
    private let text: String

    /// Creates a version from a text that names a state.
    package init(_ text: String) { self.text = text }
}

/// Reads the version of a library, which is cheaper than reading what it contains.
package protocol LibraryVersions: Sendable {
    /// Returns the present version; nil if it cannot be told.
    ///
    /// Each change makes another version, in this process or another, and whatever it changes. Read the version before
    /// the data: then a change in the meantime belongs to a later version.
    ///
    /// - Throws: `StoreError`.
    func current() async throws -> LibraryVersion?
}

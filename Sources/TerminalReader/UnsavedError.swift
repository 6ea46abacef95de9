import Terminal

/// A session that a person left could not save where it was left.
public struct UnsavedError: Error {
    /// What the model threw.
    public let reason: any Error
}

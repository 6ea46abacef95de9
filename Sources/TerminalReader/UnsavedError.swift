import Terminal

/// A session that a person left could not save where it was left.
public struct UnsavedError: Error {
    /// The error that the model threw.
    public let reason: any Error
}

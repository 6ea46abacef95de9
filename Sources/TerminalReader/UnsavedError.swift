import Terminal

/// An error: the place could not be saved when the user left the session.
public struct UnsavedError: Error {
    /// The error that the model threw.
    public let reason: any Error
}

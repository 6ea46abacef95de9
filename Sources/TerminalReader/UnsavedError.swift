import Terminal

/// An error: the place could not be saved when the user left the session.
package struct UnsavedError: Error {
    /// The error that the model threw.
    package let reason: any Error
}

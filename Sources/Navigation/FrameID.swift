/// The identity of a frame on the stack, which shows a screen. It does not depend on the content of the screen.
///
/// It is never reused within a ``Navigator``. A tap on a screen, or going back to a screen, refers to this identity, so
/// it cannot reach another screen in the same position.
public struct FrameID: Hashable, Sendable, CustomStringConvertible {
    let number: Int
    /// The navigator that created the identity; nil in a state that does not belong to a navigator.
    var owner: ObjectIdentifier?

    /// The number of the frame, as in `@3`.
    public var description: String { "@\(number)" }
}

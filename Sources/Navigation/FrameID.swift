/// The identity of one frame of the stack: of a screen that is shown, whatever it shows.
///
/// It is never used again within a ``Navigator``. What was meant for a screen, a tap or going back to it, is tied to it by
/// this, so that nothing reaches another screen that happens to lie where it lay.
public struct FrameID: Hashable, Sendable, CustomStringConvertible {
    let number: Int
    /// The navigator that gave it; nil in a state that no navigator holds.
    var owner: ObjectIdentifier?

    /// The number of the frame, as `@3`.
    public var description: String { "@\(number)" }
}

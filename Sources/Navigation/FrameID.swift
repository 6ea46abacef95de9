/// The identity of one frame of the stack: of a screen that is shown, whatever it shows.
///
/// It is never used again within a ``Navigator``. A tap on a screen, or going back to it, is tied to that screen by
/// this identity, so that it cannot reach another screen in the same place.
public struct FrameID: Hashable, Sendable, CustomStringConvertible {
    let number: Int
    /// The navigator that gave it; nil in a state that no navigator holds.
    var owner: ObjectIdentifier?

    /// The number of the frame, as `@3`.
    public var description: String { "@\(number)" }
}

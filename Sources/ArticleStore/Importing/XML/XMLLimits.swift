/// The limits beyond which XML is rejected.
struct XMLLimits: Sendable {
    /// The maximum nesting depth. Real documents stay below fifty.
    var depth = 256
    /// The maximum number of attributes of an element.
    var attributes = 1000
    /// The maximum number of bytes of a tag, including its attributes.
    var tag = 1 << 20
    /// The approximate maximum number of bytes before the first element.
    var prologue = 1 << 20
    /// The maximum number of bytes of text, names, and attributes of an element that is held in memory.
    var element: Int
}

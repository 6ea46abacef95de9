/// How much of anything XML may have before it is given up.
struct XMLLimits: Sendable {
    /// How many elements may be inside each other. Text that people wrote stays below fifty.
    var depth = 256
    /// How many attributes an element may have.
    var attributes = 1000
    /// How many bytes a tag may have, attributes included.
    var tag = 1 << 20
    /// How many bytes there may be before the first element, give or take a piece of what is read.
    var prologue = 1 << 20
    /// How many bytes of text, names and attributes an element may have that is held as a whole.
    var element: Int
}

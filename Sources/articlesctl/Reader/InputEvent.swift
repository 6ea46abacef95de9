/// What a person, or the terminal, did.
enum InputEvent: Hashable, Sendable {
    case key(KeyPress)
    /// Text that arrived as a whole (bracketed paste), its line ends as `\n`. It is not sanitised.
    case paste(String)
    case mouse(Mouse)
    /// Whether the terminal's window is in front.
    case focus(Bool)
    /// The terminal has this size from here on.
    case resize(Size)
    /// The screen shows something else, as after Ctrl-Z and `fg`: draw it whole.
    case redraw

    /// A key without modifiers.
    static func key(_ key: Key) -> InputEvent { .key(KeyPress(key)) }
    /// A character without modifiers.
    static func character(_ character: Unicode.Scalar) -> InputEvent { .key(KeyPress(.character(character))) }
}

/// Columns and rows of a screen.
struct Size: Hashable, Sendable {
    var columns: Int
    var rows: Int
}

/// A key with what was held down with it.
struct KeyPress: Hashable, Sendable {
    /// Keys held down; the raw value is that of xterm's modifier parameter less one.
    struct Modifiers: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let shift = Modifiers(rawValue: 1)
        static let alt = Modifiers(rawValue: 2)
        static let control = Modifiers(rawValue: 4)
    }

    var key: Key
    var modifiers: Modifiers = []

    init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// A letter with Ctrl.
    static func control(_ letter: Unicode.Scalar) -> KeyPress { KeyPress(.character(letter), .control) }
}

/// A key of a keyboard, as far as a terminal tells.
enum Key: Hashable, Sendable {
    /// A scalar and not a cluster: what is typed after it may yet combine with it.
    case character(Unicode.Scalar)
    case enter
    case escape
    case tab
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    case function(Int)
}

/// A button or the wheel of a mouse, at a place counted from zero.
struct Mouse: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case press
        case wheelUp
        case wheelDown
    }

    var kind: Kind
    var column: Int
    var row: Int
}

/// An action of the user, of the terminal, or of another thread of the program.
public enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(KeyPress)
    /// Text that arrived as a whole (bracketed paste), its line ends as `\n`. It is not sanitised.
    case paste(String)
    /// A button was pressed or the wheel turned.
    case mouse(Mouse)
    /// Whether the terminal's window is in front.
    case focus(Bool)
    /// The terminal has this size from here on.
    case resize(Size)
    /// The screen shows something else, as after Ctrl-Z and `fg`: draw it whole.
    case redraw
    /// `RawTerminal.wake` was called, once or more often.
    case wake

    /// A key without modifiers.
    public static func key(_ key: Key) -> InputEvent { .key(KeyPress(key)) }
    /// A character without modifiers.
    public static func character(_ character: Unicode.Scalar) -> InputEvent { .key(KeyPress(.character(character))) }
}

/// Columns and rows of a screen.
public struct Size: Hashable, Sendable {
    /// How many columns.
    public var columns: Int
    /// How many rows.
    public var rows: Int

    /// So many columns and rows.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A key with what was held down with it.
public struct KeyPress: Hashable, Sendable {
    /// Keys held down; the raw value is that of xterm's modifier parameter less one.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// A bit each.
        public let rawValue: UInt8

        /// Shift.
        public static let shift = Modifiers(rawValue: 1)
        /// Alt, or Meta.
        public static let alt = Modifiers(rawValue: 2)
        /// Ctrl.
        public static let control = Modifiers(rawValue: 4)

        /// The modifiers whose bits are set.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The key itself.
    public var key: Key
    /// The modifier keys that were held down.
    public var modifiers: Modifiers

    /// A key, and what was held down with it.
    public init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// A letter with Ctrl.
    public static func control(_ letter: Unicode.Scalar) -> KeyPress { KeyPress(.character(letter), .control) }
}

/// A key of a keyboard, as far as a terminal tells.
public enum Key: Hashable, Sendable {
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

/// A button or the wheel of a mouse, at a position counted from zero.
public struct Mouse: Hashable, Sendable {
    /// The kinds of mouse action.
    public enum Kind: Hashable, Sendable {
        case press
        case wheelUp
        case wheelDown
    }

    /// The kind of action.
    public var kind: Kind
    /// The column where it was done.
    public var column: Int
    /// The row where it was done.
    public var row: Int

    /// Something done with a mouse, and where.
    public init(kind: Kind, column: Int, row: Int) {
        self.kind = kind
        self.column = column
        self.row = row
    }
}

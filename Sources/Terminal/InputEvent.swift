/// An action of the user, of the terminal, or of another thread of the program.
public enum InputEvent: Hashable, Sendable {
    /// The user pressed a key.
    case key(KeyPress)
    /// Text that was pasted as a whole (bracketed paste). Line breaks are `\n`. It is not sanitized.
    case paste(String)
    /// The user pressed a mouse button or turned the wheel.
    case mouse(Mouse)
    /// The window of the terminal got or lost the focus.
    case focus(Bool)
    /// The terminal has a new size.
    case resize(Size)
    /// The contents of the screen were lost, as after Ctrl-Z and `fg`. Draw it completely.
    case redraw
    /// `RawTerminal.wake` was called at least once.
    case wake

    /// Returns a key without modifiers.
    public static func key(_ key: Key) -> InputEvent { .key(KeyPress(key)) }
    /// Returns a character key without modifiers.
    public static func character(_ character: Unicode.Scalar) -> InputEvent { .key(KeyPress(.character(character))) }
}

/// The size of a screen in columns and rows.
public struct Size: Hashable, Sendable {
    /// The number of columns.
    public var columns: Int
    /// The number of rows.
    public var rows: Int

    /// Creates a size.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A key with its modifiers.
public struct KeyPress: Hashable, Sendable {
    /// The modifiers of a key. The raw value is xterm's modifier parameter minus one.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// A bit for each modifier.
        public let rawValue: UInt8

        /// Shift.
        public static let shift = Modifiers(rawValue: 1)
        /// Alt, or Meta.
        public static let alt = Modifiers(rawValue: 2)
        /// Ctrl.
        public static let control = Modifiers(rawValue: 4)

        /// Creates modifiers from their bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The key itself.
    public var key: Key
    /// The modifier keys that were held down.
    public var modifiers: Modifiers

    /// Creates a key press.
    public init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// Returns a letter with Ctrl.
    public static func control(_ letter: Unicode.Scalar) -> KeyPress { KeyPress(.character(letter), .control) }
}

/// A key of a keyboard, as far as terminals report it.
public enum Key: Hashable, Sendable {
    /// A character. It is a scalar instead of a cluster, because the next one may combine with it.
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

/// An action with the mouse at a position counted from zero.
public struct Mouse: Hashable, Sendable {
    /// The kinds of mouse action.
    public enum Kind: Hashable, Sendable {
        case press
        case wheelUp
        case wheelDown
    }

    /// The kind of action.
    public var kind: Kind
    /// The column.
    public var column: Int
    /// The row.
    public var row: Int

    /// Creates a mouse action.
    public init(kind: Kind, column: Int, row: Int) {
        self.kind = kind
        self.column = column
        self.row = row
    }
}

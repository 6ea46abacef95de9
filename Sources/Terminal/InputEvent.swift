/// An action of the user, of the terminal, or of another thread of the program.
package enum InputEvent: Hashable, Sendable {
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
    package static func key(_ key: Key) -> InputEvent { .key(KeyPress(key)) }
    /// Returns a character key without modifiers.
    package static func character(_ character: Unicode.Scalar) -> InputEvent { .key(KeyPress(.character(character))) }
}

/// The size of a screen in columns and rows.
package struct Size: Hashable, Sendable {
    /// The number of columns.
    package var columns: Int
    /// The number of rows.
    package var rows: Int

    /// Creates a size.
    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A key with its modifiers.
package struct KeyPress: Hashable, Sendable {
    /// The modifiers of a key. The raw value is xterm's modifier parameter minus one.
    package struct Modifiers: OptionSet, Hashable, Sendable {
        /// A bit for each modifier.
        package let rawValue: UInt8

        /// Shift.
        package static let shift = Modifiers(rawValue: 1)
        /// Alt, or Meta.
        package static let alt = Modifiers(rawValue: 2)
        /// Ctrl.
        package static let control = Modifiers(rawValue: 4)

        /// Creates modifiers from their bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The key itself.
    package var key: Key
    /// The modifier keys that were held down.
    package var modifiers: Modifiers

    /// Creates a key press.
    package init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// Returns a letter with Ctrl.
    package static func control(_ letter: Unicode.Scalar) -> KeyPress { KeyPress(.character(letter), .control) }
}

/// A key of a keyboard, as far as terminals report it.
package enum Key: Hashable, Sendable {
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
package struct Mouse: Hashable, Sendable {
    /// The kinds of mouse action.
    package enum Kind: Hashable, Sendable {
        case press
        case wheelUp
        case wheelDown
    }

    /// The kind of action.
    package var kind: Kind
    /// The column.
    package var column: Int
    /// The row.
    package var row: Int

    /// Creates a mouse action.
    package init(kind: Kind, column: Int, row: Int) {
        self.kind = kind
        self.column = column
        self.row = row
    }
}

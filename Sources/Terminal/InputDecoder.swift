import Text

/// Converts the bytes that a terminal sends into events: UTF-8, and the control sequences of ECMA-48 as in xterm.
///
/// Bytes may come in pieces of any size. Unknown sequences and bytes that are not UTF-8 are skipped.
package struct InputDecoder {
    private enum Mode {
        case normal
        /// Between the start and the end mark of a bracketed paste.
        case paste
        /// In a sequence that exceeds the limit, before its final byte.
        case longSequence
        /// In a string for a terminal (OSC, DCS, APC, PM, SOS), before BEL or ST.
        case string
    }

    /// The result of decoding at one position.
    private enum Step {
        case event(InputEvent, length: Int)
        case nothing(length: Int)
        /// More bytes are needed to decide.
        case unfinished
    }

    /// The maximum length of a paste. Further bytes are dropped.
    package static let pasteLimit = 1024 * 1024
    private static let sequenceLimit = 64
    private static let escape: UInt8 = 0x1B
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    private var mode = Mode.normal
    private var pending: [UInt8] = []
    private var pasted: [UInt8] = []

    /// Creates a decoder.
    package init() {}

    /// Whether an Esc or the start of a sequence waits for more bytes. If nothing arrives within about 25 ms, call
    /// `flush()`.
    package var isPending: Bool { mode == .normal && !pending.isEmpty }

    /// Whether a paste or a string has begun and not ended. If nothing arrives within 1 s, call `giveUp()`. Otherwise a
    /// lost end mark would swallow all further keys.
    package var isOpen: Bool { mode != .normal }

    /// Returns the events that these bytes complete.
    package mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        pending.append(contentsOf: bytes)
        return decodePending(isEnd: false)
    }

    /// Decodes the waiting bytes as the end of the input. A single Esc is then the Esc key.
    package mutating func flush() -> [InputEvent] {
        guard isPending else { return [] }
        return decodePending(isEnd: true)
    }

    /// Ends an incomplete paste with the text so far, or drops an incomplete string.
    package mutating func giveUp() -> [InputEvent] {
        guard isOpen else { return [] }
        let isPaste = mode == .paste
        mode = .normal
        guard isPaste else {
            pending = []
            return []
        }
        defer { (pasted, pending) = ([], []) }
        store(pending[...])
        return [Self.paste(pasted)]
    }

    private mutating func decodePending(isEnd: Bool) -> [InputEvent] {
        var events: [InputEvent] = []
        var start = 0
        loop: while start < pending.count {
            switch mode {
            case .normal:
                switch step(pending[start...], isEnd: isEnd) {
                case .event(let event, let length):
                    events.append(event)
                    start += length
                case .nothing(let length):
                    start += length
                case .unfinished:
                    break loop
                }
            case .paste:
                guard let length = paste(pending[start...], into: &events) else { break loop }
                start += length
            case .longSequence:
                let byte = pending[start]
                if (0x20...0x3F).contains(byte) {
                    start += 1
                } else {
                    // A byte that is invalid in a sequence ends it and is decoded by itself.
                    if (0x40...0x7E).contains(byte) { start += 1 }
                    mode = .normal
                }
            case .string:
                let byte = pending[start]
                if byte == 0x07 {
                    start += 1
                    mode = .normal
                } else if byte == Self.escape {
                    guard start + 1 < pending.count else { break loop }
                    // ST ends the string. Any other sequence ends it too, and is decoded by itself.
                    start += pending[start + 1] == UInt8(ascii: "\\") ? 2 : 0
                    mode = .normal
                } else {
                    start += 1
                }
            }
        }
        // Copy instead of removing in place, which would leave typed secrets in the rest of the buffer.
        pending = Array(pending[start...])
        return events
    }

    private mutating func step(_ bytes: ArraySlice<UInt8>, isEnd: Bool) -> Step {
        let first = bytes[bytes.startIndex]
        switch first {
        case 0x0D, 0x0A: return .event(.key(.enter), length: 1)
        case 0x09: return .event(.key(.tab), length: 1)
        case 0x7F, 0x08: return .event(.key(.backspace), length: 1)
        case 0x00: return .event(.key(.control(" ")), length: 1)
        case 0x01...0x1A: return .event(.key(.control(Unicode.Scalar(first + 0x60))), length: 1)
        case Self.escape: return escapeSequence(bytes, isEnd: isEnd)
        case 0x1C...0x1F: return .event(.key(.control(Unicode.Scalar(first + 0x40))), length: 1)
        default: return scalar(bytes, isEnd: isEnd)
        }
    }

    private func scalar(_ bytes: ArraySlice<UInt8>, isEnd: Bool) -> Step {
        let length: Int
        switch bytes[bytes.startIndex] {
        case 0x20...0x7E: length = 1
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return .nothing(length: 1)
        }
        let available = bytes.prefix(length)
        if let wrong = available.dropFirst().firstIndex(where: { !(0x80...0xBF).contains($0) }) {
            return .nothing(length: wrong - bytes.startIndex)
        }
        guard available.count == length else { return isEnd ? .nothing(length: available.count) : .unfinished }
        // Overlong forms and surrogates are invalid UTF-8. C1 control characters are valid, but not text.
        guard let scalar = String(validating: available, as: UTF8.self)?.unicodeScalars.first,
            !(0x80..<0xA0).contains(scalar.value)
        else { return .nothing(length: length) }
        return .event(.character(scalar), length: length)
    }

    private mutating func escapeSequence(_ bytes: ArraySlice<UInt8>, isEnd: Bool) -> Step {
        guard let second = bytes.dropFirst().first else {
            return isEnd ? .event(.key(.escape), length: 1) : .unfinished
        }
        // If nothing follows two bytes, they are Alt with a key.
        if isEnd, bytes.count == 2, second != Self.escape { return alt(bytes, isEnd: isEnd) }
        switch second {
        case Self.escape: return .event(.key(.escape), length: 1)
        case UInt8(ascii: "["): return controlSequence(bytes, isEnd: isEnd)
        case UInt8(ascii: "O"):
            guard let third = bytes.dropFirst(2).first else { return .unfinished }
            // A byte that cannot end the sequence does not belong to it.
            guard (0x20...0x7E).contains(third) else { return .nothing(length: 2) }
            guard let key = Self.key(final: third) else { return .nothing(length: 3) }
            return .event(.key(key), length: 3)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            // Two bytes may still be Alt with a key, so a string begins only with the third byte.
            guard bytes.count > 2 else { return .unfinished }
            mode = .string
            return .nothing(length: 2)
        default: return alt(bytes, isEnd: isEnd)
        }
    }

    private mutating func alt(_ bytes: ArraySlice<UInt8>, isEnd: Bool) -> Step {
        switch step(bytes.dropFirst(), isEnd: isEnd) {
        case .event(.key(var press), let length):
            press.modifiers.insert(.alt)
            return .event(.key(press), length: length + 1)
        case .event(let event, let length): return .event(event, length: length + 1)
        case .nothing(let length): return .nothing(length: length + 1)
        case .unfinished: return .unfinished
        }
    }

    /// Decodes `ESC [`, parameters, intermediate bytes, and a final byte.
    private mutating func controlSequence(_ bytes: ArraySlice<UInt8>, isEnd: Bool) -> Step {
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
            if body.count > Self.sequenceLimit {
                mode = .longSequence
                return .nothing(length: bytes.count)
            }
            return isEnd ? .nothing(length: bytes.count) : .unfinished
        }
        let length = end - bytes.startIndex + 1
        let final = bytes[end]
        guard (0x40...0x7E).contains(final) else { return .nothing(length: length - 1) }
        // The function keys of the Linux console, and mouse reports before SGR, continue after their final byte.
        let rest =
            switch (final, body.startIndex == end) {
            case (UInt8(ascii: "["), true): 1
            case (UInt8(ascii: "M"), true): 3
            default: 0
            }
        if rest > 0 {
            let whole = length + rest
            return bytes.count >= whole || isEnd ? .nothing(length: min(whole, bytes.count)) : .unfinished
        }
        let parameters = body[..<end]
        if final == UInt8(ascii: "~"), parameters.elementsEqual("200".utf8) {
            mode = .paste
            return .nothing(length: length)
        }
        // `M` as a final byte without `<` is not a key here; only SS3 uses it, for Enter on the keypad.
        guard final != UInt8(ascii: "M") || parameters.first == UInt8(ascii: "<"),
            let event = Self.event(parameters: parameters, final: final)
        else { return .nothing(length: length) }
        return .event(event, length: length)
    }

    private static func event(parameters: ArraySlice<UInt8>, final: UInt8) -> InputEvent? {
        if parameters.first == UInt8(ascii: "<") { return mouse(parameters.dropFirst(), final: final) }
        guard parameters.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }) else { return nil }
        let numbers = numbers(parameters)
        switch (final, parameters.isEmpty) {
        case (UInt8(ascii: "I"), true): return .focus(true)
        case (UInt8(ascii: "O"), true): return .focus(false)
        case (UInt8(ascii: "Z"), true): return .key(KeyPress(.tab, .shift))
        default: break
        }
        let key = final == UInt8(ascii: "~") ? key(number: numbers.first ?? 0) : key(final: final)
        guard let key else { return nil }
        let modifiers = numbers.count > 1 ? UInt8(truncatingIfNeeded: max(0, numbers[1] - 1)) & 7 : 0
        return .key(KeyPress(key, .init(rawValue: modifiers)))
    }

    private static func mouse(_ parameters: ArraySlice<UInt8>, final: UInt8) -> InputEvent? {
        let numbers = numbers(parameters)
        // `m` is the release of a button.
        guard numbers.count == 3, final == UInt8(ascii: "M"), numbers[1] > 0, numbers[2] > 0 else { return nil }
        // Bits 4, 8, and 16 are Shift, Alt, and Ctrl; bit 32 is motion.
        let kind: Mouse.Kind
        switch numbers[0] & ~0x1C {
        case 0: kind = .press
        case 64: kind = .wheelUp
        case 65: kind = .wheelDown
        default: return nil
        }
        return .mouse(Mouse(kind: kind, column: numbers[1] - 1, row: numbers[2] - 1))
    }

    private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int] {
        parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { $0.reduce(0) { min($0 * 10 + Int($1 & 0x0F), 100_000) } }
    }

    private static func key(final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final - UInt8(ascii: "P")) + 1)
        default: nil
        }
    }

    private static func key(number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    /// Reads pasted bytes up to the end mark, and returns their number; nil if more bytes are needed to find the mark.
    private mutating func paste(_ bytes: ArraySlice<UInt8>, into events: inout [InputEvent]) -> Int? {
        guard let mark = bytes.firstIndex(of: Self.escape) else {
            store(bytes)
            return bytes.count
        }
        store(bytes[..<mark])
        let tail = bytes[mark...].prefix(Self.pasteEnd.count)
        if tail.elementsEqual(Self.pasteEnd) {
            events.append(Self.paste(pasted))
            pasted = []
            mode = .normal
            return mark - bytes.startIndex + Self.pasteEnd.count
        }
        if Self.pasteEnd.starts(with: tail) {
            return mark > bytes.startIndex ? mark - bytes.startIndex : nil
        }
        store(bytes[mark...mark])
        return mark - bytes.startIndex + 1
    }

    private static func paste(_ bytes: [UInt8]) -> InputEvent {
        let text = String(decoding: bytes, as: UTF8.self)
        return .paste(String(text.map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 }))
    }

    private mutating func store(_ bytes: ArraySlice<UInt8>) {
        pasted.append(contentsOf: bytes.prefix(Self.pasteLimit - pasted.count))
    }
}

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
    package var column: Int
    package var row: Int

    /// Creates a mouse action.
    package init(kind: Kind, column: Int, row: Int) {
        self.kind = kind
        self.column = column
        self.row = row
    }
}

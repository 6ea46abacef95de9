import FlowCoordinators
import Terminal

/// The action of a key. This table handles keys and makes the help.
struct KeyBinding: Sendable {
    /// The keys, all with the same effect. If space is limited, only the first is shown.
    let keys: [KeyPress]
    /// The action in a few words.
    let help: String
    let command: KeyCommand
    /// Whether it is shown in the bar at the bottom.
    var isInBar = false
    /// The name by which users configure other keys; nil if the keys are fixed.
    let purpose: KeyPurpose?

    /// - Parameter purpose: the name by which users configure it, if the command does not imply it.
    init(
        _ keys: [KeyPress], _ help: String, _ command: KeyCommand, isInBar: Bool = false, purpose: KeyPurpose? = nil
    ) {
        self.keys = keys
        self.help = help
        self.command = command
        self.isInBar = isInBar
        self.purpose = purpose ?? command.purpose
    }

    /// Returns the binding with other keys.
    func with(_ keys: [KeyPress]) -> KeyBinding {
        KeyBinding(keys, help, command, isInBar: isInBar, purpose: purpose)
    }

    /// Whether it leaves the screen or shows the help.
    var isWayOut: Bool { [.back, .quit, .help].contains(command) }

    /// The names of the keys for the user.
    var names: String { keys.isEmpty ? "text" : keys.map(\.name).joined(separator: " ") }
}

/// A command of a screen.
enum KeyCommand: Hashable, Sendable {
    case up
    case down
    case pageUp
    case pageDown
    case halfPageUp
    case halfPageDown
    case first
    case last
    case choose
    case find
    case next
    case previous
    case nextField
    case previousField
    /// Cancels the current input or mode: typing, a filter, a number, or the help.
    case cancel
    case erase
    case digit
    /// Shows the headings of a text to choose from.
    case contents
    /// Copies the address of a text to the clipboard.
    case copy
    /// Saves an article to a file, pipes it to a command, or edits it.
    case save
    case pipe
    case edit
    /// Shows or hides the preview beside a list.
    case preview
    /// Changes the width of running text.
    case wider
    case narrower
    /// Types into a line.
    case type
    /// Sends a form.
    case submit
    /// Sends a form to try it.
    case tryOut
    /// Turns a field of a form on or off.
    case toggle
    /// Edits the text of a field in the user's editor.
    case editText
    case action(Int)
    /// The actions of the selected row.
    case rowAction(Int)
    case help
    case back
    case quit
    case suspend
    case redraw
}

extension KeyPress {
    /// The name of the key for the user.
    var name: String {
        let name =
            switch key {
            case .character(" "): "Space"
            case .character(let scalar): String(scalar)
            case .enter: "Enter"
            case .escape: "Esc"
            case .tab: "Tab"
            case .backspace: "Backspace"
            case .delete: "Del"
            case .up: "↑"
            case .down: "↓"
            case .left: "←"
            case .right: "→"
            case .home: "Home"
            case .end: "End"
            case .pageUp: "PgUp"
            case .pageDown: "PgDn"
            case .function(let number): "F\(number)"
            }
        if modifiers == .control, name.count == 1 { return "^" + name.uppercased() }
        let prefix = [(Modifiers.control, "Ctrl-"), (.alt, "Alt-"), (.shift, "Shift-")]
            .filter { modifiers.contains($0.0) }.map(\.1).joined()
        return prefix + name
    }

    static func letter(_ scalar: Unicode.Scalar) -> KeyPress { KeyPress(.character(scalar)) }
}

/// With Ctrl, these letters are other keys (Tab, Enter, Backspace), stop the output, or edit a line.
private let editing = Set("abcdefhijkmqsuwz".unicodeScalars)
private let letters = Array<Unicode.Scalar>("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars)

private let digits = Array<Unicode.Scalar>("123456789".unicodeScalars)

extension [KeyBinding] {
    func command(for press: KeyPress) -> KeyCommand? {
        // For letters, a terminal reports Shift by the letter itself. For other keys, Shift does not matter here.
        first { $0.keys.contains(press) }?.command
    }

    /// Returns bindings for actions, each with the key of its purpose. An action without a purpose gets a digit or an
    /// unused letter.
    ///
    /// - Parameters:
    ///   - isTyping: whether letters are text on this screen, so that actions need Ctrl.
    ///   - map: the keys that the user configured.
    ///   - claimed: keys that the user configured, so that they must not get another meaning.
    static func actions(
        _ actions: [Action], besides taken: [KeyBinding], isTyping: Bool, map: KeyMap, claimed: Set<KeyPress>
    ) -> [KeyBinding] {
        var used = Set(taken.flatMap(\.keys)).union(claimed)
        return actions.enumerated().compactMap { index, action in
            let purpose = action.purpose.keyPurpose
            if !isTyping, let keys = purpose.flatMap({ map[$0] }) {
                return KeyBinding(keys, action.label, .action(index), isInBar: !keys.isEmpty, purpose: purpose)
            }
            let own = action.purpose.letter.flatMap { press($0, isTyping: isTyping) }
            let key =
                own.flatMap { used.contains($0) ? nil : $0 } ?? spareKey(for: action, besides: used, isTyping: isTyping)
            guard let key else { return nil }
            used.insert(key)
            return KeyBinding([key], action.label, .action(index), isInBar: true, purpose: purpose)
        }
    }

    private static func press(_ letter: Unicode.Scalar, isTyping: Bool) -> KeyPress? {
        if !isTyping { return ("!"..."~").contains(letter) ? .letter(letter) : nil }
        return ("a"..."z").contains(letter) && !editing.contains(letter) ? .control(letter) : nil
    }

    private static func spareKey(for action: Action, besides used: Set<KeyPress>, isTyping: Bool) -> KeyPress? {
        let label = Array<Unicode.Scalar>(action.label.lowercased().unicodeScalars).filter { ("a"..."z").contains($0) }
        let capitals = Array<Unicode.Scalar>(action.label.uppercased().unicodeScalars).filter {
            ("A"..."Z").contains($0)
        }
        let candidates = [isTyping ? [] : digits, label, capitals, letters].joined().lazy.compactMap {
            press($0, isTyping: isTyping)
        }
        return candidates.first { !used.contains($0) && (isTyping || !KeyPurpose.allStandardKeys.contains($0)) }
    }

    static let scrolling: [KeyBinding] = [
        KeyBinding(KeyPurpose.down.standardKeys, "down", .down),
        KeyBinding(KeyPurpose.up.standardKeys, "up", .up),
        KeyBinding(KeyPurpose.pageDown.standardKeys, "a page down", .pageDown),
        KeyBinding(KeyPurpose.pageUp.standardKeys, "a page up", .pageUp),
        KeyBinding(KeyPurpose.halfPageDown.standardKeys, "half a page down", .halfPageDown),
        KeyBinding(KeyPurpose.halfPageUp.standardKeys, "half a page up", .halfPageUp),
        KeyBinding(KeyPurpose.first.standardKeys, "to the start", .first),
        KeyBinding(KeyPurpose.last.standardKeys, "to the end", .last),
    ]

    /// Returns the bindings while the user types a line at the bottom.
    static func typing(_ purpose: String) -> [KeyBinding] {
        [
            KeyBinding([], purpose, .type),
            KeyBinding([KeyPress(.enter)], "done", .choose, isInBar: true),
            KeyBinding([KeyPress(.escape)], "cancel", .cancel, isInBar: true),
        ]
    }

    /// The keys for an article. The letters are those of less and of mail programs.
    static let article: [KeyBinding] = [
        KeyBinding([.letter("s")], "save to a file", .save),
        KeyBinding([.letter("|")], "pipe to a command", .pipe),
        KeyBinding([.letter("e")], "edit", .edit),
    ]

    static let everywhere: [KeyBinding] = [
        KeyBinding([.control("l")], "redraw the screen", .redraw),
        KeyBinding([.control("z")], "suspend", .suspend),
        KeyBinding([.control("c")], "quit", .quit),
    ]
}

internal import FlowCoordinators
package import Terminal

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
    /// The number that the user types, with Enter, for an action of a text.
    var number: Int?

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

    /// Creates the binding of a command with the keys of the table.
    ///
    /// - Parameters:
    ///   - help: the action in a few words; nil for those of the table.
    ///   - isTyping: whether letters are text, so that the binding omits them.
    init(_ command: KeyCommand, _ help: String? = nil, isInBar: Bool = false, isTyping: Bool = false) {
        let keys = command.meaning?.keys ?? []
        self.init(
            isTyping ? keys.filter { !$0.isText && !$0.isEditing } : keys, help ?? command.meaning?.summary ?? "",
            command, isInBar: isInBar)
    }

    /// Returns the binding with other keys.
    func with(_ keys: [KeyPress]) -> KeyBinding {
        var binding = KeyBinding(keys, help, command, isInBar: isInBar, purpose: purpose)
        binding.number = number
        return binding
    }

    /// Whether it leaves the screen or shows the help.
    var isWayOut: Bool { [.back, .quit, .help].contains(command) }

    /// The names of the keys for the user.
    var names: String {
        if let number { return "\(number) \(KeyPress(.enter).name)" }
        return keys.isEmpty ? command == .type ? "text" : "" : keys.map(\.name).joined(separator: " ")
    }

    /// The name of the first key, for the bar.
    var shortName: String { number.map { "\($0)" } ?? keys.first?.name ?? "" }
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
    /// Types a digit of the number of a link or an action.
    case digit
    /// Begins the number of a footnote.
    case footnote
    /// Shows the headings of a text to choose from.
    case contents
    /// Copies the address of a text to the clipboard.
    case copy
    /// Saves an article to a file, pipes it to a command, or edits it.
    case save
    case pipe
    case edit
    /// Shows or hides the panes.
    case preview
    /// Moves the focus to another pane.
    case nextPane
    case previousPane
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

extension KeyCommand {
    /// Whether it only scrolls or moves a selection.
    var isScrolling: Bool {
        switch self {
        case .up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last: true
        default: false
        }
    }
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

    /// Whether it types a character in a text field.
    var isText: Bool { if case .character = key { modifiers.isEmpty } else { false } }

    /// Whether it may edit a text field.
    var isEditing: Bool {
        switch key {
        case .character: modifiers == .control
        case .left, .right, .home, .end, .backspace, .delete: true
        default: false
        }
    }
}

extension [KeyBinding] {
    func command(for press: KeyPress) -> KeyCommand? {
        // For letters, a terminal reports Shift by the letter itself. For other keys, Shift does not matter here.
        first { $0.keys.contains(press) }?.command
    }

    /// Returns bindings for actions, each with the key of its purpose. Other actions get numbers, so that a letter has
    /// the same meaning on every screen.
    ///
    /// - Parameters:
    ///   - taken: the other bindings of the screen.
    ///   - map: the keys that the user configured.
    ///   - claimed: keys that the user configured, so that they must not get another meaning.
    ///   - linkCount: the number of links of a text, whose numbers come first; nil if the screen is not a text, so that a
    ///     digit is enough.
    static func actions(
        _ actions: [Action], besides taken: [KeyBinding], map: KeyMap, claimed: Set<KeyPress>, linkCount: Int?
    ) -> [KeyBinding] {
        var used = Set(taken.flatMap(\.keys)).union(claimed)
        var number = linkCount ?? 0
        return actions.enumerated().map { index, action in
            let purpose = action.purpose.keyPurpose
            if let keys = purpose.flatMap({ map[$0] }) {
                return KeyBinding(keys, action.label, .action(index), isInBar: !keys.isEmpty, purpose: purpose)
            }
            let own = action.purpose.keys.filter { !used.contains($0) }
            if !own.isEmpty {
                used.formUnion(own)
                return KeyBinding(own, action.label, .action(index), isInBar: true, purpose: purpose)
            }
            guard linkCount == nil || action.isNumbered else {
                return KeyBinding([], action.label, .action(index), isInBar: true, purpose: purpose)
            }
            number += 1
            let keys = linkCount == nil && number < 10 ? [FixedKey.number.keys[number - 1]] : []
            var binding = KeyBinding(keys, action.label, .action(index), isInBar: true, purpose: purpose)
            binding.number = linkCount == nil ? nil : number
            return binding
        }
    }

    static let scrolling: [KeyBinding] = [
        KeyBinding(.down, "down"), KeyBinding(.up, "up"), KeyBinding(.pageDown), KeyBinding(.pageUp),
        KeyBinding(.halfPageDown), KeyBinding(.halfPageUp), KeyBinding(.first), KeyBinding(.last),
    ]

    /// Returns the bindings while the user types a line at the bottom.
    static func typing(_ purpose: String) -> [KeyBinding] {
        [
            KeyBinding([], purpose, .type), KeyBinding(.choose, "done", isInBar: true),
            KeyBinding(.cancel, "cancel", isInBar: true, isTyping: true),
        ]
    }

    /// The keys for an article. The letters are those of less and of mail programs.
    static let article: [KeyBinding] = [KeyBinding(.save), KeyBinding(.pipe), KeyBinding(.edit, "edit")]

    static let everywhere: [KeyBinding] = [KeyBinding(.redraw), KeyBinding(.suspend), KeyBinding(.quit)]
}

/// The keys of a session: the standard keys, replaced by those that the user configured.
package struct KeyMap: Hashable, Sendable {
    private var chosen: [KeyPurpose: [KeyPress]] = [:]

    /// Creates a map with the standard keys.
    package init() {}

    /// The configured keys for a purpose; nil for the standard ones. An empty array means that only the mouse works.
    package subscript(purpose: KeyPurpose) -> [KeyPress]? {
        get { chosen[purpose] }
        set { chosen[purpose] = newValue }
    }

    /// Returns the purpose that already uses a key on a screen where `purpose` is used too.
    package func owner(of key: KeyPress, besides purpose: KeyPurpose) -> KeyPurpose? {
        KeyPurpose.allCases.first {
            $0 != purpose && chosen[$0]?.contains(key) == true && !$0.places.isDisjoint(with: purpose.places)
        }
    }

    /// Returns the keys that the user configured for these purposes. They are removed from all other purposes.
    func claimed(by purposes: some Sequence<KeyPurpose>) -> Set<KeyPress> {
        Set(purposes.flatMap { chosen[$0] ?? [] })
    }

    /// Returns bindings with the configured keys.
    ///
    /// - Parameter claimed: keys that the user configured, so that they must not get another meaning.
    func applied(to bindings: [KeyBinding], claimed: Set<KeyPress>) -> [KeyBinding] {
        guard !chosen.isEmpty else { return bindings }
        var seen: Set<KeyPurpose> = []
        return bindings.compactMap { binding in
            // Keep further keys that are independent of the purpose, such as Enter for the next line.
            if let purpose = binding.purpose, let keys = chosen[purpose], seen.insert(purpose).inserted {
                let keys = keys + (purpose == .quit ? [.control("c")] : [])
                return binding.with(
                    binding.command == .quit && purpose == .back ? keys.filter { $0.key != .escape } : keys)
            }
            let keys = binding.keys.filter { !claimed.contains($0) }
            return keys.isEmpty && !binding.keys.isEmpty ? nil : binding.with(keys)
        }
    }
}

import FlowCoordinators

/// What a key does: the one table from which keys are handled and help is drawn.
struct KeyBinding: Sendable {
    /// Every one of these does it; the first is shown where there is room for one.
    let keys: [KeyPress]
    /// What it does, in a few words.
    let help: String
    let command: KeyCommand
    /// Whether it belongs in the bar at the bottom.
    var isInBar = false

    init(_ keys: [KeyPress], _ help: String, _ command: KeyCommand, isInBar: Bool = false) {
        self.keys = keys
        self.help = help
        self.command = command
        self.isInBar = isInBar
    }

    /// Whether it leads away from the screen, or tells of its keys.
    var isWayOut: Bool { [.back, .quit, .help].contains(command) }

    /// The keys, as a person reads them.
    var names: String { keys.isEmpty ? "text" : keys.map(\.name).joined(separator: " ") }
}

/// What can be done on a screen of any kind.
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
    /// Leaves what was begun: typing, a filter, a number, help.
    case cancel
    case erase
    case digit
    /// What is typed goes into a line.
    case type
    case action(Int)
    case help
    case back
    case quit
    case suspend
    case redraw
}

extension KeyPress {
    /// The key as a person reads it.
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

extension [KeyBinding] {
    func command(for press: KeyPress) -> KeyCommand? {
        // A terminal tells Shift by the letter itself; with Enter, arrows and the like it means nothing here.
        first { $0.keys.contains(press) }?.command
    }

    /// Bindings for actions: each has its own letter, or, where that is taken, another of its label, else any that is free.
    ///
    /// - Parameter isTyping: Letters are text on this screen, so the actions are with Ctrl.
    static func actions(_ actions: [Action], besides taken: [KeyBinding], isTyping: Bool) -> [KeyBinding] {
        var used = Set(taken.flatMap(\.keys))
        let all = "abcdefghijklmnopqrstuvwxyz".unicodeScalars
        // With Ctrl these are other keys (Tab, Enter, Backspace), stop the output, or edit a line.
        let editing = Set("abcdefhijkmqsuwz".unicodeScalars)
        return actions.enumerated().compactMap { place, action in
            let letters = action.label.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) }
            let own = action.shortcut.unicodeScalars.prefix(1)
            let candidates: [KeyPress] =
                isTyping
                ? (own + letters + all).filter { !editing.contains($0) && all.contains($0) }.map { .control($0) }
                : (own + letters + letters.compactMap { String($0).uppercased().unicodeScalars.first } + all
                    + "ABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars).map { .letter($0) }
            guard let key = candidates.first(where: { !used.contains($0) }) else { return nil }
            used.insert(key)
            return KeyBinding([key], action.label, .action(place), isInBar: true)
        }
    }

    static let scrolling: [KeyBinding] = [
        KeyBinding([KeyPress(.down), .letter("j")], "down", .down),
        KeyBinding([KeyPress(.up), .letter("k")], "up", .up),
        KeyBinding([KeyPress(.pageDown), .letter(" "), .control("f")], "a page down", .pageDown),
        KeyBinding([KeyPress(.pageUp), .letter("b"), .control("b")], "a page up", .pageUp),
        KeyBinding([.letter("d"), .control("d")], "half a page down", .halfPageDown),
        KeyBinding([.letter("u"), .control("u")], "half a page up", .halfPageUp),
        KeyBinding([KeyPress(.home), .letter("g")], "to the start", .first),
        KeyBinding([KeyPress(.end), .letter("G")], "to the end", .last),
    ]

    /// While a line is typed at the bottom.
    static func typing(_ purpose: String) -> [KeyBinding] {
        [
            KeyBinding([], purpose, .type),
            KeyBinding([KeyPress(.enter)], "done", .choose, isInBar: true),
            KeyBinding([KeyPress(.escape)], "cancel", .cancel, isInBar: true),
        ]
    }

    static let everywhere: [KeyBinding] = [
        KeyBinding([.control("l")], "draw the screen anew", .redraw),
        KeyBinding([.control("z")], "suspend", .suspend),
        KeyBinding([.control("c")], "quit", .quit),
    ]
}

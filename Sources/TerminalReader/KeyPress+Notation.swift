package import Terminal

extension KeyPress {
    private static let names: [(name: String, key: Key)] =
        [
            ("Space", .character(" ")), ("Enter", .enter), ("Esc", .escape), ("Tab", .tab), ("Backspace", .backspace),
            ("Del", .delete), ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("Home", .home),
            ("End", .end), ("PgUp", .pageUp), ("PgDn", .pageDown),
        ] + (1...12).map { ("F\($0)", .function($0)) }

    /// Letters that a terminal sends as other keys when Ctrl is held down (Backspace, Tab, Enter).
    private static let ambiguous = Set("hijm".unicodeScalars)

    /// The reason why a text is not a key that users can configure, in words that follow the text.
    package enum NotationError: Error, Hashable, Sendable {
        case unknown
        /// The terminal sends another key instead.
        case ambiguous
        /// The key has a fixed meaning that must always be available.
        case reserved(String)
    }

    /// Parses a key: `j`, `J`, `Space`, `PgDn`, `F2`, `Ctrl-D`, `Alt-x`, `Shift-Tab`. The case of names is ignored.
    ///
    /// - Throws: ``NotationError`` if the text is not a key, or the key cannot be configured.
    package init(notation: String) throws(NotationError) {
        var rest = Substring(notation)
        var modifiers: Modifiers = []
        let prefixes: [(String, Modifiers)] = [("ctrl-", .control), ("alt-", .alt), ("shift-", .shift)]
        while let prefix = prefixes.first(where: { rest.count > $0.0.count && rest.lowercased().hasPrefix($0.0) }) {
            rest = rest.dropFirst(prefix.0.count)
            modifiers.insert(prefix.1)
        }
        let key: Key
        if let named = Self.names.first(where: { $0.name.lowercased() == rest.lowercased() }) {
            key = named.key
        } else if let letter = rest.unicodeScalars.first, rest.unicodeScalars.count == 1, letter.properties.isGraphic {
            let isControl = modifiers.contains(.control)
            key = .character(isControl ? letter.properties.lowercaseMapping.unicodeScalars.first ?? letter : letter)
        } else {
            throw .unknown
        }
        self.init(key, modifiers)
        switch (key, modifiers) {
        case (.character, _) where modifiers.contains(.shift): throw .ambiguous
        case (.character(let letter), .control) where Self.ambiguous.contains(letter): throw .ambiguous
        case (.character(let letter), .control) where !("a"..."z").contains(letter): throw .ambiguous
        case (.character("c"), .control): throw .reserved("quits")
        case (.character("z"), .control): throw .reserved("suspends")
        case (.character(let letter), []) where ("0"..."9").contains(letter):
            throw .reserved("starts the number of a link")
        default: break
        }
    }

    /// The key in the notation of ``init(notation:)``.
    package var notation: String {
        let name =
            Self.names.first { $0.key == key }?.name
            ?? { if case .character(let letter) = key { String(letter) } else { "" } }()
        let prefixes = [(Modifiers.control, "Ctrl-"), (.alt, "Alt-"), (.shift, "Shift-")]
        return prefixes.filter { modifiers.contains($0.0) }.map(\.1).joined()
            + (modifiers.contains(.control) ? name.uppercasedLetter : name)
    }
}

extension Unicode.Scalar.Properties {
    /// Whether the character is visible.
    fileprivate var isGraphic: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator,
            .nonspacingMark, .spacingMark, .enclosingMark:
            false
        default: true
        }
    }
}

extension String {
    fileprivate var uppercasedLetter: String { unicodeScalars.count == 1 ? uppercased() : self }
}

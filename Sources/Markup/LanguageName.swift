import CGumbo

/// The language of code, as stated in the markup.
enum LanguageName {
    /// Returns the name in the text after a fence: `swift` for `swift`, `{.swift .numberLines}`, `swift,ignore`, and
    /// `swift{1,3}`; nil if there is none.
    static func name(in info: some StringProtocol) -> String? {
        let start = info.utf8.drop { $0.isHTMLSpace || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: ".") }
        let name = start.prefix(while: isPart)
        return name.isEmpty || name.count > limit ? nil : String(decoding: name, as: UTF8.self)
    }

    /// Whether a name is valid in a class.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= limit && name.utf8.allSatisfy(isPart)
    }

    private static let limit = 32

    private static func isPart(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "+#-_.".utf8.contains(byte) }

    /// Returns the language in the classes of `pre`, of `code` in it, or of the elements around it, as common renderers
    /// write them.
    static func of(_ pre: HTMLNode) -> String? {
        let code = pre.children.first { $0.isElement && $0.element == .code }
        var nodes = [code, pre].compactMap(\.self)
        if let parent = pre.parent { nodes += [parent] + [parent.parent].compactMap(\.self) }
        for node in nodes where node.hasAttributes {
            for name in ["data-lang", "data-language"] {
                if let language = node.value(name).flatMap({ Self.name(in: $0) }) { return language }
            }
            let classes = node.classes
            for (index, word) in classes.enumerated() {
                for prefix in ["language-", "lang-", "highlight-source-", "sourceCode-"] where word.hasPrefix(prefix) {
                    if let language = name(in: word.dropFirst(prefix.count)) { return language }
                }
                // SyntaxHighlighter: `brush: swift`. Pandoc: `sourceCode swift`.
                if word == "brush:" || word == "sourceCode", index + 1 < classes.count {
                    if let language = name(in: classes[index + 1].prefix { $0 != ";" }) { return language }
                }
            }
        }
        return nil
    }
}

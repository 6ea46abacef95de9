/// Markdown with parts of JavaScript in it.
enum MDX {
    /// The text without the blocks of imports and exports at its head, each of which goes to the next empty line.
    /// Source: <https://mdxjs.com/docs/what-is-mdx/#esm>.
    static func text(of body: String) -> String {
        guard isModuleCode(body[...]) else { return body }
        var rest = body[...]
        while isModuleCode(rest) {
            var line: Substring
            repeat {
                line = rest.prefix { !$0.isNewline }
                rest = rest[line.endIndex...].dropFirst()
            } while !rest.isEmpty && !line.allSatisfy(\.isWhitespace)
            rest = rest.drop { $0.isNewline }
        }
        return String(rest)
    }

    /// Whether the text begins with an import or an export, as no prose does.
    private static func isModuleCode(_ text: Substring) -> Bool {
        let line = text.prefix { !$0.isNewline }
        if line.hasPrefix("import ") {
            let rest = line.dropFirst(7)
            let isQuoted = rest.hasPrefix("'") || rest.hasPrefix("\"")
            return isQuoted || rest.contains(" from '") || rest.contains(" from \"") || rest.hasSuffix("{")
        }
        return line.hasPrefix("export ")
            && ["const ", "let ", "default ", "function ", "async ", "{", "*"].contains {
                line.dropFirst(7).hasPrefix($0)
            }
    }
}

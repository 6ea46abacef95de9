import CGumbo
import Text

/// A formula of a page as one line of text.
enum HTMLFormula {
    /// Returns the text of a `math` element: the author's annotation, usually TeX, or the parts written with `^`, `_`,
    /// `/`, and `√`.
    static func text(of math: HTMLNode) -> String {
        if let text = math.value("alttext") { return withoutStyle(text) }
        var annotation: String?
        var size = 0
        math.forEachNode { node in
            size += node.text?.count ?? 8
            if annotation == nil, node.isElement, node.localName == "annotation",
                node.value("encoding")?.lowercased().contains("tex") == true
            {
                annotation = node.plainText
            }
            return annotation == nil
        }
        if let annotation, !annotation.isEmpty { return withoutStyle(annotation) }
        // Parts are visited several times, so limit the size.
        guard size < sizeLimit else { return math.plainText }
        var writer = Writer()
        writer.write(math)
        return writer.text.collapsed
    }

    /// Larger elements are not formulas.
    private static let sizeLimit = 64 << 10

    /// Returns the TeX in a `script` for MathJax; nil for another script.
    static func text(ofScript node: HTMLNode) -> String? {
        guard let type = node.value("type")?.lowercased(),
            type.hasPrefix("math/tex") || type.hasPrefix("math/asciimath")
        else { return nil }
        let text = node.plainText
        return text.isEmpty ? nil : withoutStyle(text)
    }

    /// Whether an element is MathJax's rendering of a script that follows.
    static func isDrawn(_ node: HTMLNode, classes: [Substring]) -> Bool {
        guard classes.contains(where: { $0.hasPrefix("MathJax") || $0.hasPrefix("mjx-") || $0.hasPrefix("MJX") })
        else { return false }
        var sibling = node.next
        for _ in 0..<4 {
            guard let next = sibling else { return false }
            if next.isElement, next.tag == GUMBO_TAG_SCRIPT { return text(ofScript: next) != nil }
            sibling = next.next
        }
        return false
    }

    /// Returns the formula that is the only content of an element, such as one that is hidden next to a picture of the
    /// formula.
    static func only(in node: HTMLNode) -> HTMLNode? {
        var node = node
        while node.element != .formula {
            var inner: HTMLNode?
            for child in node.children {
                if let text = child.text, text.allSatisfy(\.isHTMLSpace) { continue }
                guard child.isElement, inner == nil else { return nil }
                inner = child
            }
            guard let inner else { return nil }
            node = inner
        }
        return node
    }

    /// Returns TeX without commands that only set the size: `{\displaystyle x}` becomes `x`.
    static func withoutStyle(_ tex: String) -> String {
        let tex = tex.collapsed
        for style in ["{\\displaystyle", "{\\textstyle", "{\\scriptstyle"]
        where tex.hasPrefix(style) && tex.hasSuffix("}") {
            return String(tex.dropFirst(style.count).dropLast().trimmed)
        }
        return tex
    }
}

/// Writes MathML as text.
private struct Writer {
    private(set) var text = ""
    private var depth = 0

    /// Elements nested deeper than in real formulas are written as plain text.
    private static let depthLimit = 64

    mutating func write(_ node: HTMLNode) {
        if let piece = node.text {
            text += String(decoding: piece, as: UTF8.self).unicodeScalars.filter { !Self.invisible.contains($0) }
                .reduce(into: "") { $0.unicodeScalars.append($1) }
            return
        }
        guard node.isElement else { return }
        guard depth < Self.depthLimit else {
            text += node.plainText
            return
        }
        depth += 1
        defer { depth -= 1 }
        let parts = node.children.filter(\.isElement)
        switch node.localName {
        case "msup" where parts.count == 2: write(parts[0], over: parts[1])
        case "msub" where parts.count == 2, "munder" where parts.count == 2: write(parts[0], under: parts[1])
        case "msubsup" where parts.count == 3, "munderover" where parts.count == 3:
            write(parts[0], under: parts[1], over: parts[2])
        case "mover" where parts.count == 2:
            if let accent = Self.accents[parts[1].plainText], parts[0].plainText.count == 1 {
                write(parts[0])
                text.unicodeScalars.append(accent)
            } else {
                write(parts[0], over: parts[1])
            }
        case "mfrac" where parts.count == 2:
            // A fraction without a line is a binomial coefficient.
            let isFraction = node.value("linethickness").map { !["0", "0px", "0em", "0pt"].contains($0) } ?? true
            writeOperand(parts[0])
            text += isFraction ? "/" : " choose "
            writeOperand(parts[1])
        case "mroot" where parts.count == 2:
            text += "√["
            write(parts[1])
            text += "]"
            writeOperand(parts[0])
        case "msqrt": writeRoot(node, parts)
        case "menclose" where node.value("notation")?.contains("radical") == true: writeRoot(node, parts)
        case "mfenced":
            let separators = Array((node.attribute("separators") ?? ",").filter { $0 != " " })
            text += node.attribute("open") ?? "("
            for (index, part) in parts.enumerated() {
                if index > 0, let last = separators.last {
                    text.append(index <= separators.count ? separators[index - 1] : last)
                }
                write(part)
            }
            text += node.attribute("close") ?? ")"
        case "mmultiscripts": writeScripts(parts)
        case "mtable": write(parts, between: "; ")
        case "mtr", "mlabeledtr": write(parts, between: ", ")
        case "semantics", "maction": if let first = parts.first { write(first) }
        case "mtext":
            text += " "
            write(all: node)
            text += " "
        case "mspace", "mphantom": text += " "
        case "mglyph": text += node.value("alt") ?? ""
        case "annotation", "annotation-xml", "script", "style", "none", "mprescripts": break
        default: write(all: node)
        }
    }

    private mutating func write(all node: HTMLNode) {
        for child in node.children { write(child) }
    }

    private mutating func write(_ parts: [HTMLNode], between separator: String) {
        for (index, part) in parts.enumerated() {
            if index > 0 { text += separator }
            write(part)
        }
    }

    private mutating func write(_ base: HTMLNode, under: HTMLNode? = nil, over: HTMLNode? = nil) {
        writeOperand(base)
        write("_", under)
        write("^", over)
    }

    private mutating func write(_ sign: String, _ script: HTMLNode?) {
        guard let script, script.localName != "none" else { return }
        let content = script.plainText
        if content.isEmpty { return }
        if sign == "^", content.unicodeScalars.allSatisfy({ Self.primes.contains($0) }) {
            text += content
            return
        }
        text += sign
        writeOperand(script)
    }

    private mutating func writeRoot(_ node: HTMLNode, _ parts: [HTMLNode]) {
        text += "√"
        if parts.count == 1 { return writeOperand(parts[0]) }
        text += "("
        write(all: node)
        text += ")"
    }

    /// Writes a part, in parentheses if it has several elements.
    private mutating func writeOperand(_ node: HTMLNode) {
        let isOne = isOne(node)
        if !isOne { text += "(" }
        write(node)
        if !isOne { text += ")" }
    }

    private func isOne(_ node: HTMLNode) -> Bool {
        var node = node
        while true {
            let parts = node.children.filter(\.isElement)
            switch node.localName {
            case "mrow", "mstyle", "mpadded", "semantics", "maction", "merror":
                guard parts.count <= 1 || ["semantics", "maction"].contains(node.localName) else { return false }
                guard let first = parts.first else { return true }
                node = first
            case "mfrac", "mtable": return false
            case "msup", "msub", "msubsup", "munder", "mover", "munderover", "mmultiscripts": return false
            default: return true
            }
        }
    }

    /// Writes the scripts after the base, then those before it. Each pair is a subscript and a superscript.
    private mutating func writeScripts(_ parts: [HTMLNode]) {
        guard let base = parts.first else { return }
        let scripts = parts.dropFirst().split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0.localName == "mprescripts"
        }
        func pairs(_ scripts: ArraySlice<HTMLNode>) -> [(HTMLNode, HTMLNode?)] {
            let scripts = Array(scripts)
            return stride(from: 0, to: scripts.count, by: 2).map { index in
                (scripts[index], index + 1 < scripts.count ? scripts[index + 1] : nil)
            }
        }
        if scripts.count > 1 {
            for (under, over) in pairs(scripts[1]) {
                write("_", under)
                write("^", over)
            }
        }
        writeOperand(base)
        for (under, over) in pairs(scripts.first ?? []) {
            write("_", under)
            write("^", over)
        }
    }

    private static let primes: Set<Unicode.Scalar> = ["'", "′", "″", "‴", "’"]
    /// Function application, and the operators that are written without a sign.
    private static let invisible: Set<Unicode.Scalar> = ["\u{2061}", "\u{2062}", "\u{2063}", "\u{2064}"]
    /// The combining forms of characters above a letter.
    private static let accents: [String: Unicode.Scalar] = [
        "¯": "\u{304}", "‾": "\u{304}", "^": "\u{302}", "ˆ": "\u{302}", "~": "\u{303}", "˜": "\u{303}", "˙": "\u{307}",
        "¨": "\u{308}", "→": "\u{20D7}", "ˇ": "\u{30C}",
    ]
}

/// Superscript and subscript characters of Unicode.
package enum ScriptForm {
    case superscript
    case `subscript`

    /// The sign for a text that cannot be written with these characters.
    package var mark: String {
        switch self {
        case .superscript: "^"
        case .subscript: "_"
        }
    }

    /// Returns the superscript or subscript character; nil if Unicode does not have it.
    package func form(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch self {
        case .superscript: Self.superscripts[scalar]
        case .subscript: Self.subscripts[scalar]
        }
    }

    /// Returns the text in superscript or subscript characters, or unchanged if one of them does not exist.
    func text(_ text: String) -> String {
        let forms = text.unicodeScalars.compactMap(form(of:))
        return forms.count == text.unicodeScalars.count ? String(String.UnicodeScalarView(forms)) : text
    }

    private static let superscripts = table(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡ")

    private static let subscripts = table(
        "0123456789+-−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ")

    private static func table(_ plain: String, _ forms: String) -> [Unicode.Scalar: Unicode.Scalar] {
        Dictionary(zip(plain.unicodeScalars, forms.unicodeScalars)) { first, _ in first }
    }
}

import CGumbo
import Text

/// A formula that KaTeX or MathJax has drawn with elements of HTML or SVG. These programs can omit MathML, and then the
/// drawing is all that the page has of the formula.
struct DrawnFormula {
    /// The same formula in MathML; nil if the page does not have it.
    private(set) var math: HTMLNode?
    private var drawing: HTMLNode?

    /// Returns nil for an element that is not the whole of a drawn formula.
    init?(_ node: HTMLNode) {
        guard node.tag == GUMBO_TAG_UNKNOWN ? node.localName == "mjx-container" : node.classes.contains("katex") else {
            return nil
        }
        // Look at the children only: another element with this class may contain the whole article.
        for child in node.children {
            if let text = child.text {
                guard text.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) else { return nil }
            } else if child.isElement {
                if child.element == .formula {
                    math = math ?? child
                } else if child.classes.contains("katex-mathml") || child.localName == "mjx-assistive-mml" {
                    math = math ?? child.children.first { $0.isElement && $0.element == .formula }
                } else if child.classes.contains("katex-html") || ["mjx-math", "svg"].contains(child.localName) {
                    drawing = drawing ?? child
                } else {
                    return nil
                }
            }
        }
        guard math != nil || drawing != nil else { return nil }
    }

    /// The drawing as one line of text.
    var text: String {
        guard let drawing else { return "" }
        var writer = Writer()
        writer.write(drawing)
        return writer.text.collapsed
    }

    /// Writes what is drawn with `^`, `_`, `/`, and `√`.
    private struct Writer {
        private(set) var text = ""
        private var depth = 0

        /// The name of the element of MathML that MathJax has drawn; else that of the element itself.
        static func name(of node: HTMLNode) -> String {
            node.value("data-mml-node") ?? node.localName
        }

        mutating func write(_ node: HTMLNode) {
            if let piece = node.text {
                text += String(decoding: piece, as: UTF8.self).filter { $0 != "\u{200B}" }
                return
            }
            guard node.isElement, depth < 128 else { return }
            depth += 1
            defer { depth -= 1 }
            if let character = Self.character(of: node) { return text.unicodeScalars.append(character) }
            let classes = node.classes
            if classes.contains(where: { Self.hidden.contains($0) }) { return }
            let name = Self.name(of: node)
            if classes.contains("msupsub") { return writeScripts(Self.stack(in: node), hasLower: Self.isLowered(node)) }
            if classes.contains("mfrac") || ["mjx-mfrac", "mfrac"].contains(name) {
                return writeFraction(node, classes)
            }
            if classes.contains("sqrt") || ["mjx-msqrt", "msqrt"].contains(name) {
                return writeRoot(
                    classes.contains("sqrt") ? Array(Self.stack(in: node).prefix(1)) : Self.parts(of: node))
            }
            switch name {
            case "mjx-msup", "msup", "mjx-msub", "msub", "mjx-msubsup", "msubsup":
                write(Self.parts(of: node), hasLower: !name.hasSuffix("msup"))
            case "mjx-munder", "munder", "mjx-munderover", "munderover":
                let parts = Self.parts(of: node)
                guard parts.count == 2, Self.name(of: parts[1]) == "mjx-munder" else {
                    return write(parts, hasLower: true)
                }
                // The upper part comes before the others.
                write(parts[1])
                text += "^" + operand([parts[0]])
            case "mjx-assistive-mml", "mjx-surd", "script", "style": return
            default: for child in node.children { write(child) }
            }
        }

        /// Writes a base and its scripts.
        private mutating func write(_ parts: [HTMLNode], hasLower: Bool) {
            guard let base = parts.first else { return }
            write(base)
            var scripts = Array(parts.dropFirst())
            // In HTML, MathJax draws the upper of two scripts first. In SVG, the upper one has the greater offset.
            if scripts.count == 2, Self.offset(of: scripts[0]) ?? 1 > Self.offset(of: scripts[1]) ?? 0 {
                scripts.reverse()
            }
            writeScripts(scripts, hasLower: hasLower)
        }

        /// The vertical offset in SVG.
        private static func offset(of node: HTMLNode) -> Double? {
            node.attribute("transform")?.split(separator: ")").first?.split(separator: ",").last.flatMap {
                Double($0.trimmed)
            }
        }

        /// Writes one script, or the lower and the upper one.
        private mutating func writeScripts(_ scripts: [HTMLNode], hasLower: Bool) {
            for (index, script) in scripts.prefix(2).enumerated() {
                text += hasLower && index == 0 ? "_" : "^"
                text += operand([script])
            }
        }

        private mutating func writeFraction(_ node: HTMLNode, _ classes: [Substring]) {
            // KaTeX stacks the denominator below the line and the numerator above it.
            let parts = classes.contains("mfrac") ? Self.stack(in: node).reversed() : Self.parts(of: node)
            text += parts.map { operand([$0]) }.filter { !$0.isEmpty }.joined(separator: "/")
        }

        private mutating func writeRoot(_ parts: [HTMLNode]) { text += "√" + operand(parts) }

        /// Returns the text of elements, in parentheses unless it is a number or one character.
        private func operand(_ nodes: [HTMLNode]) -> String {
            var writer = Writer()
            writer.depth = depth
            for node in nodes { writer.write(node) }
            let text = String(writer.text.trimmed)
            // The sign of a root that MathJax has drawn as a part of it.
            let inner = nodes.count > 1 && text.hasSuffix("√") ? String(text.dropLast()) : text
            return inner.count <= 1 || inner.allSatisfy(\.isNumber) ? inner : "(\(inner))"
        }

        /// The classes of lines and of empty space.
        private static let hidden: Set<Substring> = [
            "katex-mathml", "pstrut", "strut", "vlist-s", "nulldelimiter", "frac-line", "hide-tail", "svg-align",
        ]

        /// The elements that KaTeX places above each other, the lowest first.
        private static func stack(in node: HTMLNode) -> [HTMLNode] {
            var list: HTMLNode?
            node.forEachNode { inner in
                if list == nil, inner.isElement, inner.classes.contains("vlist") { list = inner }
                return list == nil
            }
            return list.map { list in
                list.children.filter { item in
                    item.isElement
                        && !(item.children.allSatisfy { $0.isElement && $0.classes.contains { hidden.contains($0) } })
                }
            } ?? []
        }

        /// Whether a stack of KaTeX reaches below the line, as a subscript does.
        private static func isLowered(_ node: HTMLNode) -> Bool {
            node.children.contains { $0.isElement && $0.classes.contains("vlist-t2") }
        }

        /// The elements of a formula of MathJax in an element, without those that only place them.
        private static func parts(of node: HTMLNode) -> [HTMLNode] {
            var parts: [HTMLNode] = []
            node.forEachNode { inner in
                guard inner != node, inner.isElement else { return inner == node }
                let name = name(of: inner)
                if name == "mjx-surd" { return false }
                let isPart = inner.value("data-mml-node") != nil || name.hasPrefix("mjx-m") || name == "mjx-texatom"
                if isPart { parts.append(inner) }
                return !isPart
            }
            return parts
        }

        /// The character that an element of MathJax draws: `mjx-c1D465` in HTML, and `data-c` in SVG.
        private static func character(of node: HTMLNode) -> Unicode.Scalar? {
            let code =
                node.localName == "mjx-c"
                ? node.classes.first { $0.hasPrefix("mjx-c") }.map { String($0.dropFirst(5)) } : node.value("data-c")
            guard let code, let value = UInt32(code, radix: 16), let scalar = Unicode.Scalar(value) else { return nil }
            return plain(scalar)
        }

        /// Returns a letter or digit without the style that mathematics gives it.
        private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
            switch scalar.value {
            case 0x210E: "h"
            case 0x1D400...0x1D6A3: Unicode.Scalar(UInt8((scalar.value - 0x1D400) % 52).letter)
            case 0x1D7CE...0x1D7FF: Unicode.Scalar(UInt8(0x30 + (scalar.value - 0x1D7CE) % 10))
            default: scalar
            }
        }
    }
}

extension UInt8 {
    /// The letter at this place in the alphabets of mathematics: capitals, then small letters.
    fileprivate var letter: UInt8 { self < 26 ? 0x41 + self : 0x61 + self - 26 }
}

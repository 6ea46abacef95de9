import Text

/// Lays out JSON for a person: one value per line, indented by two spaces per level. The input may come in pieces.
struct JSONLayout {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The last byte outside of strings, so that an empty array or object stays on one line.
    private var last: UInt8 = 0

    /// Returns the next piece, laid out.
    mutating func add(_ piece: String) -> String {
        var text: [UInt8] = []
        for byte in piece.utf8 {
            guard !isInString else {
                text.append(byte)
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            if [0x20, 0x0A, 0x0D, 0x09].contains(byte) { continue }
            let isOpen = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(last)
            if [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte) {
                depth -= 1
                if !isOpen { text += newLine }
            } else if isOpen || last == UInt8(ascii: ",") {
                text += newLine
            }
            text.append(byte)
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ":"): text.append(UInt8(ascii: " "))
            case UInt8(ascii: "\""): isInString = true
            default: break
            }
            last = byte
        }
        return String(decoding: text, as: UTF8.self)
    }

    private var newLine: [UInt8] { [0x0A] + Array(repeating: 0x20, count: 2 * depth) }
}

extension JSON {
    /// The value, laid out for a person.
    var laidOut: String {
        var layout = JSONLayout()
        return layout.add(description)
    }
}

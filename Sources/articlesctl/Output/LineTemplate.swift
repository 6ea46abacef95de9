import Text

/// The template of `--format`: `{title}` stands for a field, and `\\t`, `\\n`, `\\r`, `\\0`, `\\\\`, `\\{`, and `\\}`
/// for characters that are hard to type in a shell.
///
/// Each article ends with a newline, unless the template ends with `\\n` or, for `xargs -0`, `\\0`.
struct LineTemplate: Hashable {
    /// The reason why a text is not a template, as a sentence without a period.
    enum Mistake: Error, Hashable, CustomStringConvertible {
        case escape(Character?)
        case brace
        case field(String)

        var description: String {
            switch self {
            case .escape(let character?):
                "'\\\(character)' is not a valid escape; use \\t \\n \\r \\0 \\\\ \\{ or \\}"
            case .escape(nil): "the template ends with '\\'; write a backslash as \\\\"
            case .brace: "the braces of the template do not match; write literal braces as \\{ and \\}"
            case .field(let name): "unknown field '\(name)'"
            }
        }
    }

    private enum Piece: Hashable {
        case text(String)
        case field(ListedField)
    }

    private var pieces: [Piece] = []

    /// The fields in the template, including repetitions.
    var fields: [ListedField] {
        pieces.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }

    init(_ template: String) throws(Mistake) {
        var text = ""
        var rest = template[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                let escaped = rest.popFirst()
                guard let escaped, let meant = Self.escapes[escaped] else { throw .escape(escaped) }
                text.append(meant)
            case "{":
                guard let end = rest.firstIndex(of: "}") else { throw .brace }
                let name = String(rest[..<end])
                guard let field = ListedField(named: name) else { throw .field(name) }
                pieces += [.text(text), .field(field)]
                text = ""
                rest = rest[rest.index(after: end)...]
            case "}": throw .brace
            default: text.append(character)
            }
        }
        if !text.hasSuffix("\n"), !text.hasSuffix("\0") { text += "\n" }
        pieces.append(.text(text))
    }

    private static let escapes: [Character: Character] = [
        "t": "\t", "n": "\n", "r": "\r", "0": "\0", "\\": "\\", "{": "{", "}": "}",
    ]

    /// Returns the text for an article. As in the lines of a list, characters that would break a line are replaced by
    /// spaces inside fields.
    func text(of article: [JSON.Member]) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .field(let field):
                (article.first { $0.key == field.name }?.value ?? .null).inLine.sanitized(as: " ")
            }
        }.joined()
    }
}

extension JSON {
    /// The value in a line: empty for null, and commas between the elements of an array.
    fileprivate var inLine: String {
        switch self {
        case .null: ""
        case .array(let elements) where elements.allSatisfy { $0.text != nil }:
            elements.compactMap(\.text).joined(separator: ", ")
        case let value: value.text ?? value.description
        }
    }
}

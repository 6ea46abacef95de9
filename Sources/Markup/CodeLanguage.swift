import CGumbo

/// A programming language for syntax highlighting, described by a table of keywords and delimiters.
///
/// It is not a parser. Constructs that require one (regular expressions in JavaScript, indentation in YAML) remain
/// plain text instead of being guessed.
public struct CodeLanguage: Sendable {
    let grammar: CodeGrammar

    /// Creates a language from a common name after a code fence, in any case: `swift`, `c`, `c++`, `sh`, `json`,
    /// `html`, `sql`, `python`, `javascript`, `typescript`, `yaml`, `toml`, `diff`, or an alias; nil for other names.
    public init?(named name: String) {
        guard let grammar = CodeGrammar.all[name.lowercased()] else { return nil }
        self.grammar = grammar
    }

    /// Returns the tokens of a text in linear time. Adjacent tokens of the same kind are joined.
    public func tokens(in code: String) -> [CodeToken] {
        var code = code
        code.makeContiguousUTF8()
        var scanner = CodeScanner(grammar: grammar, text: Array(code.utf8))
        scanner.scan()
        var tokens: [CodeToken] = []
        var start = code.utf8.startIndex
        var offset = 0
        for (kind, end) in scanner.ends {
            let next = code.utf8.index(start, offsetBy: end - offset)
            tokens.append(CodeToken(kind: kind, text: code[start..<next]))
            start = next
            offset = end
        }
        return tokens
    }
}

/// The rules for the tokens of a language.
struct CodeGrammar: Sendable {
    var keywords: Set<String> = []
    var ignoresCase = false
    /// The delimiters of comments that end at the end of the line.
    var lineComments: [String] = []
    var blockComment: (start: String, end: String)?
    var nestsComments = false
    /// The delimiters of strings, longer ones first. With `isLine`, the string ends at the end of the line.
    var strings: [(mark: String, isLine: Bool)] = []
    var hasEscapes = true
    /// Whether a word that begins with a capital letter is a type.
    var hasTypes = false
    /// Further characters in names, in addition to letters, digits, and underscores.
    var nameExtras: [UInt8] = []
    /// Whether a comment must follow white space.
    var spacesComments = false
    var style = Style.words

    enum Style: Sendable {
        case words
        /// A string or name before a colon is a key.
        case keys
        case markup
        case diff
    }

    static let all: [String: CodeGrammar] = {
        var all: [String: CodeGrammar] = [:]
        for (names, grammar) in table {
            for name in names.split(separator: " ") { all[String(name)] = grammar }
        }
        return all
    }()

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
    private static let quotes = [(mark: "\"", isLine: true), (mark: "'", isLine: true)]

    private static let c = CodeGrammar(
        keywords: words(
            """
            alignas alignof auto bool break case catch char class const consteval constexpr const_cast continue co_await \
            co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern false float for \
            friend goto if inline int long mutable namespace new noexcept nullptr operator private protected public register \
            reinterpret_cast restrict return short signed sizeof static static_assert static_cast struct switch template this \
            throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while size_t int8_t int16_t \
            int32_t int64_t uint8_t uint16_t uint32_t uint64_t NULL #include #define #if #ifdef #ifndef #else #elif #endif \
            #pragma #undef #error
            """),
        lineComments: ["//"], blockComment: ("/*", "*/"), strings: quotes, nameExtras: [UInt8(ascii: "#")])

    private static let script = CodeGrammar(
        keywords: words(
            """
            abstract any as async await boolean break case catch class const constructor continue debugger declare default \
            delete do else enum export extends false finally for from function get if implements import in infer instanceof \
            interface is keyof let namespace never new null number object of private protected public readonly return satisfies \
            set static string super switch symbol this throw true try type typeof undefined unknown var void while with yield
            """),
        lineComments: ["//"], blockComment: ("/*", "*/"), strings: quotes + [("`", false)], hasTypes: true,
        nameExtras: [UInt8(ascii: "$")])

    private static let table: [(String, CodeGrammar)] = [
        (
            "swift",
            CodeGrammar(
                keywords: words(
                    """
                    actor any as associatedtype async await borrowing break case catch class consuming continue convenience \
                    default defer deinit didSet do dynamic else enum extension fallthrough false fileprivate final for func get \
                    guard if import in indirect infix init inout internal is isolated lazy let macro mutating nil nonisolated \
                    nonmutating open operator optional override package postfix precedencegroup prefix private protocol public \
                    repeat required rethrows return self Self sending set some static struct subscript super switch throw throws \
                    true try typealias unowned var weak where while willSet @main @MainActor @Sendable @escaping @autoclosure \
                    @available @discardableResult @objc @inlinable @usableFromInline @testable @preconcurrency @unchecked @frozen \
                    #if #else #elseif #endif #available #selector #file #line #function
                    """),
                lineComments: ["//"], blockComment: ("/*", "*/"), nestsComments: true,
                strings: [("\"\"\"", false), ("\"", true)], hasTypes: true,
                nameExtras: [UInt8(ascii: "@"), UInt8(ascii: "#")])
        ),
        ("c h cpp c++ cc cxx hpp objc objective-c objectivec", c),
        (
            "sh bash zsh shell console shellsession shell-session",
            CodeGrammar(
                keywords: words(
                    """
                    if then else elif fi for while until do done case esac in function select time return exit export local \
                    readonly declare unset set shift break continue trap source alias eval exec cd echo printf read test sudo
                    """),
                lineComments: ["#"], strings: [("\"", false), ("'", false)], spacesComments: true)
        ),
        (
            "json jsonc json5 jsonl",
            CodeGrammar(
                keywords: words("true false null"), lineComments: ["//"], blockComment: ("/*", "*/"),
                strings: [("\"", true)],
                style: .keys)
        ),
        (
            "html xml svg xhtml htm rss atom plist vue",
            CodeGrammar(blockComment: ("<!--", "-->"), strings: [], style: .markup)
        ),
        (
            "sql sqlite postgresql postgres mysql plpgsql",
            CodeGrammar(
                keywords: words(
                    """
                    add all alter and any as asc autoincrement begin between blob boolean by cascade case check column commit \
                    conflict constraint create cross current_timestamp database date default delete desc distinct do drop else \
                    end escape except exists explain false foreign from full generated glob grant group having if in index inner \
                    insert instead int integer intersect into is join key left like limit match natural not nothing null numeric \
                    offset on or order outer partition pragma primary real recursive references rename replace returning right \
                    rollback row rows savepoint select set strict table temp temporary text then to transaction trigger true union \
                    unique update using vacuum values varchar view virtual when where window with without
                    """),
                ignoresCase: true, lineComments: ["--"], blockComment: ("/*", "*/"),
                strings: [("'", false), ("\"", false)],
                hasEscapes: false)
        ),
        (
            "python py python3 pycon",
            CodeGrammar(
                keywords: words(
                    """
                    False None True and as assert async await break case class continue def del elif else except finally for \
                    from global if import in is lambda match nonlocal not or pass raise return self try while with yield
                    """),
                lineComments: ["#"], strings: [("\"\"\"", false), ("'''", false)] + quotes, hasTypes: true,
                nameExtras: [UInt8(ascii: "@")])
        ),
        ("javascript js jsx mjs cjs node typescript ts tsx", script),
        (
            "yaml yml",
            CodeGrammar(
                keywords: words("true false null yes no on off"), lineComments: ["#"], strings: quotes,
                nameExtras: [UInt8(ascii: "-"), UInt8(ascii: ".")], spacesComments: true, style: .keys)
        ),
        (
            "toml ini",
            CodeGrammar(
                keywords: words("true false"), lineComments: ["#"],
                strings: [("\"\"\"", false), ("'''", false)] + quotes,
                nameExtras: [UInt8(ascii: "-")])
        ),
        ("diff patch", CodeGrammar(style: .diff)),
    ]
}

/// Scans code once from start to end.
private struct CodeScanner {
    let grammar: CodeGrammar
    let text: [UInt8]
    /// The kind and the end of each token.
    private(set) var ends: [(kind: CodeToken.Kind, end: Int)] = []
    private var index = 0

    init(grammar: CodeGrammar, text: [UInt8]) {
        self.grammar = grammar
        self.text = text
    }

    mutating func scan() {
        while index < text.count {
            switch grammar.style {
            case .diff: scanDiffLine()
            case .markup: scanMarkup()
            case .words, .keys: scanToken()
            }
        }
    }

    private mutating func end(_ kind: CodeToken.Kind, at end: Int) {
        index = end
        if ends.last?.kind == kind { ends[ends.count - 1].end = end } else { ends.append((kind, end)) }
    }

    private func starts(with mark: String, at index: Int) -> Bool {
        text[index...].starts(with: mark.utf8)
    }

    private func endOfLine(from start: Int) -> Int { text[start...].firstIndex(of: 0x0A) ?? text.count }

    private mutating func scanToken() {
        let byte = text[index]
        if isName(byte) || byte.isASCIIDigit { return scanName() }
        if let mark = grammar.lineComments.first(where: { starts(with: $0, at: index) }),
            !grammar.spacesComments || index == 0 || text[index - 1].isHTMLSpace || mark != "#"
        {
            return end(.comment, at: endOfLine(from: index))
        }
        if let (start, _) = grammar.blockComment, starts(with: start, at: index) { return scanComment() }
        if let string = grammar.strings.first(where: { starts(with: $0.mark, at: index) }) {
            let start = index
            let close = endOfString(string.mark, isLine: string.isLine, from: start + string.mark.utf8.count)
            return end(isKey(before: close) ? .keyword : .string, at: close)
        }
        end(.plain, at: index + 1)
    }

    private func isName(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte == UInt8(ascii: "_") || byte >= 0x80 || grammar.nameExtras.contains(byte)
    }

    private mutating func scanName() {
        let start = index
        var last = index
        if text[start].isASCIIDigit {
            // A number in any base with suffixes. A dot belongs to it only before a digit.
            while last < text.count {
                let isDot = text[last] == UInt8(ascii: ".") && last + 1 < text.count && text[last + 1].isASCIIDigit
                guard text[last].isASCIILetterOrDigit || text[last] == UInt8(ascii: "_") || isDot else { break }
                last += 1
            }
            return end(.number, at: last)
        }
        while last < text.count, isName(text[last]) || text[last].isASCIIDigit { last += 1 }
        let word = String(decoding: text[start..<last], as: UTF8.self)
        if grammar.style == .keys, grammar.nameExtras.isEmpty == false, isKey(before: last) {
            return end(.keyword, at: last)
        }
        if grammar.keywords.contains(grammar.ignoresCase ? word.lowercased() : word) { return end(.keyword, at: last) }
        if grammar.hasTypes, let first = word.utf8.first, (0x41...0x5A).contains(first) { return end(.type, at: last) }
        end(.plain, at: last)
    }

    private func isKey(before end: Int) -> Bool {
        guard grammar.style == .keys else { return false }
        var next = end
        while next < text.count, text[next] == 0x20 || text[next] == 0x09 { next += 1 }
        guard next < text.count, text[next] == UInt8(ascii: ":") else { return false }
        return grammar.nameExtras.isEmpty || next + 1 == text.count || text[next + 1].isHTMLSpace
    }

    private func endOfString(_ mark: String, isLine: Bool, from start: Int) -> Int {
        let first = mark.utf8.first
        var index = start
        while index < text.count {
            if text[index] == UInt8(ascii: "\\"), grammar.hasEscapes {
                index += 2
            } else if text[index] == first, starts(with: mark, at: index) {
                return index + mark.utf8.count
            } else if text[index] == 0x0A, isLine {
                return index
            } else {
                index += 1
            }
        }
        // A backslash may be the last byte.
        return text.count
    }

    private mutating func scanComment() {
        guard let (open, close) = grammar.blockComment else { return }
        var depth = 0
        var at = index
        while at < text.count {
            if starts(with: open, at: at), depth == 0 || grammar.nestsComments {
                depth += 1
                at += open.utf8.count
            } else if starts(with: close, at: at) {
                depth -= 1
                at += close.utf8.count
                if depth == 0 { break }
            } else {
                at += 1
            }
        }
        end(.comment, at: at)
    }

    private mutating func scanDiffLine() {
        let end = endOfLine(from: index)
        let kind: CodeToken.Kind =
            if starts(with: "+++", at: index) || starts(with: "---", at: index) || starts(with: "@@", at: index) {
                .keyword
            } else {
                switch text[index] {
                case UInt8(ascii: "+"): .inserted
                case UInt8(ascii: "-"): .deleted
                default: .plain
                }
            }
        self.end(kind, at: max(end, index))
        if end < text.count { self.end(.plain, at: end + 1) }
    }

    private mutating func scanMarkup() {
        if starts(with: "<!--", at: index) { return scanComment() }
        guard text[index] == UInt8(ascii: "<"), index + 1 < text.count,
            text[index + 1].isASCIILetter || "/!?".utf8.contains(text[index + 1])
        else { return end(.plain, at: text[(index + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? text.count) }
        var at = index + 2
        while at < text.count, text[at].isASCIILetterOrDigit || "-_:.".utf8.contains(text[at]) { at += 1 }
        end(.keyword, at: at)
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: ">"): return end(.keyword, at: index + 1)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let close = text[(index + 1)...].firstIndex(of: text[index]) ?? text.count - 1
                end(.string, at: close + 1)
            case let byte where byte.isASCIILetter || byte == UInt8(ascii: "_") || byte >= 0x80:
                var at = index
                while at < text.count,
                    text[at].isASCIILetterOrDigit || "-_:.".utf8.contains(text[at]) || text[at] >= 0x80
                {
                    at += 1
                }
                end(.type, at: at)
            default: end(.plain, at: index + 1)
            }
        }
    }
}

/// A piece of code for syntax highlighting.
public struct CodeToken: Hashable, Sendable {
    /// The kind of the piece.
    public var kind: Kind
    /// The text. The texts of all pieces together are the code.
    public var text: Substring

    /// The kind of a piece of code.
    public enum Kind: Hashable, Sendable {
        /// Names, operators, and white space, which are not highlighted.
        case plain
        /// A keyword of the language, a tag of HTML, or a key of JSON and YAML.
        case keyword
        /// The name of a type, or an attribute of HTML.
        case type
        case string
        case number
        case comment
        /// An added line.
        case inserted
        /// A removed line.
        case deleted
    }
}

extension CodeToken.Kind {
    /// The class of the HTML element around the piece; nil for plain text, which is not in an element.
    var htmlClass: String? {
        switch self {
        case .plain: nil
        case .keyword: "k"
        case .type: "t"
        case .string: "s"
        case .number: "n"
        case .comment: "c"
        case .inserted: "i"
        case .deleted: "d"
        }
    }
}

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

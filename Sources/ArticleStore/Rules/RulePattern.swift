internal import CPCRE
import Text

/// A regular expression that a rule searches for in a part of an article. It ignores case. The syntax is that of PCRE2
/// (pcre2pattern).
public struct RulePattern: Sendable, Hashable {
    /// The parts of an article.
    public enum Field: String, Sendable, Hashable, CaseIterable {
        /// The title.
        case title
        /// The name of an author.
        case author
        /// A tag of the article.
        case tag
        /// The address of the original.
        case address
        /// The summary or the body, without markup.
        case text
    }

    /// The maximum number of Unicode scalars in a pattern.
    public static let length = 500

    /// The part in which the pattern is searched for.
    public let field: Field
    /// The regular expression.
    public let expression: String

    /// Creates a pattern from a text such as `title:^sponsored`.
    ///
    /// - Throws: ``RuleError/invalidPattern(_:reason:)``, ``RuleError/noPatterns(_:)``.
    public init(_ text: String) throws(RuleError) {
        guard let pattern = Self(stored: text), !pattern.expression.isEmpty else {
            let fields = Field.allCases.map { $0.rawValue + ":" }.joined(separator: ", ")
            throw .invalidPattern(text, reason: "begin with one of \(fields) and write an expression after it")
        }
        guard text.unicodeScalars.count <= Self.length else {
            throw .invalidPattern(text, reason: "it has more than \(Self.length) characters")
        }
        guard !text.unicodeScalars.contains(where: \.isHarmful) else {
            throw .invalidPattern(text.sanitized(), reason: "it contains a control character")
        }
        _ = try CompiledPattern(pattern)
        self = pattern
    }

    /// Creates a pattern from its stored text; nil if this version does not know its field.
    init?(stored text: String) {
        guard let colon = text.firstIndex(of: ":"), let field = Field(rawValue: String(text[..<colon])) else {
            return nil
        }
        (self.field, expression) = (field, String(text[text.index(after: colon)...]))
    }

    /// The pattern as a text, such as `title:^sponsored`.
    public var text: String { "\(field.rawValue):\(expression)" }
}

/// A pattern that is ready to search. Use it in one task at a time.
final class CompiledPattern {
    /// The result of a search.
    enum Result {
        case found, notFound
        /// The search exceeded the limit of its work.
        case isTooSlow
    }

    /// The limit of the work for a text. See `pcre_match`.
    private static let work: UInt64 = 16_000_000

    private let code: OpaquePointer

    /// - Throws: ``RuleError/invalidPattern(_:reason:)``, ``RuleError/noPatterns(_:)``.
    init(_ pattern: RulePattern) throws(RuleError) {
        if let problem = pcre_load() { throw .noPatterns(String(cString: problem)) }
        var problem = [CChar](repeating: 0, count: 256)
        var position = 0
        var expression = pattern.expression
        let code = expression.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                pcre_compile($0.baseAddress, $0.count, &problem, problem.count, &position)
            }
        }
        guard let code else {
            let reason = String(decoding: problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let before = String(decoding: expression.utf8.prefix(position), as: UTF8.self)
            throw .invalidPattern(
                pattern.text, reason: before.isEmpty ? reason : "\(reason), after “\(before.shortened(to: 40))”")
        }
        self.code = code
    }

    deinit { pcre_free(code) }

    /// Searches for the pattern in a text.
    func search(in text: String) -> Result {
        var text = text
        let result = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { pcre_match(code, $0.baseAddress, $0.count, Self.work) }
        }
        return switch result {
        case pcre_found: .found
        case pcre_no_match: .notFound
        default: .isTooSlow
        }
    }
}

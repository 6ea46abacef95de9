internal import CZxcvbn
internal import Platform

/// The strength of a password, as estimated by zxcvbn.
struct PasswordStrength {
    /// The score from 0, the weakest, to 4.
    let score: Int
    /// The pattern that covers most of the password.
    let pattern: PasswordWeakness.Pattern

    /// Estimates `password` for an attacker who knows `words`, such as the username.
    init(of password: [Character], knowing words: [String]) {
        let symbols = Self.symbols(of: password).map { CChar(bitPattern: $0) } + [0]
        var matches: UnsafeMutablePointer<ZxcMatch_t>?
        let bits = Self.withCStrings(words) { czxcvbn_match(symbols, $0, &matches) }
        defer { czxcvbn_free(matches) }
        score = Self.thresholds.count { bits >= $0 }
        pattern = Self.longestPattern(matches)
    }

    /// The score is the number of these thresholds that the entropy in bits reaches. They are the base-2 logarithms of
    /// 10³, 10⁶, 10⁸, and 10¹⁰ guesses. Source: zxcvbn, README, "score"; Wheeler, "zxcvbn: Low-Budget Password Strength
    /// Estimation", USENIX Security 2016.
    private static let thresholds = [9.966, 19.932, 26.575, 33.219]

    /// The maximum number of characters to examine. If a text consists of digits that could all be dates, the duration
    /// of zxcvbn grows with the third to fourth power of the length: 50 characters take about as long as a hash, 100
    /// take two seconds. A password that is not guessed within 50 characters is strong enough.
    private static let longestEstimate = 50

    /// Returns one byte per character. zxcvbn reads bytes, so it would count a letter outside of ASCII as two to four
    /// letters, and stop at a NUL.
    private static func symbols(of password: [Character]) -> [UInt8] {
        password.prefix(longestEstimate).map { character in
            switch character.asciiValue {
            case 0: 1
            case let ascii?: ascii
            case nil: 0x80 | UInt8((character.unicodeScalars.first?.value ?? 0) & 0x7F)
            }
        }
    }

    private static func longestPattern(_ matches: UnsafeMutablePointer<ZxcMatch_t>?) -> PasswordWeakness.Pattern {
        var longest: (length: Int32, pattern: PasswordWeakness.Pattern) = (0, .tooFewCharacters)
        var next = matches
        while let match = next?.pointee {
            if match.Length > longest.length, let pattern = PasswordWeakness.Pattern(match.Type) {
                longest = (match.Length, pattern)
            }
            next = match.Next
        }
        return longest.pattern
    }

    /// Calls `body` with the words as a null-terminated array of C strings.
    private static func withCStrings<T>(_ words: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> T)
        -> T
    {
        let copies = words.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        var pointers = copies.map { UnsafePointer<CChar>($0) } + [nil]
        return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress) }
    }
}

extension PasswordWeakness.Pattern {
    /// Creates the pattern of a match; nil for characters without a pattern.
    fileprivate init?(_ type: ZxcTypeMatch_t) {
        let isRepeated = type.rawValue & MULTIPLE_MATCH.rawValue != 0
        switch ZxcTypeMatch_t(rawValue: type.rawValue & ~MULTIPLE_MATCH.rawValue) {
        case _ where isRepeated: self = .repetition
        case DICTIONARY_MATCH, DICT_LEET_MATCH: self = .commonWord
        case USER_MATCH, USER_LEET_MATCH: self = .username
        case REPEATS_MATCH: self = .repetition
        case SEQUENCE_MATCH: self = .sequence
        case SPATIAL_MATCH: self = .keyboard
        case DATE_MATCH, YEAR_MATCH: self = .date
        default: return nil
        }
    }
}

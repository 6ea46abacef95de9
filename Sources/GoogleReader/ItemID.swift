/// The id of an item: the number of an article.
struct ItemID: Hashable, Sendable {
    let number: Int64

    init(_ number: Int64) { self.number = number }

    /// Reads the forms that clients send: the long one with or without padding, sixteen hexadecimal digits or fewer, and a decimal
    /// number, also a negative one. Text that could be either is decimal, unless it is sixteen digits that begin with a zero.
    init?(_ text: String) {
        if text.hasPrefix(Self.prefix) {
            self.init(hexadecimal: text.dropFirst(Self.prefix.count))
        } else if !text.hasPrefix("+"), !(text.utf8.count == 16 && text.hasPrefix("0")), let number = Int64(text) {
            self.init(number)
        } else {
            self.init(hexadecimal: text[...])
        }
    }

    private init?(hexadecimal digits: Substring) {
        guard (1...16).contains(digits.utf8.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let bits = UInt64(digits, radix: 16)
        else { return nil }
        self.init(Int64(bitPattern: bits))
    }

    /// The long form.
    var long: String {
        let digits = String(UInt64(bitPattern: number), radix: 16)
        return Self.prefix + String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static let prefix = "tag:google.com,2005:reader/item/"
}

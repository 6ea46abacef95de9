/// The ID of an item: the number of an article.
struct ItemID: Hashable, Sendable {
    let number: Int64

    init(_ number: Int64) { self.number = number }

    /// Reads the forms that clients send: the long form with or without padding, up to sixteen hexadecimal digits, or a
    /// decimal number, which may be negative. Text that could be decimal or hexadecimal is read as decimal, except if
    /// it has sixteen digits and begins with a zero.
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

    /// The ID in the long form.
    var long: String {
        let digits = String(UInt64(bitPattern: number), radix: 16)
        return Self.prefix + String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static let prefix = "tag:google.com,2005:reader/item/"
}

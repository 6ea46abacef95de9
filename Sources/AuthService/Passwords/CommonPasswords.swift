/// Passwords that attackers try first, because many people use them.
///
/// `common-passwords-copyright.txt` names the source. Shorter passwords are in a separate module, `CommonPasswords`, so
/// that programs that require the standard length do not contain them.
public struct CommonPasswords: Hashable, Sendable {
    /// The common passwords of at least ``PasswordPolicy/standard`` characters.
    public static let long = CommonPasswords(tables: [PackageResources.common_passwords_txt])

    /// The tables. Each contains one lower-case password per line, sorted by bytes.
    private let tables: [[UInt8]]

    /// Returns this list with the rows of another table.
    package func adding(table: [UInt8]) -> CommonPasswords { CommonPasswords(tables: tables + [table]) }

    /// Returns whether the list contains `text`, ignoring case. Complexity: O(log n), without copying the list.
    func contains(_ text: String) -> Bool {
        let text = text.lowercased()
        return Self.examples.contains(text) || tables.contains { Self.table($0[...], contains: Array(text.utf8)) }
    }

    /// The well-known example of a good password, which is missing in the lists.
    private static let examples = ["correcthorsebatterystaple"]

    private static let newline = UInt8(ascii: "\n")

    private static func table(_ table: ArraySlice<UInt8>, contains wanted: [UInt8]) -> Bool {
        var candidates = table
        while !candidates.isEmpty {
            let line = line(in: candidates, around: candidates.startIndex + candidates.count / 2)
            if line.elementsEqual(wanted) { return true }
            candidates =
                line.lexicographicallyPrecedes(wanted)
                ? candidates[min(line.endIndex + 1, candidates.endIndex)...]
                : candidates[..<max(line.startIndex - 1, candidates.startIndex)]
        }
        return false
    }

    /// Returns the line that contains the byte at `index` or ends there.
    private static func line(in table: ArraySlice<UInt8>, around index: Int) -> ArraySlice<UInt8> {
        let start = table[..<index].lastIndex(of: newline).map { $0 + 1 } ?? table.startIndex
        return table[start..<(table[start...].firstIndex(of: newline) ?? table.endIndex)]
    }
}

/// The passwords that guessers try first, because most people chose them.
enum CommonPasswords {
    /// Whether `text` is one of them, in small letters or in large.
    ///
    /// The table is searched where it lies in the program: nothing is read or made for it.
    static func contains(_ text: String) -> Bool {
        let text = text.lowercased()
        if examples.contains(text) { return true }
        let wanted = Array(text.utf8)
        return commonPasswordTable.withUTF8Buffer { table in
            var candidates = table[...]
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
    }

    /// What everybody knows as an example of a good password, and the table lacks.
    private static let examples = ["correcthorsebatterystaple"]

    private static let newline = UInt8(ascii: "\n")

    /// The line that the byte at `index` is in, or ends.
    private static func line(in table: Slice<UnsafeBufferPointer<UInt8>>, around index: Int)
        -> Slice<UnsafeBufferPointer<UInt8>>
    {
        let start = table[..<index].lastIndex(of: newline).map { $0 + 1 } ?? table.startIndex
        return table[start..<(table[start...].firstIndex(of: newline) ?? table.endIndex)]
    }
}

/// Puts spaces in the place of tabs.
///
/// A tab leads to the next multiple of eight columns, as on every terminal; but an indentation is the narrower, half of that for
/// each, because there is less room than its author had.
struct TabStops {
    private var isIndentation = true
    /// The column where the text was written, and the one where it is.
    private var written = 0
    private var shown = 0

    /// The text, which goes on where the one before it ended.
    mutating func expand(_ text: String) -> String {
        var result = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.startIndex != text.startIndex {
                result += "\n"
                self = TabStops()
            }
            for (index, piece) in line.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
                if index > 0 {
                    let spaces = isIndentation ? 4 - shown % 4 : 8 - written % 8
                    written += 8 - written % 8
                    shown += spaces
                    result += String(repeating: " ", count: spaces)
                }
                result += piece
                let width = piece.displayWidth
                written += width
                shown += width
                if piece.contains(where: { $0 != " " }) { isIndentation = false }
            }
        }
        return result
    }
}

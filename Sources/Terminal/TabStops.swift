/// Replaces tabs with spaces.
///
/// A tab moves to the next multiple of eight columns, as on every terminal. In an indentation, tabs are half as wide,
/// because less space is available than the author had.
struct TabStops {
    private var isIndentation = true
    /// The column in the original text, and the displayed column.
    private var written = 0
    private var shown = 0

    /// Returns the text with tabs replaced. It continues where the previous text ended.
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

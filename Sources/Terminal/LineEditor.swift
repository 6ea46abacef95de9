import Text

/// A line of text that the user types, with a cursor between its clusters.
public struct LineEditor: Hashable, Sendable {
    /// The maximum length of a line in bytes. Further text is ignored.
    public static let limit = 4096

    /// The text of the line.
    public private(set) var text = ""
    /// The number of clusters before the cursor.
    public private(set) var cursor = 0

    /// Whether the whole line is selected, so that typed text replaces it.
    public private(set) var isSelected = false

    private let limit: Int

    /// Creates the editor for a line of a longer text.
    init(_ text: String, cursor: Int, limit: Int) {
        (self.text, self.cursor, self.limit) = (text, cursor, limit)
    }

    /// Creates a line with the cursor at its end.
    ///
    /// - Parameters:
    ///   - text: the text of the line.
    ///   - isSelected: whether the first typed text replaces it.
    public init(_ text: String = "", isSelected: Bool = false) {
        self.text = text
        self.isSelected = isSelected && !text.isEmpty
        cursor = text.count
        limit = Self.limit
    }

    /// Handles an event that edits the line. Returns false for other events.
    public mutating func handle(_ event: InputEvent) -> Bool {
        defer { isSelected = false }
        switch event {
        case .paste(let text): insert(text.split(separator: "\n").joined(separator: " "))
        case .key(let press):
            switch (press.key, press.modifiers) {
            case (.character(let scalar), let modifiers) where modifiers.isSubset(of: .shift): insert(String(scalar))
            case (.backspace, _): remove(cursor - 1..<cursor)
            case (.delete, _), (.character("d"), .control): remove(cursor..<cursor + 1)
            case (.left, _), (.character("b"), .control): cursor = max(0, cursor - 1)
            case (.right, _), (.character("f"), .control): cursor = min(text.count, cursor + 1)
            case (.home, _), (.character("a"), .control): cursor = 0
            case (.end, _), (.character("e"), .control): cursor = text.count
            case (.character("u"), .control): remove(0..<cursor)
            case (.character("k"), .control): remove(cursor..<text.count)
            case (.character("w"), .control): remove(startOfWord..<cursor)
            default: return false
            }
        default: return false
        }
        return true
    }

    private var startOfWord: Int {
        let before = text.prefix(cursor)
        let word = before.reversed().drop { $0 == " " }.drop { $0 != " " }
        return word.count
    }

    private mutating func insert(_ added: String) {
        if isSelected { remove(0..<text.count) }
        guard text.utf8.count + added.utf8.count <= limit else { return }
        let index = text.index(text.startIndex, offsetBy: cursor)
        let after = text[index...]
        let before = text[..<index] + added
        // Typed text may combine with the text before or after it.
        text = String(before) + after
        cursor = min(before.count, text.count)
    }

    private mutating func remove(_ clusters: Range<Int>) {
        let clusters = (isSelected ? 0..<text.count : clusters).clamped(to: 0..<text.count)
        guard !clusters.isEmpty else { return }
        let start = text.index(text.startIndex, offsetBy: clusters.lowerBound)
        text.removeSubrange(start..<text.index(start, offsetBy: clusters.count))
        cursor = min(clusters.lowerBound, text.count)
    }

    /// Returns the visible part of the line in `width` columns, and the column of the cursor in it. A secret appears as
    /// a dot per cluster.
    public func shown(width: Int, isSecret: Bool) -> (text: String, cursor: Int) {
        // Sanitize each cluster separately: the replacement of a control character has a width.
        let clusters = isSecret ? Array(repeating: "•", count: text.count) : text.map { String($0).sanitized() }
        let widths = clusters.map(\.displayWidth)
        var start = cursor
        var column = 0
        // The cursor needs a column after the text before it.
        while start > 0, column + widths[start - 1] < width {
            start -= 1
            column += widths[start]
        }
        return (clusters[start...].joined(), min(column, max(0, width - 1)))
    }
}

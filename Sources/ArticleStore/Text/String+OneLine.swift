extension StringProtocol {
    /// The text with each run of white space as one space, and none at either end.
    var oneLine: String { split { $0.isWhitespace }.joined(separator: " ") }
}

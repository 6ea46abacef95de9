extension StringProtocol {
    /// The text with each run of white space replaced by a single space, and without white space at both ends.
    var oneLine: String { split { $0.isWhitespace }.joined(separator: " ") }
}

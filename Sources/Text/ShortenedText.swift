extension StringProtocol {
    /// The beginning of the text, with an ellipsis if something is missing. A message contains it if another machine has
    /// sent the text, which may be as long as a header.
    ///
    /// - Parameter count: The maximum number of Unicode scalars. Characters do not count: one can have any number of
    ///   combining marks.
    package func shortened(to count: Int = 200) -> String {
        guard let end = unicodeScalars.index(startIndex, offsetBy: count, limitedBy: endIndex), end != endIndex else {
            return String(self)
        }
        return String(self[..<end]) + "…"
    }
}

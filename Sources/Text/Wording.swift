extension String {
    /// The text as a sentence of its own: with a capital letter, and with a period unless it ends with another mark.
    /// Descriptions of errors are clauses, because in other places they follow a name.
    package var asSentence: String {
        guard let last else { return "" }
        return withCapital + (".!?…".contains(last) ? "" : ".")
    }

    /// The text with a capital letter.
    package var withCapital: String { prefix(1).uppercased() + dropFirst() }
}

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

extension BinaryInteger {
    /// Returns the number with the noun in the right form, such as `1 article` and `2 articles`.
    ///
    /// - Parameters:
    ///   - noun: the noun in the singular.
    ///   - plural: the noun in the plural; nil if it only has an “s” at the end.
    package func quantity(of noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }
}

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

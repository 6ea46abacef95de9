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

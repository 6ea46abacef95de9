import Testing
import Text

@Suite("Sentences")
struct SentenceTests {
    @Test(
        "A clause becomes a sentence with a capital letter and a mark at its end",
        arguments: [
            ("there is no article “nope”", "There is no article “nope”."),
            ("“x” is not a date", "“x” is not a date."), ("Saved.", "Saved."), ("really?", "Really?"),
            ("do not!", "Do not!"), ("wait…", "Wait…"), ("élan", "Élan."), ("", ""),
        ])
    func sentence(clause: String, sentence: String) {
        #expect(clause.asSentence == sentence)
    }
}

@Suite("Numbers with nouns")
struct QuantityTests {
    @Test(
        "Only 1 has a noun in the singular", arguments: [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (11, "11 rows")])
    func quantity(count: Int, text: String) {
        #expect(count.quantity(of: "row") == text)
        #expect(count.quantity(of: "row is", "rows are").hasPrefix(text + (count == 1 ? " is" : " are")))
    }
}

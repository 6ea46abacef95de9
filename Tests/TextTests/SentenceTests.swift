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

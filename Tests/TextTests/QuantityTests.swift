import Testing
import Text

@Suite("Numbers with nouns")
struct QuantityTests {
    @Test(
        "Only 1 has a noun in the singular", arguments: [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (11, "11 rows")])
    func quantity(count: Int, text: String) {
        #expect(count.quantity(of: "row") == text)
        #expect(count.quantity(of: "row is", "rows are").hasPrefix(text + (count == 1 ? " is" : " are")))
    }
}

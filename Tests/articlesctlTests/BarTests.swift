import Testing

@testable import articlesctl

@Suite("Bars")
struct BarTests {
    @Test("Bars are as long as their numbers, and every positive number has a bar")
    func lengths() {
        let lines = Bar.lines(
            [
                Bar(name: "a", count: 1000), Bar(name: "längst", count: 500), Bar(name: "c", count: 1),
                Bar(name: "d", count: 0),
            ],
            width: 80)
        #expect(lines[0] == "a       " + String(repeating: "█", count: 40) + "  1000")
        #expect(
            lines[1] == "längst  " + String(repeating: "█", count: 20) + String(repeating: " ", count: 20) + "   500")
        #expect(lines[2] == "c       ▏" + String(repeating: " ", count: 39) + "     1")
        #expect(lines[3] == "d       " + String(repeating: " ", count: 40) + "     0")
    }

    @Test("Bars fit into the available width", arguments: [20, 40, 80, 200])
    func widths(width: Int) {
        let bars = [Bar(name: String(repeating: "long ", count: 30), count: 123_456), Bar(name: "x", count: 7)]
        #expect(Bar.lines(bars, width: width).allSatisfy { $0.count <= width })
    }
}

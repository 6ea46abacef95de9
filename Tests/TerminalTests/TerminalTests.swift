import Testing

@testable import Terminal

@Suite("Abilities of a terminal")
struct TerminalTests {
    @Test(
        "Color follows --color, NO_COLOR, CLICOLOR_FORCE, TERM, and the stream, in this order",
        arguments: [
            (.auto, true, ["TERM": "xterm"], true),
            (.auto, false, ["TERM": "xterm"], false),
            (.auto, true, [:], false),
            (.auto, true, ["TERM": "dumb"], false),
            (.auto, true, ["TERM": "xterm", "NO_COLOR": "1"], false),
            (.auto, true, ["TERM": "xterm", "NO_COLOR": ""], true),
            (.auto, false, ["CLICOLOR_FORCE": "1"], true),
            (.auto, false, ["CLICOLOR_FORCE": "0"], false),
            (.auto, false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
            (.always, false, ["NO_COLOR": "1"], true),
            (.never, true, ["TERM": "xterm", "CLICOLOR_FORCE": "1"], false),
        ] as [(ColorChoice, Bool, [String: String], Bool)])
    func color(choice: ColorChoice, isTerminal: Bool, environment: [String: String], expected: Bool) {
        #expect(choice.isColored(isTerminal: isTerminal) { environment[$0] } == expected)
    }

    @Test("COLUMNS and LINES win, and invalid values are ignored")
    func size() {
        let set = Terminal.standard { ["COLUMNS": "33", "LINES": "7"][$0] }
        #expect(set.width == 33)
        #expect(set.height == 7)
        let unset = Terminal.standard { _ in nil }
        for nonsense in ["", "0", "-5", "x", "99999999999999999999"] {
            #expect(Terminal.standard { ["COLUMNS": nonsense][$0] }.width == unset.width)
        }
    }
}

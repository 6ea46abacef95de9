import TestSupport
import Testing

@testable import Terminal

@Suite("QR codes")
struct QRCodeTests {
    @Test("A code has a light margin and dark finders, and a line has two rows of modules")
    func drawn() throws {
        let code = try #require(QRCode("otpauth://totp/a"))
        // Versions 1 to 40 are 21 to 177 modules wide.
        #expect(code.width >= 25 && (code.width - 25).isMultiple(of: 4))
        #expect(code.lines.count == (code.width + 1) / 2)
        let modules = code.lines.map(Array.init)
        #expect(modules.allSatisfy { $0.count == code.width })
        #expect(modules[0].allSatisfy { $0 == " " })
        // The upper left finder has seven dark modules; the first line shows its upper edge and the row below.
        #expect(String(modules[1][2..<9]) == "█▀▀▀▀▀█")
        #expect(modules[1][9] == " ")
        #expect(modules.allSatisfy { $0.prefix(2).allSatisfy { $0 == " " } && $0.suffix(2).allSatisfy { $0 == " " } })
    }

    @Test("A code holds at most the maximum, and at least one byte")
    func limits() {
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "a", count: 2953)) != nil)
        #expect(QRCode(String(repeating: "a", count: 2954)) == nil)
    }
}

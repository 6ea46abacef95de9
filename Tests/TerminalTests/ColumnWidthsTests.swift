import Terminal
import TestSupport
import Testing

@Suite("The widths of columns")
struct ColumnWidthsTests {
    private static let uses: [ColumnShape.Use] = [.exact, .shared, .optional]

    /// Returns the text of a random cell: a number, a time, or words of any length.
    private func cell(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: String(Int.random(in: 0...9_999_999, using: &random))
        case 1: "2026-11-29 02:11Z"
        case 2: ["", "paused", "日本語", "-"].randomElement(using: &random) ?? ""
        default:
            Array(repeating: "word", count: Int.random(in: 1...120, using: &random)).joined(separator: " ")
        }
    }

    @Test("The main column stays readable, and the columns fit, with any data", arguments: 0..<40 as Range<UInt64>)
    func anyData(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let count = Int.random(in: 1...9, using: &random)
            let main = Int.random(in: 0..<count, using: &random)
            let shapes = (0..<count).map { index in
                let cells = (0..<Int.random(in: 1...5, using: &random)).map { _ in cell(&random) }
                return ColumnShape(
                    natural: cells.map(\.displayWidth).max() ?? 0,
                    use: index == main ? .main : Self.uses.randomElement(using: &random) ?? .shared, cells: cells)
            }
            let available = Int.random(in: 20...240, using: &random)
            let minimum = max(available / 3, 12)
            let widths = columnWidths(shapes, available: available, gap: 2, mainMinimum: minimum)
            let shown = widths.first { $0.index == main }?.width ?? 0
            #expect(shown >= min(shapes[main].natural, minimum), "\(shapes) in \(available)")
            #expect(widths.map(\.width).reduce(0, +) + 2 * (widths.count - 1) <= available, "\(shapes) in \(available)")
            for (index, width) in widths where index != main && shapes[index].use == .exact {
                #expect(width == shapes[index].natural)
            }
        }
    }

    @Test("Times are complete although other cells of their column are words")
    func timesAmongWords() {
        let times = ["2026-11-29 02:11Z", "paused", ""]
        let shapes = [
            ColumnShape(natural: 60, use: .main, cells: []),
            ColumnShape(natural: 60, use: .shared, cells: [String(repeating: "tag ", count: 15)]),
            ColumnShape(natural: 17, use: .shared, cells: times),
        ]
        #expect(columnWidths(shapes, available: 70, gap: 2).last?.width == 17)
    }

    @Test("A long number does not displace the other columns")
    func longNumber() {
        let number = String(repeating: "7", count: 100)
        let shapes = [
            ColumnShape(natural: 30, use: .main, cells: []),
            ColumnShape(natural: 100, use: .shared, cells: [number]),
            ColumnShape(natural: 15, use: .shared, cells: ["Ada Lindqvist Q"]),
        ]
        #expect(columnWidths(shapes, available: 78, gap: 2).map(\.index) == [0, 1, 2])
    }
}

import Terminal

/// A bar of a bar chart.
struct Bar: Hashable {
    let name: String
    let count: Int

    /// The maximum width of a bar.
    private static let longest = 40
    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Returns one line per bar, fitted to a width: the name, the bar in eighths of a column, and the number.
    static func lines(_ bars: [Bar], width: Int) -> [String] {
        let most = max(1, bars.map(\.count).max() ?? 1)
        let numbers = String(most).count
        let names = min(bars.map(\.name.displayWidth).max() ?? 0, max(4, width / 2 - numbers))
        let room = max(1, min(longest, width - names - numbers - 4))
        return bars.map { bar in
            let parts = bar.count * room * 8 / most
            let drawn = String(repeating: "█", count: parts / 8) + eighths[parts % 8]
            return bar.name.truncated(to: names).padded(to: names) + "  "
                + (drawn.isEmpty && bar.count > 0 ? eighths[1] : drawn).padded(to: room) + "  "
                + String(bar.count).padded(to: numbers, isRight: true)
        }
    }
}

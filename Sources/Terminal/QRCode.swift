internal import CQRCode

/// Text as a square that cameras read (ISO/IEC 18004).
public struct QRCode: Hashable, Sendable {
    /// How many modules are dark in each row, row by row.
    private let rows: [[Bool]]

    /// Light modules that a camera needs around it.
    private static let margin = 2

    /// The code of a text; nil where it is empty or longer than the largest one holds, 2,953 bytes.
    public init?(_ text: String) {
        guard !text.isEmpty, let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        // The lowest bit says whether a module is dark; the others, what it is for.
        rows = (0..<width).map { y in (0..<width).map { x in data[y * width + x] & 1 == 1 } }
    }

    /// How many columns of a terminal it takes.
    public var width: Int { rows.count + 2 * Self.margin }

    /// How its lines are to look: dark on light, as codes are, whatever the colours of the terminal.
    ///
    /// - Parameter isColored: whether there are colours; without them, what is light and what dark is the terminal's to say.
    public static func style(isColored: Bool) -> Style {
        isColored ? Style(color: .black, background: .brightWhite) : Style(attributes: .reverse)
    }

    /// The lines that show it on a terminal, two rows of modules in each.
    public var lines: [String] {
        let size = rows.count
        func isDark(_ x: Int, _ y: Int) -> Bool {
            rows.indices.contains(x - Self.margin) && rows.indices.contains(y - Self.margin)
                && rows[y - Self.margin][x - Self.margin]
        }
        return stride(from: 0, to: size + 2 * Self.margin, by: 2).map { y in
            (0..<width).map { x in
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }
}

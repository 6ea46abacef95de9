internal import CQRCode

/// A QR code (ISO/IEC 18004).
package struct QRCode: Hashable, Sendable {
    /// The modules of each row; true for dark.
    private let rows: [[Bool]]

    /// The width of the light margin that a camera requires.
    private static let margin = 2

    /// Creates the code of a text; nil if the text is empty or longer than 2,953 bytes, the maximum.
    package init?(_ text: String) {
        guard !text.isEmpty, let code = cqrcode_encode(text, QR_ECLEVEL_L) else { return nil }
        defer { cqrcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        // The lowest bit says whether a module is dark; the other bits have the kind of the module.
        rows = (0..<width).map { y in (0..<width).map { x in data[y * width + x] & 1 == 1 } }
    }

    /// The width in terminal columns.
    package var width: Int { rows.count + 2 * Self.margin }

    /// Returns the style of the lines: dark on light, whatever the colors of the terminal.
    ///
    /// - Parameter isColored: whether to use colors. Otherwise the result depends on the terminal's colors.
    package static func style(isColored: Bool) -> Style {
        isColored ? Style(color: .black, background: .brightWhite) : Style(attributes: .reverse)
    }

    /// The lines to print, each with two rows of modules.
    package var lines: [String] {
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

import Text

/// A number of bytes in a readable form: `512 bytes`, `1.4 MB`.
struct ByteCount: CustomStringConvertible {
    let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    var description: String {
        if bytes < 1000 { return bytes.quantity(of: "byte") }
        var tenths = bytes / 100
        var unit = 0
        while tenths >= 10_000, unit < Self.units.count - 1 {
            tenths /= 1000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(Self.units[unit])"
    }

    private static let units = ["kB", "MB", "GB", "TB"]
}

/// One step of a schema.
public struct Migration: Hashable, Sendable {
    /// Its place in the order, from 1.
    public let version: Int
    /// What it is about, as in the name of its file.
    public let name: String
    /// The statements that it runs.
    public let sql: String

    /// A step of a schema.
    public init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }

    /// A fingerprint of `sql` that tells whether a step was changed after it was applied: 64-bit FNV-1a, 16 hexadecimal
    /// digits. It finds accidents, not attacks: who can write the database can write the fingerprint.
    public var checksum: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in sql.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

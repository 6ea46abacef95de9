import CTOML
import Text

/// Reads TOML 1.0.
enum TOMLReader {
    /// Returns the top-level table.
    ///
    /// - Throws: ``RecordError`` with the line within `bytes`.
    static func value(of bytes: UnsafeBufferPointer<UInt8>) throws(RecordError) -> JSON {
        guard let start = bytes.baseAddress else { return .object([]) }
        let result = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { ctoml_to_json($0, bytes.count) }
        defer { ctoml_free(result) }
        guard let text = result.text else { throw RecordError("out of memory") }
        let json = UnsafeRawBufferPointer(start: text, count: result.length).bindMemory(to: UInt8.self)
        guard result.line == 0 else {
            throw RecordError(
                line: Int(result.line), "TOML front matter: \(String(decoding: json, as: UTF8.self))")
        }
        do {
            return try JSONParser.value(of: json)
        } catch {
            throw RecordError(line: 1, "TOML front matter: \(error.reason)")
        }
    }
}

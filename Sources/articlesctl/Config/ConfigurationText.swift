import CTOML
import Text

/// A parsed configuration file in TOML, with its settings and all of its mistakes.
struct ConfigurationText: Sendable {
    /// The valid settings of the text.
    private(set) var configuration = Configuration()
    /// The mistakes in the order of the file.
    private(set) var mistakes: [ConfigurationMistake] = []
    /// Whether the place of the library is unknown because of a mistake.
    private(set) var hidesDatabase = false
    /// The valid values by the paths of their keys.
    private(set) var values: [String: (json: JSON, line: Int)] = [:]

    /// Creates an empty configuration.
    init() {}

    init(_ text: String) {
        do throws(ConfigurationMistake) {
            for entry in try Self.entries(of: text) { apply(entry) }
        } catch {
            mistakes = [error]
            hidesDatabase = true
        }
    }

    /// Creates the result for a file that cannot be read.
    init(unreadable reason: String) {
        mistakes = [ConfigurationMistake(reason)]
        hidesDatabase = true
    }

    fileprivate struct Entry {
        let path: [String]
        let line: Int
        let column: Int
        let value: ConfigurationKey.Value
    }

    private mutating func apply(_ entry: Entry) {
        let path = entry.path.joined(separator: ".")
        let mistake = { ConfigurationMistake($0, line: entry.line, column: entry.column) }
        // A table whose entries are all commented out.
        let isSection = ConfigurationKey.all.contains { $0.section == path }
        if isSection, entry.value.json == .object([]) { return }
        guard let key = ConfigurationKey.all.first(where: { $0.path == path && entry.path.count <= 2 }) else {
            let section = entry.path.count > 1 ? entry.path.first : nil
            let names = ConfigurationKey.all.filter { $0.section == section }.map(\.path)
            let near = (names.suggestions(for: path) + ConfigurationKey.all.map(\.path).suggestions(for: path)).first
            if near == ConfigurationKey.database.path { hidesDatabase = true }
            let known = isSection ? "'\(path)' is a table: write [\(path)]" : "there is no key '\(path)'"
            mistakes.append(mistake(known + (near.map { "; did you mean '\($0)'?" } ?? "")))
            return
        }
        do throws(ConfigurationMistake) {
            guard key.accepts(entry.value.json) else {
                var near = ""
                if case .choice(let choices) = key.values, let name = entry.value.json.text,
                    let choice = choices.suggestions(for: name).first
                {
                    near = "; did you mean '\(choice)'?"
                }
                throw entry.value.mistake(
                    "\(entry.value.json) is not a valid value for \(path): \(key.values.words)\(near)")
            }
            try key.set(entry.value, &configuration)
            values[path] = (entry.value.json, entry.line)
        } catch {
            mistakes.append(error)
            if path == ConfigurationKey.database.path { hidesDatabase = true }
        }
    }

    /// Returns the values in the order of the text.
    private static func entries(of text: String) throws(ConfigurationMistake) -> [Entry] {
        var text = text
        let result = text.withUTF8 { bytes in
            // An empty buffer may not have an address.
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return ctoml_to_entries("\n", 1) }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { ctoml_to_entries($0, bytes.count) }
        }
        defer { ctoml_free(result) }
        guard let start = result.text else { throw ConfigurationMistake("out of memory") }
        let bytes = UnsafeRawBufferPointer(start: start, count: result.length).bindMemory(to: UInt8.self)
        guard result.line == 0 else {
            let reason = String(decoding: bytes, as: UTF8.self).sanitized()
            let isBare = reason.contains("could not determine value type")
            throw ConfigurationMistake(
                isBare ? "invalid value; put texts in quotes, as in theme = \"dark\"" : reason,
                line: Int(result.line), column: result.column > 0 ? Int(result.column) : nil)
        }
        guard case .array(let entries)? = try? JSONParser.value(of: bytes) else {
            throw ConfigurationMistake("cannot parse the file")
        }
        return entries.compactMap { Entry($0) }.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }
}

extension ConfigurationText.Entry {
    /// Creates an entry from an object of `ctoml_to_entries`.
    fileprivate init?(_ json: JSON) {
        guard case .array(let path)? = json["key"], let line = json["line"]?.integer,
            let column = json["column"]?.integer, let value = json["value"], case .array(let places)? = json["places"]
        else { return nil }
        self.path = path.compactMap(\.text)
        self.line = line
        self.column = column
        self.value = ConfigurationKey.Value(
            json: value,
            places: places.compactMap {
                guard case .array(let numbers) = $0, numbers.count == 2, let line = numbers[0].integer,
                    let column = numbers[1].integer
                else { return nil }
                return (line, column)
            })
    }
}

extension JSON {
    fileprivate subscript(key: String) -> JSON? { members?.first { $0.key == key }?.value }
    fileprivate var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
}

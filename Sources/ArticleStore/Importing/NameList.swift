import Text

/// The rules by which names of authors or tags are read from a value.
struct NameList {
    /// Whether the names are tags. Several tags may be in one text, separated by commas.
    let isTags: Bool
    /// Whether a single text without a comma is split at its spaces.
    let splitsAtSpaces: Bool
    /// Whether a number is a valid name.
    let takesNumbers: Bool

    /// Returns the names in a list, in nested lists, or in a text; nil if the value contains anything else.
    func names(in value: JSON) -> [String]? {
        switch value {
        case .array(let elements):
            var names: [String] = []
            for element in elements where element != .null {
                let found: [String]?
                if case .array = element { found = self.names(in: element) } else { found = name(element).map { [$0] } }
                guard let found else { return nil }
                names += found
            }
            return names.filter { !$0.isEmpty }
        case .string(let text) where isTags && text.contains(","):
            return text.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
        case .string(let text) where splitsAtSpaces:
            return text.split { $0.isWhitespace }.map(String.init)
        default:
            return name(value).map { $0.isEmpty ? [] : [$0] }
        }
    }

    private func name(_ value: JSON) -> String? {
        if let members = value.members {
            for key in isTags ? ["name", "title", "label", "slug"] : ["name", "display_name"] {
                if let name = members.last(where: { $0.key == key })?.value.text { return String(name.trimmed) }
            }
            return nil
        }
        if case .number = value, !takesNumbers { return nil }
        return value.text.map { String($0.trimmed) }
    }
}

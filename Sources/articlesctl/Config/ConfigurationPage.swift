import Text

/// A configuration file with all keys. Keys that are not set are comments with their defaults.
struct ConfigurationPage {
    let text: ConfigurationText

    /// The whole file.
    var file: String {
        var lines = [
            "# The configuration of articlesctl, in TOML. A line that begins with # and no space shows a default.",
            "# Options, variables of this program, and choices made in the reader override it.",
        ]
        var section: String?
        for key in ConfigurationKey.all {
            if key.section != section {
                section = key.section
                lines += ["", "[\(section ?? "")]"]
                if section == "list" {
                    lines.append(
                        "# The initial filters of list and the reader. A filter on the command line replaces all of them."
                    )
                }
            }
            lines += ["", "# \(key.summary): \(key.values.words)", line(key)]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the line of a key.
    func line(_ key: ConfigurationKey, isComment: Bool = true) -> String {
        let value = text.values[key.path]?.json
        return (value == nil && isComment ? "#" : "") + key.name + " = " + (value ?? key.standard).description
    }

    /// Returns a key as JSON.
    func json(_ key: ConfigurationKey) -> JSON {
        let value = text.values[key.path]
        return [
            "key": .string(key.path), "value": value?.json ?? key.standard, "default": key.standard,
            "isSet": .bool(value != nil), "line": value.map { JSON($0.line) } ?? .null, "summary": .string(key.summary),
        ]
    }
}

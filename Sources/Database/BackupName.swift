internal import Essentials

/// The ending of the name of a backup before a migration: `v3-20261121T120000Z.backup`, with `-2` and so on after the time for
/// others of the same second.
struct BackupName {
    let version: Int
    let date: Date

    /// The name with this number, from 1.
    func text(_ number: Int) -> String {
        "v\(version)-\(date.fileStamp)\(number > 1 ? "-\(number)" : "").backup"
    }

    /// Whether the ending is that of a backup that was cut short, or of its journal. Anything else is somebody's own.
    static func isPartial(_ ending: Substring) -> Bool {
        let shape = ending.reduce(into: "") { shape, character in
            let isDigit = character.isASCII && character.isNumber
            // Any number of digits is one.
            if !isDigit { shape.append(character) } else if shape.last != "0" { shape.append("0") }
        }
        return ["v0-0T0Z.backup.partial", "v0-0T0Z-0.backup.partial"].contains {
            shape == $0 || shape == $0 + "-journal"
        }
    }
}

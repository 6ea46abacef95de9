internal import Text

/// The name of a backup before a migration, after the name of the database: `v3-20261121T120000Z.backup`. Further
/// backups in the same second get `-2` and so on after the time.
struct BackupName {
    let version: Int
    let date: Date

    /// Returns the name with this number, from 1.
    func text(_ number: Int) -> String {
        "v\(version)-\(date.fileStamp)\(number > 1 ? "-\(number)" : "").backup"
    }

    /// Returns whether the ending is that of an interrupted backup, or of its journal. Other files belong to the user.
    static func isPartial(_ ending: Substring) -> Bool {
        let shape = ending.reduce(into: "") { shape, character in
            let isDigit = character.isASCII && character.isNumber
            // Reduce each number to a single 0.
            if !isDigit { shape.append(character) } else if shape.last != "0" { shape.append("0") }
        }
        return ["v0-0T0Z.backup.partial", "v0-0T0Z-0.backup.partial"].contains {
            shape == $0 || shape == $0 + "-journal"
        }
    }
}

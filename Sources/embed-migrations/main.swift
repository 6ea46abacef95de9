import Foundation

// Writes a Swift file that contains the given migrations: embed-migrations MODULE FIRST OUTPUT STEP.sql …
// MODULE declares the type `Migration`, and FIRST is the version of the first step. An invalid name, a missing version, or a
// repeated version stops the build with the reason.

struct EmbeddingError: Error { let reason: String }

func migration(at path: String, expected version: Int) throws -> String {
    let file = URL(fileURLWithPath: path)
    let parts = file.deletingPathExtension().lastPathComponent.split(separator: "_", maxSplits: 1)
    guard parts.count == 2, parts[0].count == 4, let found = Int(parts[0]), !parts[1].isEmpty else {
        throw EmbeddingError(reason: "\(path): a migration is named NNNN_name.sql, such as 0003_bookmarks.sql")
    }
    guard found == version else {
        throw EmbeddingError(
            reason: "\(path): version \(found) where \(version) is next; each has one file and none is left out")
    }
    let sql = try String(contentsOf: file, encoding: .utf8)
    // Use more number signs than any run in the text, so that the text cannot end the literal.
    let longest = sql.split(whereSeparator: { $0 != "#" }).map(\.count).max() ?? 0
    let quote = String(repeating: "#", count: longest + 1)
    return """
            Migration(
                version: \(version), name: "\(parts[1])",
                sql: \(quote)\"\"\"
        \(sql)
        \"\"\"\(quote)),

        """
}

do {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 3, let first = Int(arguments[2]) else {
        throw EmbeddingError(reason: "usage: embed-migrations MODULE FIRST OUTPUT STEP.sql …")
    }
    let steps = arguments.dropFirst(3)
    let migrations = try steps.enumerated().map { try migration(at: $1, expected: $0 + first) }
    let swift = """
        internal import \(arguments[1])

        let embeddedMigrations: [Migration] = [
        \(migrations.joined())]

        """
    try swift.write(toFile: arguments[3], atomically: true, encoding: .utf8)
} catch {
    let reason = (error as? EmbeddingError)?.reason ?? "\(error)"
    FileHandle.standardError.write(Data("error: \(reason)\n".utf8))
    exit(1)
}

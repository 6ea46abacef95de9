import Arguments
import Database
import Migrations
import Platform
import Terminal
import Text

/// `backup`: copies the database while it is in use.
struct BackupCommand: Command {
    static let spec = CommandSpec(
        name: "backup", summary: "copy the database, while it is being used, into a file that is checked",
        discussion: """
            The copy is one consistent view, whatever is written meanwhile. It is checked as a whole, written to the disk and \
            then given its name, for its owner alone; it holds the users and their sessions, too. Nobody waits for it.

            In a FOLDER it is named after the database and the time, and --keep removes the oldest of those names when it is \
            there. A FOLDER that ends in / is made when there is none. “restore” puts a backup back.
            """,
        arguments: [ArgumentSpec(name: "PATH", summary: "a new file, or a folder", values: .file)],
        options: [
            OptionSpec(name: "keep", summary: "how many backups stay in the folder at most", value: "NUMBER")
        ],
        examples: [
            Example(command: "articlesctl backup ~/articles.backup", summary: "into a file"),
            Example(command: "articlesctl backup /backups/ --keep 14", summary: "each day, for two weeks"),
        ])

    private let path: String
    private let isFolder: Bool
    private let count: Int?

    init(_ parsed: ParsedCommand) throws {
        path = parsed.argument("PATH") ?? ""
        var info = stat()
        isFolder = path.hasSuffix("/") || stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        count = try parsed.integer("keep", in: 1...1_000_000)
        if count != nil, !isFolder {
            throw parsed.error(
                .other("--keep is about the backups in a folder, and \(path) is none: end its name in /"))
        }
    }

    func run(in context: Context) async throws {
        let locations = try context.locations
        let database = try context.database(ofAnyVersionAt: locations.database)
        let folder = BackupFolder(path: path, of: locations.database)
        if isFolder {
            try Locations.makeFolder(path)
            try folder.removeLeftovers()
        }
        let destination = isFolder ? folder.newPath(at: context.clock()) : path
        let backup = try context.keeping { try database.backUp(to: destination, progress: $0) }
        let removed = try count.map { try remove(from: folder, butNewest: $0, after: backup) } ?? []
        let articles = backup.rows["article"] ?? 0
        try context.report(
            "\(backup.path): \(articles) \(articles == 1 ? "article" : "articles"), \(ByteCount(backup.bytes)), checked."
                + (removed.isEmpty ? "" : " Removed \(removed.count) older."),
            json: [
                "path": .string(backup.path), "bytes": JSON(backup.bytes), "articles": JSON(articles),
                "removed": JSON(removed),
            ])
    }

    private func remove(from folder: BackupFolder, butNewest count: Int, after backup: Backup) throws -> [String] {
        do {
            return try folder.removeAll(butNewest: count)
        } catch {
            let failure = CommandError(error)
            throw CommandError(
                "\(backup.path) is written, but an older backup could not be removed: \(failure.message)",
                hint: failure.hint, code: failure.code)
        }
    }
}
